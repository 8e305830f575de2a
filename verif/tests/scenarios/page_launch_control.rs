//! The example of `docs/launch-control.md`.

use super::{run_text, Seen};

/// One SMX that holds two blocks, and a grid of five; `more` keys of the GPU and of the kernel.
fn run(scheduler: &str, gpu: &str, kernel: &str) -> Seen {
    run_text(
        scheduler,
        &format!(
            "[gpu]\nsmx = 1\nthread_block_slots = 2\n{gpu}\n\
             [[kernel]]\nname = \"A\"\ngrid = [5, 1, 1]\nblock = [32, 1, 1]\nduration = 100\n{kernel}\n"
        ),
    )
}

#[test]
fn two_blocks_do_the_work_of_five_and_spare_three_setups() {
    let seen = run("launch-control", "", "setup = 20\ncancels = true");
    assert_eq!(seen.blocks(), [(1, 0, 0), (2, 0, 1)]);
    // The last one ends in 262.
    assert_eq!((seen.kernel("A", 0, "finish"), seen.kernel("A", 0, "cancelled")), (263, 3));
}

#[test]
fn under_rr_five_blocks_on_two_slots_end_in_301_and_nobody_is_asked() {
    for keys in ["setup = 20\ncancels = true", ""] {
        let seen = run("rr", "", keys);
        assert_eq!((seen.lines.len(), seen.kernel("A", 0, "finish")), (5, 302));
        assert!(seen.stats["kernels"][0].get("cancelled").is_none());
    }
}

#[test]
fn the_work_of_a_cancelled_block_begins_so_many_cycles_after_the_answer() {
    let seen = run("launch-control", "launch.cancel = 7", "setup = 20\ncancels = true");
    // Twice seven cycles later for the block that is answered twice.
    assert_eq!(seen.kernel("A", 0, "finish"), 263 + 14);
}
