//! Situations of the Kernel Management Unit.

use crate::cover::points;

points! {
    HOST_WAITS_FULL =
        "kmu/host: waits, all entries are occupied or promised",
        "DTBL, section 2.2; dtbl.md, rule 5";
    HOST_WAITS_RECORD = "kmu/host: waits, a record arrives", "DTBL, section 2.2; dtbl.md, rule 4";
    HOST_WAITS_QUEUE =
        "kmu/host: waits, its queue's head runs", "DTBL, section 2.2; dtbl.md, rule 1",
        never "the host presents heads of queues that `inspect` names, and no others";
    HOST_TAKES_LAST =
        "kmu/host: takes the last entry before a suspended kernel",
        "DTBL, section 2.2; dtbl.md, rule 4";
    SUSPENDED = "kmu/fetch: a suspended kernel", "DTBL, section 2.2; dtbl.md, rule 3";
    PUT_AND_FETCHED =
        "kmu/fetch: a suspended kernel in the cycle in which it is put",
        "DTBL, section 2.2; dtbl.md, rule 3";
    NO_ENTRY =
        "kmu/fetch: suspended kernels wait for an entry", "DTBL, section 2.2; dtbl.md, rule 3";
}
