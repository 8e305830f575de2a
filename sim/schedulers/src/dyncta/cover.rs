//! Decisions of DYNCTA's throttle.

use crate::cover::points;

points! {
    MORE_IDLE = "dyncta/limit: rises, the SMX was idle", "DYNCTA, section 4; dyncta.md, rule 2";
    MORE_MEMORY =
        "dyncta/limit: rises, it waited little for memory", "DYNCTA, section 4; dyncta.md, rule 2";
    LESS = "dyncta/limit: falls, it waited much for memory", "DYNCTA, section 4; dyncta.md, rule 2";
    STAYS = "dyncta/limit: stays between the thresholds", "DYNCTA, section 4; dyncta.md, rule 2";
    AT_MOST = "dyncta/limit: cannot rise, it is all slots", "DYNCTA, section 4; dyncta.md, rule 2";
    AT_LEAST = "dyncta/limit: cannot fall, it is one block", "DYNCTA, section 4; dyncta.md, rule 2";
    REFUSED = "dyncta/gate: refused, at the limit", "DYNCTA, section 4; dyncta.md, rule 4";
    PAUSED =
        "dyncta/limit: falls below the resident blocks, which pause", "DYNCTA, section 4; dyncta.md, rule 5";
    RESUMED =
        "dyncta/limit: rises, and a paused block goes on", "DYNCTA, section 4; dyncta.md, rule 5";
    FREED =
        "dyncta/gate: allowed, a block ends in that cycle", "DYNCTA, section 4; dyncta.md, rule 4";
}
