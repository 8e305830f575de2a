//! Situations of LaPerm's selector and of its priority queues.

use crate::cover::points;

points! {
    OWN = "laperm/selector: stage 1", "LaPerm, section IV-C; laperm.md, rule 10";
    ZERO = "laperm/selector: stage 2", "LaPerm, section IV-C; laperm.md, rule 10";
    BACKUP_RECORDED =
        "laperm/selector: stage 3, the recorded backup", "LaPerm, section IV-C; laperm.md, rule 11";
    BACKUP_OTHER =
        "laperm/selector: stage 3, another backup", "LaPerm, section IV-C; laperm.md, rule 11";
    BACKUP_AGAIN =
        "laperm/selector: stage 3, the refused backup for want of others",
        "LaPerm, section IV-C; laperm.md, rule 13";
    NOBODY =
        "laperm/selector: no stage has a candidate", "LaPerm, section IV-C; laperm.md, rule 10";
    SKIPPED =
        "laperm/selector: stage 1 is skipped after a refusal",
        "LaPerm, section IV-C; laperm.md, rule 13";
    REFUSED_OWN =
        "laperm/selector: a gate refuses stage 1", "LaPerm, section IV-C; laperm.md, rule 13";
    REFUSED_BACKUP =
        "laperm/selector: a gate refuses stage 3", "LaPerm, section IV-C; laperm.md, rule 13";
    INSERTED = "laperm/queues: a unit is inserted", "LaPerm, section IV-E; laperm.md, rule 5";
    SPILLED_FULL =
        "laperm/queues: a unit is spilled, the queue is full",
        "LaPerm, section IV-E; laperm.md, rule 6";
    SPILLED_BEHIND =
        "laperm/queues: a unit is spilled, its level is behind",
        "LaPerm, section IV-E; laperm.md, rule 6";
    REFILLED = "laperm/queues: a refill is taken", "LaPerm, section IV-E; laperm.md, rule 7";
    REFILL_WAITS =
        "laperm/queues: a refill waits for an insertion", "LaPerm, section IV-E; laperm.md, rule 7";
    ASKED = "laperm/queues: a unit is asked of memory", "LaPerm, section IV-E; laperm.md, rule 7";
    ASKED_OF_ANOTHER =
        "laperm/queues: a full queue lets a later one ask",
        "LaPerm, section IV-E; laperm.md, rule 7";
    REMOVED_AND_INSERTED =
        "laperm/queues: a head leaves as a unit enters the same queue",
        "LaPerm, section IV-E; laperm.md, rule 5";
}
