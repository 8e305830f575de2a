//! Nobody is marked too early, and nobody waits for ever.

use super::{Waiting, BITS, ENTRIES};
use crate::property::{among, count, Properties};

/// Any two entries are watched, `first` and `second`: what a kernel in `first` has pending is
/// `left`, what the one that the kernel in `second` follows has is `owed`, if it was in `first`
/// when that one came.
pub fn of(waiting: &Waiting) -> Properties {
    let smxs = waiting.smxs;
    let mut p = Properties::of("CUDA C++ programming guide, programmatic dependent launch");
    p.inner("counts", "pending.counts");
    (0..ENTRIES).for_each(|at| p.inner(format!("whom_{at}"), format!("followed${at}.q")));
    p.inner("settled_ones", "settled.q");
    p.chosen("first", 5);
    p.chosen("second", 5);
    p.wire("first_comes", 1, "accepted[0] & accepted[1 +: 5] == first");
    p.wire("second_comes", 1, "accepted[0] & accepted[1 +: 5] == second");
    p.wire("depends", 1, "follows[0] & follows[1 +: 5] == first");
    p.wire("marked", 1, "mark[0] & mark[1 +: 5] == second");
    let triggers = (0..smxs)
        .map(|smx| format!("((triggered >> {smx}) & 1'b1) & triggered_kernel${smx} == first"));
    p.wire("triggers", BITS, count(triggers));
    p.register("left", BITS, "left + (first_comes ? blocks : 0) - triggers");
    p.register("there", 1, "second_comes ? follows[0] : there & ~marked");
    p.register("behind", 1, "second_comes ? depends : behind & ~marked");
    p.register("owed", BITS, "second_comes ? left - triggers : owed == 0 ? 0 : owed - triggers");
    p.assume("triggers_once", "a block triggers once", "triggers <= left");
    p.assume(
        "entries",
        "a kernel comes to an entry whose last kernel has ended",
        "~(first_comes & left != 0) & ~(second_comes & there)",
    );
    p.assume(
        "another",
        "no kernel follows itself",
        "~(accepted[0] & follows[0]) | follows[1 +: 5] != accepted[1 +: 5]",
    );
    p.assert(
        "not_early",
        "none is marked while its predecessor has blocks pending",
        "~(marked & behind & ~second_comes) | owed == 0",
    );
    p.assert(
        "known",
        "one that is marked has waited, or comes without a predecessor",
        "~marked | there | second_comes & ~follows[0]",
    );
    p.assert(
        "at_once",
        "one that comes without a predecessor is marked",
        "~(second_comes & ~follows[0]) | marked",
    );
    p.assert(
        "goes",
        "one that may is marked, or one before it",
        "~(there & behind & owed == 0) | mark[0] & (mark[1 +: 5] <= second | accepted[0] & ~follows[0])",
    );
    p.assert("shown", "`waits` says who waits", "((waits >> second) & 1'b1) == there");

    // The state, in terms of the ghosts.
    let counts = (0..ENTRIES).map(|at| format!("counts[{} +: {BITS}]", at * BITS));
    p.wire("counter", BITS, among("first", counts));
    p.wire("whom", 5, among("second", (0..ENTRIES).map(|at| format!("whom_{at}"))));
    p.wire("settled_one", 1, "settled_ones >> second");
    p.invariant("counted", "what is pending is counted", "counter == left");
    p.invariant("whose", "whom it follows is stored", "~there | (whom == first) == behind");
    p.ghost("waits_behind", "who is behind another waits", "~behind | there");
    p.invariant("while_waiting", "only who waits is settled", "~settled_one | there");
    p.invariant("nothing_owed", "what is settled stays so", "~(behind & settled_one) | owed == 0");
    p.invariant(
        "not_settled",
        "as long as it is not, its predecessor is there",
        "~behind | settled_one | owed == left",
    );
    p.ghost("owed_left", "and what it has pending is owed", "~behind | owed == 0 | owed == left");
    p.cover(
        "begins",
        "a dependent is marked after its predecessor's last trigger",
        "marked & behind & left == 0",
    );
    p.cover(
        "entry_again",
        "and one whose predecessor's entry has a new kernel",
        "marked & behind & left != 0 & ~second_comes",
    );
    p
}
