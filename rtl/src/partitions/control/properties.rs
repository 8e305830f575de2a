//! Partitions take turns, and nothing overtakes in one.

use super::PartitionControl;
use crate::property::{first_come, Properties, Queues};

/// Any partition with kernels waits for each other one at most once; with few entries, see
/// [`first_come`].
pub fn of(control: &PartitionControl) -> Properties {
    let (partitions, entries) = (control.partitions, control.entries);
    let last = partitions - 1;
    let mut p = Properties::of("NVIDIA MPS and MIG; CUDA C++ programming guide, green contexts");
    p.chosen("watched", 3);
    p.wire("asks", 1, "filled$word >> watched");
    p.wire("gets", 1, "turn >> watched");
    p.wire(
        "distance",
        6,
        format!(
            "watched >= arbiter$first ? watched - arbiter$first : watched + {partitions} - arbiter$first"
        ),
    );
    p.register("passed", 6, "~asks | gets ? 0 : passed + 1");
    p.assert("one_turn", "one partition has the turn", "(turn & (turn - 1'b1)) == 0");
    p.assert("its_head", "it is the one that shows a head", "head_valid == (turn != 0)");
    p.assert(
        "no_starvation",
        "who has kernels has the turn after at most each other partition",
        format!("watched > {last} | passed <= {last}"),
    );
    p.invariant("pointer", "the pointer is a partition", format!("arbiter$first <= {last}"));
    p.invariant(
        "approach",
        "with each turn of another partition the pointer comes nearer",
        format!("watched > {last} | passed == 0 | passed + distance <= {last}"),
    );
    p.cover("waits", "a partition waits for another one", "asks & ~gets");
    if entries > 8 {
        return p;
    }
    p.alone = true;
    let names: Vec<String> = (0..partitions).map(|at| format!("queue${at}")).collect();
    let belongs = format!("partition > {last} ? {last} : partition");
    first_come(&mut p, &Queues { names: &names, entries, belongs: &belongs });
    p.assert(
        "own_turn",
        "a head is of the partition that has the turn",
        "~(head_valid & head == former) | turn == (1 << former_home)",
    );
    p
}
