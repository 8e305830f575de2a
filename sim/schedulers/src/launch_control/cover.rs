//! Situations of running blocks that take blocks that have not started.

use crate::cover::{points, when};
use crate::port::Inputs;

points! {
    LAST =
        "launch-control/scheduler: a cancelled block is the last one of its grid",
        "launch-control.md, rule 3";
    INSTEAD =
        "launch-control/scheduler: a block is cancelled that could be dispatched",
        "launch-control.md, rule 4";
    NO_ROOM =
        "launch-control/scheduler: a block is cancelled that could not be dispatched", "launch-control.md, rule 3";
    BESIDE =
        "launch-control/scheduler: nothing is left for a block that asks, and one of another kernel goes",
        "launch-control.md, rule 5";
    ENDING =
        "launch-control/scheduler: a block is cancelled in the cycle in which the last running one of its kernel ends",
        "launch-control.md, rule 2";
    HELD =
        "launch-control/scheduler: a question is held while a cluster is open", "launch-control.md, rule 8";
}

/// A block, or a cluster, is cancelled of a kernel that has so many blocks `running`: whether it
/// `could_go` to SMXs, and whether it `is_last`.
pub(crate) fn cancelled(inputs: &Inputs, running: u32, (could_go, is_last): (bool, bool)) {
    when(is_last, &LAST);
    when(could_go, &INSTEAD);
    when(!could_go, &NO_ROOM);
    let ends = inputs.finished.iter().filter(|ended| **ended == inputs.cancel).count();
    when(ends == running as usize, &ENDING);
}
