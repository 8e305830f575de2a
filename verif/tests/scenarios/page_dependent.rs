//! The example of `docs/dependent.md`.

use super::run_text;

const TEXT: &str = "\
[gpu]
smx = 1
thread_block_slots = 3

[[kernel]]
name = \"first\"
stream = 0
grid = [2, 1, 1]
block = [32, 1, 1]
duration = 100
trigger = 60

[[kernel]]
name = \"second\"
stream = 0
dependent = true
grid = [1, 1, 1]
block = [32, 1, 1]
duration = 50
prologue = 20
";

#[test]
fn the_second_kernel_begins_two_cycles_after_the_last_trigger_and_waits_for_the_end_of_the_first() {
    let seen = run_text("dependent", TEXT);
    assert_eq!(seen.blocks(), [(1, 0, 0), (2, 0, 1), (64, 0, 0)]);
    let of = |name, figure| seen.kernel(name, 0, figure);
    assert_eq!([of("first", "distributed"), of("second", "distributed")], [0, 1]);
    // Its block ends in 133.
    assert_eq!([of("first", "finish"), of("second", "finish")], [103, 134]);
}

#[test]
fn under_rr_the_kernels_run_one_after_the_other() {
    let seen = run_text("rr", TEXT);
    assert_eq!(seen.blocks(), [(1, 0, 0), (2, 0, 1), (105, 0, 0)]);
    assert_eq!(seen.kernel("second", 0, "distributed"), 104);
}
