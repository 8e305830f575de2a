//! Both queues do the same.

use super::QueuePair;
use crate::property::Properties;

/// While no unit is on its way to its place in the shifting queue, both have the same head; and
/// both hold as many.
pub fn of(pair: &QueuePair) -> Properties {
    let mut p = Properties::of_alone("LaPerm, section IV-E");
    p.inner("moves", "shifting.busy.q");
    p.assume("inserts", "a unit is inserted when both are ready", "~insert | ready");
    p.assume(
        "level",
        "its level is one that there is",
        format!("~insert | insert_level >= 1 & insert_level <= {}", pair.levels),
    );
    p.assume(
        "small",
        "units differ in their kernel and a bit of their group, and have one or two blocks",
        "insert_entry[6 +: 31] == 0 & insert_entry[68 +: 32] == {16'h1, 16'h1} \
         & insert_entry[39 +: 29] == 0 & (insert_entry[37] ^ insert_entry[38])",
    );
    p.assume(
        "waits",
        "a head moves when no unit is on its way",
        "~(step | remove) | linked$head_valid & ~moves",
    );
    p.assert("valid", "both have a head", "moves | linked$head_valid == shifting$head_valid");
    p.assert("head", "and the same one", "moves | linked$head == shifting$head");
    p.assert("count", "both hold as many units", "linked$count == shifting$count");
    p.assert(
        "ready",
        "one is ready when the other one is",
        "moves | linked$ready == shifting$ready",
    );
    p.cover("overtakes", "a unit comes before another one", "moves & linked$head != shifting$head");
    p
}
