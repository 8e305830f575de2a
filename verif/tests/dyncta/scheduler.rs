//! `rr+dyncta` and `rr+dyncta+claso` as a whole, in lockstep: what a limit does to a dispatcher,
//! and which of two gates refuses.

use crate::harness::{Bench, Issue, Work};

const DYNCTA: &str = "rr+dyncta(period=10,idle=3,low=4,high=6)";
const BOTH: &str = "rr+dyncta(period=10,idle=3,low=4,high=6)+claso(pa=1,pl=0)";
const COUNTS: [usize; 11] = [1, 3, 13, 14, 15, 16, 30, 32, 33, 65, 132];
const MORE: Option<(u16, u16)> = Some((3, 5));
const LESS: Option<(u16, u16)> = Some((2, 6));

fn work(blocks: u32, duration: u64) -> Work {
    Work { arrive: 0, blocks, duration }
}

fn times(issues: &[Issue]) -> Vec<(u64, usize)> {
    issues.iter().map(|issue| (issue.cycle, issue.smx)).collect()
}

/// A sample in the last cycle of each period of 10.
fn periods(samples: &[Option<(u16, u16)>]) -> Vec<Option<(u16, u16)>> {
    samples.iter().flat_map(|&sample| [[None; 9].as_slice(), &[sample]].concat()).collect()
}

#[test]
fn half_the_slots_are_filled_then_one_block_goes_for_each_that_ends() {
    for smx in COUNTS {
        let n = smx as u64;
        let (issues, _) = Bench::new(DYNCTA, smx, 4).run(&[work(3 * n as u32, 400)], 1_000);
        let early: Vec<_> = (0..2 * n).map(|block| (1 + block, (block % n) as usize)).collect();
        let late = (0..n).map(|block| (401 + block, block as usize));
        assert_eq!(times(&issues), early.into_iter().chain(late).collect::<Vec<_>>());
    }
}

#[test]
fn samples_move_the_limit_by_one_a_period_up_to_the_slots() {
    // One SMX of four slots: 2, then 3 from cycle 10 on, then 4, and no more.
    let mut bench = Bench::new(DYNCTA, 1, 4);
    bench.samples = periods(&[MORE, MORE, MORE]);
    let (issues, _) = bench.run(&[work(5, 100)], 1_000);
    assert_eq!(times(&issues), [(1, 0), (2, 0), (10, 0), (20, 0), (101, 0)]);
}

#[test]
fn a_lowered_limit_lets_blocks_end_before_it_lets_one_in_and_never_falls_below_1() {
    let mut bench = Bench::new(DYNCTA, 1, 8);
    bench.samples = periods(&[LESS, LESS, LESS, LESS]);
    // Blocks 0 to 3 end in 51 to 54; the limit is 1.
    let (issues, _) = bench.run(&[work(6, 50)], 1_000);
    assert_eq!(times(&issues)[4..], [(54, 0), (104, 0)]);
}

#[test]
fn blocks_of_all_kernels_count_and_empty_grids_need_no_room() {
    let (issues, finished) =
        Bench::new(DYNCTA, 1, 1).run(&[work(1, 50), work(0, 1), work(1, 50)], 1_000);
    assert_eq!(times(&issues), [(1, 0), (51, 0)]);
    assert_eq!(finished, [(1, 3), (0, 52), (2, 102)]);
}

#[test]
fn dyncta_refuses_smxs_that_have_credits() {
    // Two SMXs of four slots: a limit of 2. Six blocks: 3 local credits each, 2 global ones.
    let run = |name| times(&Bench::new(name, 2, 4).run(&[work(6, 10)], 1_000).0)[4..].to_vec();
    assert_eq!(run("rr+claso(pa=1,pl=0)"), [(5, 0), (6, 1)]);
    assert_eq!(run(BOTH), [(11, 0), (12, 1)], "when the first blocks end");
}

#[test]
fn claso_refuses_an_smx_that_is_below_its_limit() {
    // SMX 0 is at its limit of 1 until 101. SMX 1 has two local credits for the second kernel's
    // three blocks: in 21 it is empty and has none left.
    let kernels = [work(1, 100), Work { arrive: 10, ..work(3, 5) }];
    let run = |name| times(&Bench::new(name, 2, 2).run(&kernels, 1_000).0)[1..].to_vec();
    assert_eq!(run(DYNCTA), [(11, 1), (16, 1), (21, 1)]);
    assert_eq!(run(BOTH), [(11, 1), (16, 1), (101, 0)]);
}

#[test]
fn no_credit_is_reserved_for_an_smx_that_dyncta_refuses() {
    // The third kernel's one block needs its one global credit. It is SMX 0's turn, which is at its
    // limit of 1 until 101; SMX 1 is below from 7 on.
    let kernels = [work(1, 100), work(1, 5), work(1, 1)];
    let (issues, _) = Bench::new(BOTH, 2, 2).run(&kernels, 1_000);
    assert_eq!(times(&issues), [(1, 0), (2, 1), (7, 1)]);
}

#[test]
fn limits_of_all_slots_leave_claso_alone() {
    let late = [Work { arrive: 10, ..work(9, 7) }];
    for smx in COUNTS {
        let mut both = Bench::new(BOTH, smx, 2);
        both.samples = periods(&[MORE]);
        let mut alone = Bench::new("rr+claso(pa=1,pl=0)", smx, 2);
        assert_eq!(both.run(&late, 1_000), alone.run(&late, 1_000));
    }
}

#[test]
fn after_a_reset_in_any_cycle_it_begins_anew() {
    for name in [DYNCTA, BOTH] {
        let kernels = [work(9, 6), work(0, 1), work(4, 5)];
        let mut bench = Bench::new(name, 3, 4);
        bench.samples = periods(&[MORE, LESS, LESS, MORE]);
        let fresh = bench.run(&kernels, 1_000);
        let end = fresh.1.last().expect("all end").1;
        assert!(end > 15, "samples come: {end}");
        for cycles in 0..=end {
            bench.reset();
            bench.run(&kernels, cycles);
            bench.reset();
            assert_eq!(bench.run(&kernels, 1_000), fresh, "{name}, reset after {cycles} cycles");
        }
    }
}
