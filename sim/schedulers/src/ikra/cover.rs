//! Situations of IKRA's chunks, thieves and steal queues.

use crate::cover::points;

points! {
    EMPTY =
        "ikra/control: a kernel without blocks ends at once", "IKRA, section 4.1; ikra.md, rule 2";
    KEPT = "ikra/control: chunks are kept", "IKRA, section 4.2; ikra.md, rule 3";
    ASSIGNED = "ikra/control: chunks are assigned", "IKRA, section 4.1; ikra.md, rule 3";
    DERIVED = "ikra/control: chunks are derived", "IKRA, section 8; ikra.md, rule 18";
    BROADCAST = "ikra/control: a broadcast is sent", "IKRA, section 4.4; ikra.md, rule 13";
    BROADCAST_WAITS =
        "ikra/control: a head waits for a broadcast", "IKRA, section 4.4; ikra.md, rule 13";
    FROM_CHUNK = "ikra/own: a block of the chunk", "IKRA, section 4.1; ikra.md, rule 6";
    FROM_QUEUE = "ikra/own: a block of the queue", "IKRA, section 4.4; ikra.md, rule 9";
    QUEUE_FIRST = "ikra/own: the queue before the chunk", "IKRA, section 4.4; ikra.md, rule 9";
    OWN_LAST =
        "ikra/victim: its own dispatch takes what is asked for",
        "IKRA, section 4.4; ikra.md, rule 12";
    GRANTED_CHUNK =
        "ikra/thief: a block of a chunk is granted", "IKRA, section 4.4; ikra.md, rule 12";
    GRANTED_QUEUE =
        "ikra/thief: a block of a queue is granted", "IKRA, section 4.4; ikra.md, rule 12";
    REFUSED_CHUNK = "ikra/thief: a chunk is refused", "IKRA, section 4.4; ikra.md, rule 12";
    REFUSED_QUEUE = "ikra/thief: a queue is refused", "IKRA, section 4.4; ikra.md, rule 12";
    ANOTHER_FIRST =
        "ikra/thief: waits for a lower-numbered one", "IKRA, section 4.4; ikra.md, rule 12";
    SCAN_ENDS = "ikra/thief: the scan is at its end", "IKRA, section 4.4; ikra.md, rule 10";
    NOT_EXECUTED = "ikra/thief: its own blocks run still", "IKRA, section 4.4; ikra.md, rule 10a";
    STOPS = "ikra/thief: asks no more, its queue is full", "IKRA, section 4.4; ikra.md, rule 10";
    INSERTED = "ikra/queue: a stolen block is inserted", "IKRA, section 4.4; ikra.md, rule 13";
    FULL = "ikra/queue: a stolen block finds it full", "IKRA, section 4.4; ikra.md, rule 13";
    FILLED = "ikra/queue: an insertion makes it full", "IKRA, section 4.4; ikra.md, rule 13";
    TENANT_KEPT = "ikra/home: a tenant keeps the chunk", "IKRA, section 8; ikra.md, rule 24";
    TENANT_GRID = "ikra/home: populated, another grid", "IKRA, section 8; ikra.md, rule 24";
    TENANT_TOLD = "ikra/home: populated, it was told", "IKRA, section 8; ikra.md, rule 24";
    CHILD_INSERTED = "ikra/level: a stolen block is inserted", "IKRA, section 8; ikra.md, rule 27";
    CHILD_FILLED =
        "ikra/level: an insertion makes the queue full", "IKRA, section 8; ikra.md, rule 27";
    CHILD_OTHER_HOME =
        "ikra/level: not inserted, the queue has another home", "IKRA, section 8; ikra.md, rule 27";
    CHILD_LEFT = "ikra/level: not inserted, something is left", "IKRA, section 8; ikra.md, rule 27";
    CHILD_FULL = "ikra/level: not inserted, the queue is full", "IKRA, section 8; ikra.md, rule 27";
    CHILD_BEGINS =
        "ikra/level: not inserted, the queue's tenant begins", "IKRA, section 8; ikra.md, rule 27";
    CHILD_NO_ROOM =
        "ikra/level: a thief without room is refused", "IKRA, section 8; ikra.md, rule 26c";
    BACK = "ikra/level: a scan goes back, not to level 0", "IKRA, section 8; ikra.md, rule 26a";
    BACK_LATER =
        "ikra/level: an answer is back, and the scan goes", "IKRA, section 8; ikra.md, rule 26a";
    SHORT_ENDS =
        "ikra/level: a block ends, and its thief is short", "IKRA, section 8; ikra.md, rule 26b";
    ENDS =
        "ikra/level: a block ends, and the scan stays", "IKRA, section 8; ikra.md, rule 26b";
}
