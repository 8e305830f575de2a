//! What it takes to set up the context of a kernel on an SMX.

use super::*;

/// Five blocks of 100 cycles on one SMX of so many slots.
fn five(slots: u32) -> String {
    format!(
        "[gpu]\nsmx = 1\nthread_block_slots = {slots}\n[[kernel]]\nname = \"K\"\n\
         grid = [5, 1, 1]\nblock = [64, 1, 1]\nduration = 100\n"
    )
}

#[test]
fn it_is_set_up_for_the_first_block_of_a_kernel_that_has_none_on_the_smx() {
    let finish = |slots, context| {
        let seen = run_both(LaunchMode::Flat, &[("launch.context", context)], &five(slots));
        kernel(&seen, "K", 0).finish.unwrap()
    };
    for (slots, times) in [(1, 5), (2, 1), (8, 1)] {
        let without = finish(slots, "0");
        // Blocks that come while it is set up wait for its end only, so they end together.
        let together = if slots == 8 { 4 } else { 0 };
        let expected = without - together + times * 50;
        let found = finish(slots, "50");
        assert!((expected..=expected + together).contains(&found), "{slots} slots: {found}");
    }
}

#[test]
fn groups_share_the_context_of_their_kernel_and_device_kernels_have_their_own() {
    // Two children of the same function follow one another; the first one still runs.
    let text = family(1, &[(0, 0, 0, "C", 1), (0, 70_000, 0, "C", 1)])
        .replace("name = \"C\"\n", "name = \"C\"\nresident = true\n")
        .replace("1_000\n", "200_000\n");
    let text = format!("[gpu]\nsmx = 1\n{text}");
    let last = |mode| {
        let run = |context| run_both(mode, &[("launch.context", context)], &text).stats.cycles;
        run("700") - run("0")
    };
    assert_eq!((last(LaunchMode::Dtbl), last(LaunchMode::Cdp)), (0, 700));
}
