//! One grant, and nobody of a partition starves.

use super::PartitionPlacement;
use crate::property::{among, Properties};

/// Any SMX that asks whenever one partition has the turn is passed by less than once for each other
/// SMX.
pub fn of(placement: &PartitionPlacement) -> Properties {
    let (smxs, partitions) = (placement.request.val().len(), placement.turn.val().len());
    let bits = placement.first.val().bits();
    let mut p = Properties::of("NVIDIA MPS and MIG; CUDA C++ programming guide, green contexts");
    p.assume(
        "one_turn",
        "a partition has the turn where an SMX asks",
        "(turn & (turn - 1'b1)) == 0 & (request == 0 | turn != 0)",
    );
    (0..partitions)
        .for_each(|at| p.inner(format!("pointer_{at}"), format!("turns.pointers${at}.q")));
    p.chosen("watched", bits);
    p.chosen("partition", 3);
    let pointers: Vec<String> = (0..partitions).map(|at| format!("pointer_{at}")).collect();
    p.wire("pointer", bits, among("partition", pointers.iter().cloned()));
    p.wire("its_turn", 1, "turn >> partition");
    p.wire("asks", 1, "request >> watched");
    p.wire("gets", 1, "grant >> watched");
    p.wire(
        "distance",
        bits + 1,
        format!("watched >= pointer ? watched - pointer : watched + {smxs} - pointer"),
    );
    p.register("passed", bits + 1, "~its_turn ? passed : ~asks | gets ? 0 : passed + (|grant)");
    p.assert("at_most_one", "one SMX receives a block", "(grant & (grant - 1'b1)) == 0");
    p.assert("a_requester", "it has room for it", "(grant & ~request) == 0");
    p.assert("someone", "where any SMX asks, one is granted", "(|grant) == (|request)");
    p.assert(
        "shown",
        "the gates see the partition's pointer, the first one's without a turn",
        format!(
            "~(its_turn | turn == 0 & partition == 0) | partition >= {partitions} | first == pointer"
        ),
    );
    p.assert(
        "no_starvation",
        "who asks in its partition's turns is granted within as many grants as there are SMXs",
        format!("watched >= {smxs} | partition >= {partitions} | passed < {smxs}"),
    );
    let known = pointers.iter().map(|pointer| format!("{pointer} < {smxs}"));
    p.invariant("pointers", "the pointers are SMXs", crate::property::all(known));
    p.invariant(
        "approach",
        "with each grant to another SMX the pointer comes nearer",
        format!(
            "watched >= {smxs} | partition >= {partitions} | passed == 0 | passed + distance <= {}",
            smxs - 1
        ),
    );
    p.cover("passes", "an SMX waits", "asks & ~gets");
    p
}
