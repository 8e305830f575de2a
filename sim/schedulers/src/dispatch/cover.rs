//! Situations of the baseline's room check, which every scheduler uses.

use crate::cover::points;

points! {
    ONLY_THREADS = "dispatch/room: only threads lack", "DTBL, section 2.2; baseline.md, rule 3";
    ONLY_REGISTERS = "dispatch/room: only registers lack", "DTBL, section 2.2; baseline.md, rule 3";
    ONLY_SHARED_MEMORY =
        "dispatch/room: only shared memory lacks", "DTBL, section 2.2; baseline.md, rule 3";
    ONLY_SLOT = "dispatch/room: only a slot lacks", "DTBL, section 2.2; baseline.md, rule 3";
    LAST_THREADS =
        "dispatch/room: a block takes the last threads", "DTBL, section 2.2; baseline.md, rule 3";
    LAST_REGISTERS =
        "dispatch/room: a block takes the last registers", "DTBL, section 2.2; baseline.md, rule 3";
    LAST_SHARED_MEMORY =
        "dispatch/room: a block takes the last shared memory",
        "DTBL, section 2.2; baseline.md, rule 3";
    LAST_SLOT =
        "dispatch/room: a block takes the last slot", "DTBL, section 2.2; baseline.md, rule 3";
}
