//! Decisions of CLASO's gate.

use crate::cover::points;

points! {
    FREE = "claso/gate: allowed, enough local credits", "CLASO, section 3.1; claso.md, rule 3";
    GLOBAL = "claso/gate: allowed with a global credit", "CLASO, section 3.1; claso.md, rule 3";
    NO_GLOBAL =
        "claso/gate: refused, no global credit is left", "CLASO, section 3.1; claso.md, rule 4";
    NO_LOCAL = "claso/gate: refused, no local credit", "CLASO, section 3.1; claso.md, rule 3";
    ADDED = "claso/gate: credits of a group come on top", "CLASO, section 3.2; dtbl.md, rule 17";
}
