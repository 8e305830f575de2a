//! `ikra/steal(relations=on)`: rules 14 to 19, over whole runs. The invariants of each run follow
//! the rules, too.

mod history;
mod off;
mod thefts;

use super::*;
use crate::{build, Composition};
use proptest::prelude::*;

const ON: &str = "ikra/steal(relations=on)";

/// Messages take so long that chunks of up to 60 blocks, one a cycle, are spent before a thief gets
/// one.
const UNSTOLEN: &str = "ikra/steal(latency=31,relations=on)";

fn related(launch: KernelLaunch, back: u8, ratio: u16, offset: i32) -> KernelLaunch {
    KernelLaunch { relation: Relation { back, ratio, offset }, ..launch }
}

/// A kernel whose blocks depend on those of the same id so many kernels before.
fn back(launch: KernelLaunch, back: u8) -> KernelLaunch {
    related(launch, back, 1, 0)
}

/// Kernels one after the other whose blocks run a cycle.
fn short(launches: &[KernelLaunch]) -> Vec<Work> {
    launches.iter().map(|&launch| Work::new(0, launch, &[1])).collect()
}

/// Cycles from the end of each kernel to the first block of the next one: 2 if chunks are kept, 65
/// if they are assigned, 98 if they are derived.
fn gaps(record: &Record) -> Vec<u64> {
    let of = |kernel: usize| cycles(record, kernel)[0] - record.finished[kernel - 1].1;
    (1..record.finished.len()).map(of).collect()
}

/// The chunks of the second kernel on four SMXs, after one of 24 blocks: the first block of each,
/// and the one behind its last; (0, 0) for an empty one.
fn derived(launch: KernelLaunch) -> Vec<(u64, u64)> {
    let record = golden(UNSTOLEN, 4, slots(4), &short(&[kernel(24), launch]));
    assert_eq!(gaps(&record), [98]);
    let ends = |mut chunk: Vec<u64>| {
        chunk.reverse();
        assert!(chunk.windows(2).all(|pair| pair[0] + 1 == pair[1]), "backward: {chunk:?}");
        chunk.first().map_or((0, 0), |&first| (first, first + chunk.len() as u64))
    };
    orders(&record, 1, 4).into_iter().map(ends).collect()
}

#[test]
fn rule_17_a_first_block_goes_2_65_or_98_cycles_after_a_launch() {
    let launches = [
        kernel(24),
        kernel(24),
        related(kernel(24), 1, 1, 4),
        kernel(20),
        back(kernel(24), 4),
        related(kernel(20), 2, 2, 0),
        related(kernel(24), 1, 1, -4),
    ];
    for name in [ON, UNSTOLEN] {
        for smx in [1, 4] {
            let work: Vec<_> =
                (0..).zip(launches).map(|(k, l)| Work::new(1000 * k, l, &[1])).collect();
            let record = golden(name, smx, slots(4), &work);
            let after = |k: usize| cycles(&record, k)[0] - 1000 * k as u64;
            let first: Vec<_> = (0..launches.len()).map(after).collect();
            assert_eq!(first, [65, 2, 98, 65, 2, 98, 98], "{name}, {smx} SMXs");
        }
    }
}

#[test]
fn a_kernel_that_waits_begins_3_66_or_99_cycles_after_the_last_block() {
    let launches = [kernel(4), kernel(4), kernel(5), related(kernel(5), 1, 1, 1)];
    let work: Vec<_> = launches.iter().map(|&l| Work::new(0, l, &[50])).collect();
    let record = golden(UNSTOLEN, 4, slots(2), &work);
    for (kernel, gap) in [(1, 3), (2, 66), (3, 99)] {
        let last = cycles(&record, kernel - 1).last().unwrap() + 50;
        assert_eq!(cycles(&record, kernel)[0], last + gap, "kernel {kernel}");
    }
}

#[test]
fn rule_18_chunks_move_by_the_offset_as_in_the_example_of_section_8() {
    let of = |offset| derived(related(kernel(24), 1, 1, offset));
    // Chunks of the source begin at 0, 6, 12 and 18; block i depends on block i + 4.
    assert_eq!(of(4), [(0, 2), (2, 8), (8, 14), (14, 24)]);
    assert_eq!(of(-4), [(0, 10), (10, 16), (16, 22), (22, 24)]);
    assert_eq!(of(1), [(0, 5), (5, 11), (11, 17), (17, 24)]);
    assert_eq!(of(-1), [(0, 7), (7, 13), (13, 19), (19, 24)]);
    assert_eq!(of(6), [(0, 0), (0, 6), (6, 12), (12, 24)]);
    assert_eq!(of(-6), [(0, 12), (12, 18), (18, 24), (0, 0)]);
}

#[test]
fn rule_18_an_offset_beyond_the_grid_leaves_all_to_the_last_or_the_first_smx() {
    let of = |offset| derived(related(kernel(24), 1, 1, offset));
    assert_eq!(of(17), [(0, 0), (0, 0), (0, 1), (1, 24)], "block 0 depends on 17");
    assert_eq!(of(-17), [(0, 23), (23, 24), (0, 0), (0, 0)], "block 23 depends on 6");
    for offset in [18, 23, 24, 1000, i32::MAX] {
        assert_eq!(of(offset), [(0, 0), (0, 0), (0, 0), (0, 24)], "{offset}");
        assert_eq!(of(-offset), [(0, 24), (0, 0), (0, 0), (0, 0)], "-{offset}");
    }
}

#[test]
fn rule_18_a_ratio_spreads_the_chunks_of_the_source() {
    let of = |blocks, ratio, offset| derived(related(kernel(blocks), 1, ratio, offset));
    assert_eq!(of(12, 2, 0), [(0, 3), (3, 6), (6, 9), (9, 12)]);
    assert_eq!(of(12, 2, 1), [(0, 3), (3, 6), (6, 9), (9, 12)], "rounded up: 2.5, 5.5, 8.5");
    assert_eq!(of(12, 2, -1), [(0, 4), (4, 7), (7, 10), (10, 12)]);
    assert_eq!(of(24, 5, 0), [(0, 2), (2, 3), (3, 4), (4, 24)]);
    assert_eq!(of(24, 5, -100), [(0, 22), (22, 23), (23, 24), (0, 0)]);
    for ratio in [18, 24, 25, 65_535] {
        assert_eq!(of(24, ratio, 0), [(0, 1), (0, 0), (0, 0), (1, 24)], "{ratio} to one");
    }
    assert_eq!(of(24, 65_535, -i32::MAX), [(0, 24), (0, 0), (0, 0), (0, 0)]);
}

#[test]
fn rule_18_the_kernel_may_have_more_or_fewer_blocks_than_its_source_and_another_extent() {
    let of = |blocks, ratio, offset| derived(related(kernel(blocks), 1, ratio, offset));
    assert_eq!(of(48, 1, 1), [(0, 5), (5, 11), (11, 17), (17, 48)]);
    assert_eq!(of(7, 1, 1), [(0, 5), (5, 7), (0, 0), (0, 0)]);
    assert_eq!(of(1, 1, -1), [(0, 1), (0, 0), (0, 0), (0, 0)]);
    assert_eq!(of(1, 1, 6), [(0, 0), (0, 1), (0, 0), (0, 0)], "it depends on block 6");
    assert_eq!(of(1, 1, 5), [(0, 1), (0, 0), (0, 0), (0, 0)], "it depends on block 5");
    assert_eq!(of(1, 9, 24), [(0, 0), (0, 0), (0, 0), (0, 1)], "it depends on nothing");
    let cube = derived(related(grid(Dim3::new(3, 2, 4)), 1, 1, 4));
    assert_eq!(cube, [(0, 2), (2, 8), (8, 14), (14, 24)], "linear ids");
}

#[test]
fn derived_chunks_are_derived_from_again() {
    let step = related(kernel(24), 1, 1, 4);
    let record = golden(UNSTOLEN, 4, slots(4), &short(&[kernel(24), step, step, kernel(24)]));
    assert_eq!(gaps(&record), [98, 98, 2]);
    // First ids 0, 6, 12, 18, then 0, 2, 8, 14, then 0, 0, 4, 10; forward again.
    let sizes: Vec<_> = orders(&record, 2, 4).iter().map(Vec::len).collect();
    assert_eq!(sizes, [0, 4, 6, 14]);
    assert_eq!(order(&record, 2, 1), [0, 1, 2, 3]);
    assert_eq!(order(&record, 3, 1), [3, 2, 1, 0], "kept: plain, and the grid is the source's");
    assert_eq!(owners(&record, 3), owners(&record, 2));
}

#[test]
fn rule_17_chunks_may_be_derived_in_the_place_of_their_source() {
    // Behind three kernels of one layout the fourth kernel's is free, and is forgotten when this
    // one begins.
    let launches = [
        kernel(8),
        kernel(6),
        kernel(6),
        kernel(6),
        related(kernel(8), 4, 1, 1),
        kernel(8),
        back(kernel(6), 3),
        related(kernel(8), 2, 1, 1),
    ];
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches));
    assert_eq!(gaps(&record), [65, 2, 2, 98, 2, 2, 98]);
    assert_eq!(orders(&record, 4, 2), [vec![2, 1, 0], vec![7, 6, 5, 4, 3]], "from 0 and 4");
    assert_eq!(orders(&record, 5, 2), [vec![0, 1, 2], vec![3, 4, 5, 6, 7]]);
    assert_eq!(orders(&record, 6, 2), [[0, 1, 2], [3, 4, 5]], "the other layout is as it was");
    assert_eq!(orders(&record, 7, 2), [vec![1, 0], vec![7, 6, 5, 4, 3, 2]], "from 0 and 3");
}

#[test]
fn rule_17_a_plain_relation_of_another_grid_assigns_chunks() {
    let launches = [kernel(24), grid(Dim3::new(4, 6, 1)), back(grid(Dim3::new(24, 1, 1)), 2)];
    let record = golden(UNSTOLEN, 4, slots(4), &short(&launches));
    assert_eq!(gaps(&record), [65, 2], "the same number of blocks is not the same grid");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn derived_chunks_tile_the_grid_and_a_block_is_where_its_producer_was_assigned(
        smx in 1usize..=9, before in 1u32..60, blocks in 1u32..60,
        ratio in prop_oneof![1u16..5, 1u16..=65_535],
        offset in prop_oneof![-70i32..70, any::<i32>().prop_filter("31 bits", |&o| o != i32::MIN)],
        again in any::<bool>(),
    ) {
        prop_assume!((ratio, offset) != (1, 0));
        let launch = related(kernel(blocks), 1, ratio, offset);
        // From chunks that were assigned, or derived themselves.
        let mut launches = vec![kernel(before)];
        if again {
            launches.push(related(kernel(before), 1, 1, 5));
        }
        launches.push(launch);
        let record = golden(UNSTOLEN, smx, slots(4), &short(&launches));
        let (source, last) = (launches.len() - 2, launches.len() - 1);
        prop_assert_eq!(gaps(&record)[source], 98);
        let mut shares = orders(&record, last, smx);
        for share in &mut shares {
            share.sort_unstable();
        }
        prop_assert!(shares.concat().into_iter().eq(0..u64::from(blocks)), "in order of SMX");
        let (producers, owners) = (owners(&record, source), owners(&record, last));
        for (block, owner) in owners {
            let producer = i64::from(ratio) * block as i64 + i64::from(offset);
            let expected = match producer {
                ..0 => 0,
                producer if producer >= i64::from(before) => smx - 1,
                producer => producers[&(producer as u64)],
            };
            prop_assert_eq!(owner, expected, "block {} depends on {}", block, producer);
        }
    }
}
