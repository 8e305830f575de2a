//! Situations of running blocks that take blocks that have not started.

use crate::cover::points;

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
}
