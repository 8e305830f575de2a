//! DTBL, section 2.3: kernels of different streams run at once, those of one stream in order.

use super::command::worked_example;
use super::{run_file, run_text};

#[test]
fn streams_overlap_and_each_keeps_its_order() {
    for scheduler in ["rr", "rr+claso"] {
        let seen = run_file(scheduler, &worked_example("concurrent-kernels"), &["--seed", "7"]);
        let span = |name, instance| {
            (seen.kernel(name, instance, "first_dispatch"), seen.kernel(name, instance, "finish"))
        };
        // Stream 1 holds A and C; A's repetition comes when A has finished, behind C.
        let (first, between, second) = (span("A", 0), span("C", 0), span("A", 1));
        assert!(first.1 < between.0 && between.1 < second.0, "{first:?} {between:?} {second:?}");
        // B shares the GPU with the first A.
        let other = span("B", 0);
        assert!(other.0 < first.1 && first.0 < other.1, "{first:?} {other:?}");
        assert_eq!(seen.lines.iter().filter(|line| line.kernel == "B").count(), 8);
    }
}

const TWO: &str = "[gpu]\nsmx = 2\nthread_block_slots = 1\n\
    [[kernel]]\nname = \"A\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\nduration = 10\nSTREAM\n\
    [[kernel]]\nname = \"B\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\nduration = 10\nSTREAM\n";

#[test]
fn a_kernel_that_does_not_fill_the_gpu_shares_it_with_the_next_one() {
    let seen = run_text("rr", &TWO.replace("STREAM", ""));
    let found: Vec<_> =
        seen.lines.iter().map(|line| (line.cycle, line.smx, line.kernel.as_str())).collect();
    assert_eq!(found, [(1, 0, "A"), (2, 1, "B")]);
}

#[test]
fn a_kernel_of_the_same_stream_waits_for_the_end_of_the_one_before() {
    let seen = run_text("rr", &TWO.replace("STREAM", "stream = 3"));
    let found: Vec<_> =
        seen.lines.iter().map(|line| (line.cycle, line.smx, line.kernel.as_str())).collect();
    // The block of A ends in 11, A in 12; B is offered in 13 and starts in 14. The round robin goes
    // on from where it was.
    assert_eq!(found, [(1, 0, "A"), (14, 1, "B")]);
    assert_eq!(seen.kernel("A", 0, "finish"), 12);
    assert_eq!(seen.kernel("B", 0, "distributed"), 13);
}

#[test]
fn a_later_kernel_waits_while_the_first_has_blocks_to_distribute() {
    let text = "[gpu]\nsmx = 1\nthread_block_slots = 1\n\
        [[kernel]]\nname = \"A\"\ngrid = [3, 1, 1]\nblock = [32, 1, 1]\nduration = 5\n\
        [[kernel]]\nname = \"B\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\nduration = 5\n";
    let seen = run_text("rr", text);
    let found: Vec<_> = seen.lines.iter().map(|line| (line.cycle, line.kernel.as_str())).collect();
    assert_eq!(found, [(1, "A"), (6, "A"), (11, "A"), (16, "B")]);
}

#[test]
fn repetitions_are_instances_of_one_kernel_and_do_not_overlap() {
    let text = "[gpu]\nsmx = 2\n\
        [[kernel]]\nname = \"A\"\ngrid = [2, 1, 1]\nblock = [32, 1, 1]\nduration = 4\nrepeat = 3\n";
    let seen = run_text("rr", text);
    let instances: Vec<u32> = seen.lines.iter().map(|line| line.instance).collect();
    assert_eq!(instances, [0, 0, 1, 1, 2, 2]);
    for instance in 1..3 {
        let before = seen.kernel("A", instance - 1, "finish");
        assert_eq!(seen.kernel("A", instance, "arrive"), before + 1);
        assert_eq!(seen.kernel("A", instance, "first_dispatch"), before + 2);
    }
}
