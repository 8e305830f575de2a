//! Situations of GPGPU-Sim's way of issuing blocks.

use crate::cover::points;

points! {
    WAITS = "rr-gpgpusim/order: the head waits for the kernel before it", "gpgpusim.md, rule 1";
    EMPTY = "rr-gpgpusim/order: an empty grid", "gpgpusim.md, rule 1";
    CAPPED = "rr-gpgpusim/cap: keeps a block from an SMX with room", "gpgpusim.md, rule 3";
    MOST_CAP = "rr-gpgpusim/cap: saturates", "gpgpusim.md, rule 3";
    EVERY_SMX = "rr-gpgpusim/visit: every SMX receives a block", "gpgpusim.md, rule 2";
    WRAPS = "rr-gpgpusim/visit: goes past the last SMX to the first", "gpgpusim.md, rule 2";
}
