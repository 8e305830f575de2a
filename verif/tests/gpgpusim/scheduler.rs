//! `rr-gpgpusim` as a whole, in lockstep: its three rules where numbers of blocks and SMXs meet.

use crate::harness::{Bench, Issue, Work};

const NAME: &str = "rr-gpgpusim";
const COUNTS: [usize; 11] = [1, 3, 13, 14, 15, 16, 30, 32, 33, 65, 132];

fn work(blocks: u32, duration: u64) -> Work {
    Work { arrive: 0, blocks, duration }
}

fn order(issues: &[Issue]) -> Vec<(u64, usize, usize, u32)> {
    issues.iter().map(|i| (i.cycle, i.smx, i.kernel, i.block)).collect()
}

#[test]
fn each_smx_receives_a_block_a_cycle_around_whole_rounds() {
    for smx in COUNTS {
        let n = smx as u32;
        for blocks in [n - 1, n, n + 1, 2 * n - 1, 2 * n, 2 * n + 1] {
            let (issues, finished) = Bench::new(NAME, smx, 8).run(&[work(blocks, 50)], 1_000);
            let expected: Vec<_> = (0..blocks)
                .map(|block| (1 + u64::from(block / n), (block % n) as usize, 0, block))
                .collect();
            assert_eq!(order(&issues), expected, "{blocks} blocks on {smx} SMXs");
            let last = if blocks == 0 { 2 } else { 52 + u64::from((blocks - 1) / n) };
            assert_eq!(finished, [(0, last)]);
        }
    }
}

#[test]
fn the_next_kernel_begins_behind_the_last_smx_one_cycle_after_the_report() {
    for smx in COUNTS {
        let n = smx as u32;
        for first in [1, n, n + 1] {
            let (issues, finished) =
                Bench::new(NAME, smx, 8).run(&[work(first, 9), work(1, 9)], 1_000);
            let last = issues.last().expect("the second kernel's block");
            assert_eq!(last.smx, first as usize % smx, "{first} blocks on {smx} SMXs");
            assert_eq!(last.cycle, finished[0].1 + 1);
        }
    }
}

#[test]
fn empty_grids_before_between_and_behind_kernels_delay_none_but_by_their_turn() {
    let kernels = [work(0, 1), work(1, 9), work(0, 1), work(0, 1), work(1, 9), work(0, 1)];
    let (issues, finished) = Bench::new(NAME, 1, 2).run(&kernels, 1_000);
    // The empty ones are unmarked in 1, 13, 14 and, behind the last kernel, 26.
    assert_eq!(order(&issues), [(2, 0, 1, 0), (15, 0, 4, 0)]);
    assert_eq!(finished, [(0, 2), (1, 12), (2, 14), (3, 15), (4, 25), (5, 27)]);
}

#[test]
fn a_full_table_is_served_one_kernel_after_another() {
    let kernels = [work(4, 7); 40];
    let (issues, finished) = Bench::new(NAME, 4, 2).run(&kernels, 2_000);
    assert_eq!(finished.len(), 40);
    for (kernel, of) in issues.chunks(4).enumerate() {
        let cycle = 1 + 9 * kernel as u64;
        assert!(of.iter().all(|issue| issue.kernel == kernel && issue.cycle == cycle), "{of:?}");
    }
}

#[test]
fn after_a_reset_in_any_cycle_it_begins_anew() {
    let kernels = [work(7, 6), work(0, 1), work(2, 5)];
    let mut bench = Bench::new(NAME, 3, 1);
    let fresh = bench.run(&kernels, 1_000);
    let end = fresh.1.last().expect("all end").1;
    for cycles in 0..=end {
        bench.reset();
        bench.run(&kernels, cycles);
        bench.reset();
        assert_eq!(bench.run(&kernels, 1_000), fresh, "reset after {cycles} cycles");
    }
}
