//! Situations of dispatch in two levels.

use crate::cover::points;

points! {
    PASSES =
        "domains/domain: the walk goes past another domain's block though a block would fit",
        "domains.md, rule 4";
    LAST_IS_OTHERS =
        "domains/domain: the walk goes over a grid's last block, which is another domain's",
        "domains.md, rule 4";
    NO_SHARE =
        "domains/domain: the share of a kernel in a domain is empty", "domains.md, rule 5";
    AHEAD =
        "domains/scheduler: a domain distributes a kernel that is not another one's head yet",
        "domains.md, rule 3";
    TOGETHER = "domains/scheduler: several domains dispatch in one cycle", "domains.md, rule 6";
    TWO_KERNELS =
        "domains/scheduler: blocks of two kernels go in one cycle", "domains.md, rule 3";
    WAITS =
        "domains/scheduler: a kernel waits for a domain that has it marked, and runs nowhere",
        "domains.md, rule 7";
}
