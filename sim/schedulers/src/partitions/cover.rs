//! Situations of kernels on a part of the SMXs.

use crate::cover::points;

points! {
    WRAPS = "partitions/control: the turn wraps to a lower partition", "partitions.md, rule 5";
    SKIPS = "partitions/control: the turn passes by an empty queue", "partitions.md, rule 5";
    BEYOND =
        "partitions/control: a kernel's number is beyond the last partition", "partitions.md, rule 3";
    IDLE_TURN =
        "partitions/scheduler: nothing goes in a turn, though a block of another head fits",
        "partitions.md, rule 5";
    OVERLAP =
        "partitions/scheduler: two partitions with a head have an SMX in common",
        "partitions.md, rule 2";
}
