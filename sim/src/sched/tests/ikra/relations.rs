//! `ikra/steal(relations=on)`: rules 14 to 19, over whole runs. The invariants of each run follow the rules, too.

use super::*;
use crate::sched::{build, Composition};
use proptest::prelude::*;

const ON: &str = "ikra/steal(relations=on)";

/// Messages take so long that chunks of up to 60 blocks, one a cycle, are spent before a thief gets one.
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

/// Cycles from the end of each kernel to the first block of the next one: 2 if chunks are kept, 65 if they are
/// assigned, 98 if they are derived.
fn gaps(record: &Record) -> Vec<u64> {
    let of = |kernel: usize| cycles(record, kernel)[0] - record.finished[kernel - 1].1;
    (1..record.finished.len()).map(of).collect()
}

/// The chunks of the second kernel on four SMXs, after one of 24 blocks: the first block of each, and the one
/// behind its last; (0, 0) for an empty one.
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
    // Behind three kernels of one layout the fourth kernel's is free, and is forgotten when this one begins.
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

#[test]
fn rule_16_kernels_up_to_four_back_are_remembered() {
    for steps in 1..=4u8 {
        let first: Vec<_> = (8..13).map(kernel).collect();
        let grid = 13 - u32::from(steps);
        let launches = [first.clone(), vec![back(kernel(grid), steps)]].concat();
        assert_eq!(gaps(&golden(UNSTOLEN, 3, slots(4), &short(&launches)))[4], 2, "{steps} back");
        let launches = [first, vec![back(kernel(8), steps)]].concat();
        assert_eq!(gaps(&golden(UNSTOLEN, 3, slots(4), &short(&launches)))[4], 65, "not five");
    }
    // Not that many before.
    for steps in 1..=4u8 {
        for before in 0..4 {
            let relation = related(kernel(9), steps, 1, 3);
            let launches = [vec![kernel(9); before], vec![relation]].concat();
            let record = golden(UNSTOLEN, 3, slots(4), &short(&launches));
            let known = before >= usize::from(steps);
            let gap = cycles(&record, before)[0]
                - record.finished.get(before.wrapping_sub(1)).map_or(0, |f| f.1);
            assert_eq!(gap, if known { 98 } else { 65 }, "{steps} back of {before}");
        }
    }
}

#[test]
fn rule_16_kernels_without_blocks_are_not_counted() {
    let empty = grid(Dim3::new(0, 3, 1));
    let launches = [kernel(9), empty, kernel(7), empty, empty, back(kernel(9), 2), back(empty, 3)];
    let work = short(&[&launches[..], &[related(kernel(9), 1, 1, 2)]].concat());
    let record = golden(UNSTOLEN, 3, slots(4), &work);
    let finished = |kernel: usize| record.finished[kernel].1;
    assert_eq!(cycles(&record, 5)[0] - finished(4), 2, "kept from the first kernel");
    assert_eq!(order(&record, 5, 0), [2, 1, 0]);
    assert_eq!(cycles(&record, 7)[0] - finished(6), 98);
    assert_eq!(order(&record, 7, 0), [0], "derived from the sixth: first ids 0, 1, 4");
    assert_eq!(order(&record, 7, 1), [1, 2, 3]);
}

#[test]
fn rule_19_the_direction_is_the_other_one_than_that_of_the_last_kernel_that_used_the_source() {
    // What SMX 0 of two runs first tells the direction.
    let launches = [
        (kernel(8), 0, "the first one, forward"),
        (kernel(6), 2, "assigned after a forward one, backward"),
        (back(kernel(8), 2), 3, "kept from a forward one"),
        (back(kernel(8), 3), 0, "the same layout, which ran backward last"),
        (back(kernel(6), 3), 0, "kept from a backward one"),
        (related(kernel(6), 1, 1, -1), 3, "derived from a forward one"),
        (related(kernel(6), 3, 1, -1), 4, "derived from one that ran forward"),
        (back(kernel(5), 2), 0, "another grid than that of a backward one"),
    ];
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches.map(|l| l.0)));
    for (kernel, (_, first, what)) in launches.into_iter().enumerate() {
        assert_eq!(order(&record, kernel, 0)[0], first, "{what}");
    }
    assert_eq!(gaps(&record), [65, 2, 2, 2, 98, 98, 65]);
    // Without a source: forward, whatever ran before.
    let launches = [kernel(8), kernel(8), kernel(8), back(kernel(8), 4)];
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches));
    assert_eq!((gaps(&record)[2], order(&record, 3, 0)[0]), (65, 0));
    let launches = [kernel(8), related(kernel(8), 2, 1, 1)];
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches));
    assert_eq!((gaps(&record)[0], order(&record, 1, 0)[0]), (65, 0));
}

/// On two SMXs of one slot, SMX 0 runs its four blocks in no time, and steals 7 and 6 before SMX 1 takes 5.
const STEALS_TWO: [u64; 8] = [1, 1, 1, 1, 150, 1000, 100, 100];

/// With 7 and 6 on SMX 0 both SMXs end in the same cycle.
const BALANCED: [u64; 8] = [20, 20, 20, 20, 60, 60, 20, 20];

/// What SMX 0 owns of eight blocks by its queue and its chunk, in each of the four ways of running it.
fn stolen(first: [u64; 2], forward: bool) -> Vec<u64> {
    let chunk = if forward { vec![0, 1, 2, 3] } else { vec![3, 2, 1, 0] };
    if forward {
        [chunk, first.to_vec()].concat()
    } else {
        [first.to_vec(), chunk].concat()
    }
}

#[test]
fn rule_15_a_layout_keeps_its_queues_and_its_order_while_others_run() {
    let eight = |back: u8| self::back(kernel(8), back);
    let (two, one) = (Work::new(0, kernel(8), &STEALS_TWO), Work::new(0, kernel(6), &[20]));
    let again = |back| Work::new(0, eight(back), &BALANCED);
    let six = |back| Work::new(0, self::back(kernel(6), back), &[20]);
    let work = [two, one, again(2), six(2), again(2), again(3), six(3), again(3)];
    let record = golden(ON, 2, slots(1), &work);
    assert_eq!(gaps(&record), [65, 2, 2, 2, 2, 2, 2]);
    let (forward, backward) = (stolen([7, 6], true), stolen([6, 7], false));
    assert_eq!(order(&record, 0, 0), forward);
    assert_eq!(order(&record, 2, 0), backward, "the queue first");
    assert_eq!(order(&record, 4, 0), forward, "used twice: the chunk first");
    assert_eq!(order(&record, 5, 0), backward, "named by the third kernel, and used since");
    assert_eq!(order(&record, 7, 0), forward);
    assert_eq!(order(&record, 1, 0), [2, 1, 0]);
    assert_eq!(order(&record, 3, 0), [0, 1, 2], "nothing was stolen in this one");
    assert_eq!(order(&record, 6, 0), [2, 1, 0]);
}

#[test]
fn rule_18_thefts_do_not_change_the_first_ids() {
    let work = [
        Work::new(0, kernel(8), &STEALS_TWO),
        Work::new(0, kernel(8), &BALANCED),
        Work::new(0, related(kernel(8), 1, 1, 1), &[1000]),
    ];
    let record = golden(ON, 2, slots(1), &work);
    assert_eq!(order(&record, 0, 0), stolen([7, 6], true), "stolen");
    assert_eq!(gaps(&record), [2, 98]);
    assert_eq!(
        [order(&record, 2, 0)[0], order(&record, 2, 1)[0]],
        [0, 3],
        "first ids 0 and 4 give 0 and 3"
    );
}

#[test]
fn rule_17_a_source_whose_queue_was_full_needs_an_assignment_and_others_do_not() {
    let on = "ikra/steal(queue=2,relations=on)";
    let flagged = || Work::new(0, kernel(8), &STEALS_TWO);
    let next = |launch| Work::new(0, launch, &[20]);
    // Kept would be 2, derived 98.
    for launch in [kernel(8), related(kernel(8), 1, 1, 1), related(kernel(7), 1, 2, 0)] {
        let record = golden(on, 2, slots(1), &[flagged(), next(launch)]);
        assert_eq!(gaps(&record), [65]);
        let half = u64::from(launch.blocks).div_ceil(2);
        let kept = record.issues.iter().filter(|i| i.kernel == 1 && i.smx == 0);
        assert!(kept.map(|i| i.block).filter(|&block| block < half).count() as u64 == half);
    }
    // The flag stays with the layout: two later kernels do not name it, then one does.
    let work = [
        flagged(),
        next(kernel(6)),
        next(kernel(6)),
        next(related(kernel(6), 1, 1, 1)),
        next(related(kernel(6), 4, 1, 1)),
        next(related(kernel(6), 4, 1, 1)),
    ];
    assert_eq!(gaps(&golden(on, 2, slots(1), &work)), [65, 2, 98, 65, 98]);
    // A full queue in a kernel that uses the layout of an older one is about that layout.
    let work = [
        next(kernel(8)),
        next(kernel(6)),
        Work::new(0, back(kernel(8), 2), &STEALS_TWO),
        next(back(kernel(6), 2)),
        next(back(kernel(8), 4)),
    ];
    let record = golden(on, 2, slots(1), &work);
    assert_eq!(record.share(2, 0), 6, "4 and 5 are stolen: backward");
    assert_eq!(gaps(&record), [65, 2, 2, 65]);
}

#[test]
fn without_the_key_relations_are_not_followed() {
    let launches =
        [kernel(24), related(kernel(24), 1, 1, 4), kernel(20), back(kernel(24), 2), kernel(24)];
    let plain = launches.map(|launch| related(launch, 1, 1, 0));
    for name in ["ikra/chunk", "ikra/reset", "ikra/flip", "ikra/steal", "rr", "rr-gpgpusim"] {
        let with = golden(name, 4, slots(2), &short(&launches));
        assert_eq!(with, golden(name, 4, slots(2), &short(&plain)), "{name}");
    }
}

#[test]
fn a_relation_is_that_of_its_kernel_wherever_it_waits_in_the_ring() {
    // Forty kernels at once: entries are used again while others wait.
    let launch = |k: u32| match k % 4 {
        0 => kernel(8),
        1 => related(kernel(8), 1, 1, 1),
        2 => back(kernel(8), 2),
        _ => related(kernel(9), 2, 1, -1),
    };
    let launches: Vec<_> = (0..40).map(launch).collect();
    let record = golden(UNSTOLEN, 2, slots(4), &short(&launches));
    for kernel in 1..40 {
        // Behind 9 blocks 8 are assigned, then derived, kept from before that, and 9 are derived.
        let expected = [65, 98, 2, 98][kernel % 4];
        assert_eq!(gaps(&record)[kernel - 1], expected, "kernel {kernel}");
    }
}

#[test]
fn after_reset_nothing_of_kernels_before_is_known() {
    let composition: Composition = "ikra/steal(queue=2,latency=3,relations=on)".parse().unwrap();
    let launches = [
        kernel(20),
        related(kernel(20), 1, 1, 3),
        back(kernel(20), 2),
        related(kernel(11), 2, 2, -1),
        kernel(11),
    ];
    let work: Vec<_> = launches.iter().map(|&l| Work::new(0, l, &[13, 1, 9])).collect();
    let mut scheduler = build(&composition, 3, slots(2));
    let setup = |last| Setup { last, rules: (&composition).into(), ..Setup::default() };
    let fresh = run_with(scheduler.as_mut(), slots(2), &work, &setup(10_000));
    assert_eq!(fresh.finished.len(), 5);
    let launch = Some(launches[1]);
    let reset = Inputs { reset: true, launch, ..Inputs::idle(3) };
    let mut outputs = Outputs::default();
    // While chunks are assigned, in the first kernel, while bounds and then starts are derived, and later.
    for last in [1, 30, 70, 90, 120, 140, 150, 160, 200, 250, 300, 350, 400, 450] {
        scheduler.cycle(&reset, &mut outputs);
        run_with(scheduler.as_mut(), slots(2), &work, &setup(last));
        scheduler.cycle(&reset, &mut outputs);
        assert_eq!(scheduler.cycle(&reset, &mut outputs), Activity::Quiet, "nothing to reset");
        let again = run_with(scheduler.as_mut(), slots(2), &work, &setup(10_000));
        assert_eq!(again, fresh, "after {last} cycles");
    }
}

/// Two schedulers that must say the same in every cycle.
struct Both(Box<dyn Scheduler>, Box<dyn Scheduler>);

impl Scheduler for Both {
    fn smx(&self) -> usize {
        self.0.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let mut others = Outputs::idle(self.smx());
        let activities = (self.0.cycle(inputs, outputs), self.1.cycle(inputs, &mut others));
        assert_eq!((&*outputs, self.0.explain()), (&others, self.1.explain()));
        assert_eq!(activities.0, activities.1);
        activities.0
    }
}

fn without_relations() -> impl Strategy<Value = Vec<Work>> {
    let kernels = prop::collection::vec((0usize..2, 0u64..300, 0usize..9), 1..9);
    let durations = prop::collection::vec(1u64..40, 1..24);
    let grids = prop::array::uniform2((0u32..7, 1u32..5, 1u32..3));
    (kernels, durations, grids).prop_map(|(mut kernels, durations, grids)| {
        kernels.sort_by_key(|kernel| kernel.1);
        let of = |(which, arrive, turn): (usize, u64, usize)| {
            let (x, y, z) = grids[which];
            let mut durations = durations.clone();
            let middle = turn % durations.len();
            durations.rotate_left(middle);
            Work::new(arrive, grid(Dim3::new(x, y, z)), &durations)
        };
        kernels.into_iter().map(of).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn without_relations_every_cycle_is_as_with_relations_off(
        work in without_relations(), smx in 1usize..=6, slot in 1u32..=3,
        queue in prop::sample::select(vec![2, 4, 32]), latency in 0u8..5, stop in any::<bool>(),
    ) {
        let full = if stop { "stop" } else { "reinitialise" };
        let keys = format!("queue={queue},latency={latency},full={full}");
        let on: Composition = format!("ikra/steal({keys},relations=on)").parse().unwrap();
        let off: Composition = format!("ikra/steal({keys})").parse().unwrap();
        let build = |name| build(name, smx, slots(slot));
        let mut both = Both(build(&on), build(&off));
        let setup = Setup { last: 100_000, rules: (&off).into(), ..Setup::default() };
        let record = run_with(&mut both, slots(slot), &work, &setup);
        prop_assert_eq!(record.finished.len(), work.len());
    }

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
