//! Situations of kernels that begin before their predecessors have ended.

use crate::cover::points;

points! {
    DIRECT =
        "dependent/waiting: a launch is marked at once before one that waits and may be marked",
        "dependent.md, rule 5";
    TOGETHER =
        "dependent/waiting: two that wait may be marked in one cycle", "dependent.md, rule 5";
    AGAIN =
        "dependent/waiting: one that may be marked waits while its predecessor's entry is another kernel's",
        "dependent.md, rule 5";
    CHAIN = "dependent/waiting: a launch follows a kernel that waits", "dependent.md, rule 2";
    RELEASED =
        "dependent/scheduler: a predecessor is released in the cycle in which its follower is accepted",
        "dependent.md, rule 2";
    BEHIND =
        "dependent/cdp: a launch enters behind the kernel that it follows in its work queue",
        "dependent.md, rule 7";
    EMPTY = "dependent/scheduler: a launch follows a kernel without blocks", "dependent.md, rule 4";
}
