//! The table of `docs/partitions.md`.

use super::run_text;

fn text(gpu: &str) -> String {
    format!(
        "[gpu]\nsmx = 4\nthread_block_slots = 1\n{gpu}\n\
         [[kernel]]\nname = \"A\"\ngrid = [4, 1, 1]\nblock = [32, 1, 1]\nduration = 100\n\
         [[kernel]]\nname = \"B\"\narrive = 1\npartition = 1\ngrid = [4, 1, 1]\nblock = [32, 1, 1]\nduration = 100\n"
    )
}

/// Cycle, SMX, kernel and block.
fn blocks(scheduler: &str, gpu: &str) -> Vec<(u64, usize, String)> {
    let seen = run_text(scheduler, &text(gpu));
    let line = |line: &super::Line| (line.cycle, line.smx, format!("{}{}", line.kernel, line.x));
    seen.lines.iter().map(line).collect()
}

fn expected(table: &[(u64, usize, &str)]) -> Vec<(u64, usize, String)> {
    table.iter().map(|&(cycle, smx, block)| (cycle, smx, block.to_owned())).collect()
}

#[test]
fn two_partitions_take_turns_and_each_kernel_has_its_own_smxs() {
    let table = [
        (1, 0, "A0"),
        (2, 2, "B0"),
        (3, 1, "A1"),
        (4, 3, "B1"),
        (101, 0, "A2"),
        (102, 2, "B2"),
        (103, 1, "A3"),
        (104, 3, "B3"),
    ];
    assert_eq!(blocks("partitions", "smx_partitions = [\"0-1\", \"2-3\"]"), expected(&table));
}

#[test]
fn under_rr_the_first_kernel_has_all_smxs_and_so_it_has_where_they_are_one_partition() {
    let table = [
        (1, 0, "A0"),
        (2, 1, "A1"),
        (3, 2, "A2"),
        (4, 3, "A3"),
        (101, 0, "B0"),
        (102, 1, "B1"),
        (103, 2, "B2"),
        (104, 3, "B3"),
    ];
    assert_eq!(blocks("rr", "smx_partitions = [\"0-1\", \"2-3\"]"), expected(&table));
    assert_eq!(blocks("partitions", ""), expected(&table));
}
