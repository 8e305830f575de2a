//! Situations of the coalescer, the table, its counts, the lists of groups and those in memory.

use crate::cover::points;

points! {
    EQUAL = "dtbl/search: an equal kernel", "DTBL, section 4.2; dtbl.md, rule 12";
    ENDS =
        "dtbl/search: the equal kernel ends in that cycle", "DTBL, section 4.2; dtbl.md, rule 12";
    ONLY_PC = "dtbl/search: only the PC differs", "DTBL, section 4.2; dtbl.md, rule 12";
    ONLY_X = "dtbl/search: only the block's x differs", "DTBL, section 4.2; dtbl.md, rule 12";
    ONLY_Y = "dtbl/search: only the block's y differs", "DTBL, section 4.2; dtbl.md, rule 12";
    ONLY_Z = "dtbl/search: only the block's z differs", "DTBL, section 4.2; dtbl.md, rule 12";
    FREE = "dtbl/search: the entry is free", "DTBL, section 4.2; dtbl.md, rule 12";
    LAST_EQUAL = "dtbl/search: entry 31 is the equal one", "DTBL, section 4.2; dtbl.md, rule 12";
    NONE_EQUAL = "dtbl/search: none of 32 is equal", "DTBL, section 4.2; dtbl.md, rule 12";
    RESULT_WAITS =
        "dtbl/search: the result waits for the allocation stage",
        "DTBL, section 4.3; dtbl.md, rule 13";
    PARAMETERS_WAIT =
        "dtbl/allocation: a group waits for its parameters", "DTBL, section 4.3; dtbl.md, rule 13";
    STALLS =
        "dtbl/allocation: a group waits, a kernel enters", "DTBL, section 4.3; dtbl.md, rule 13";
    ON_CHIP = "dtbl/table: a free entry takes a group", "DTBL, section 4.2; dtbl.md, rule 11";
    IN_MEMORY =
        "dtbl/table: a taken entry leaves a group in memory", "DTBL, section 4.2; dtbl.md, rule 11";
    QUEUED = "dtbl/counting: a queue holds more than one block", "dtbl.md, rule 11b";
    CROWDED = "dtbl/counting: a block would fit an SMX that is crowded", "dtbl.md, rule 11b";
    COUNTED_EARLY =
        "dtbl/counting: a block of a group that is still distributed", "dtbl.md, rule 11b";
    MARKED_AGAIN =
        "dtbl/lists: scenario one, the kernel is marked again",
        "DTBL, section 4.2; dtbl.md, rule 8";
    MARKED = "dtbl/lists: scenario two, the kernel is marked", "DTBL, section 4.2; dtbl.md, rule 8";
    LAST_BLOCK =
        "dtbl/lists: coalesced in the cycle of its kernel's last block",
        "DTBL, section 4.2; dtbl.md, rule 8";
    LINK_ON_CHIP =
        "dtbl/lists: linked behind a group of the table", "DTBL, section 4.2; dtbl.md, rule 8";
    LINK_IN_MEMORY =
        "dtbl/lists: linked behind a group in memory", "DTBL, section 4.2; dtbl.md, rule 10";
    LINK_KEPT =
        "dtbl/fetch: a link is kept with the youngest held group",
        "DTBL, section 4.2; dtbl.md, rule 10";
    LINK_REPLACES =
        "dtbl/fetch: a link replaces the Next that memory gave",
        "DTBL, section 4.2; dtbl.md, rule 10";
    NO_ROOM =
        "dtbl/fetch: as many groups are held as may be", "DTBL, section 4.2; dtbl.md, rule 10";
    PAST_32 =
        "dtbl/fetch: the 33rd group of a ring or a later one",
        "DTBL, section 4.2; dtbl.md, rule 10";
    UNASKED =
        "dtbl/fetch: a group arrives that was not asked for", "DTBL, section 4.2; dtbl.md, rule 10",
        never "memory answers what it was asked for";
}
