//! IKRA, section 8: kernels that depend on other kernels than the one before, and on other blocks.

use super::command::worked_example;
use super::{run_file, Seen};

/// The blocks of a kernel that an SMX receives, in order.
fn blocks(seen: &Seen, kernel: &str, smx: usize) -> Vec<u64> {
    let of = seen.lines.iter().filter(|line| line.kernel == kernel && line.smx == smx);
    of.map(|line| line.x).collect()
}

fn first_blocks(seen: &Seen, kernel: &str) -> [u64; 4] {
    [0, 1, 2, 3].map(|smx| blocks(seen, kernel, smx)[0])
}

/// Cycles from the entry of a kernel into the table to its first block.
fn latency(seen: &Seen, kernel: &str) -> u64 {
    seen.kernel(kernel, 0, "first_dispatch") - seen.kernel(kernel, 0, "distributed")
}

#[test]
fn blocks_run_where_those_ran_that_they_depend_on() {
    let seen = run_file("ikra/steal(relations=on)", &worked_example("ikra-relations"), &[]);
    assert_eq!(first_blocks(&seen, "A"), [0, 2, 4, 6]);
    assert_eq!(first_blocks(&seen, "B"), [3, 7, 11, 15], "a new grid; the direction alternates");
    for smx in 0..4 {
        let backward: Vec<u64> = blocks(&seen, "A", smx).into_iter().rev().collect();
        assert_eq!(blocks(&seen, "C", smx), backward, "the same blocks of A on SMX {smx}");
    }
    // B ran 4 s to 4 s + 3 on SMX s.
    assert_eq!(first_blocks(&seen, "D"), [0, 2, 4, 6], "2 i lies in B's chunk");
    assert_eq!(first_blocks(&seen, "E"), [0, 1, 5, 9], "i + 3 lies in B's chunk");
    assert_eq!(["A", "B", "C", "D", "E"].map(|name| latency(&seen, name)), [65, 65, 2, 98, 98]);
}

#[test]
fn without_relations_each_kernel_of_another_grid_gets_new_chunks() {
    let seen = run_file("ikra/steal", &worked_example("ikra-relations"), &[]);
    assert_eq!(["A", "B", "C", "D", "E"].map(|name| latency(&seen, name)), [65; 5]);
    assert_eq!(first_blocks(&seen, "E"), [0, 4, 8, 12]);
}
