//! `rr-gpgpusim` over whole runs: the rules of `docs/gpgpusim.md`.

use super::super::build;
use super::harness::*;
use crate::port::*;
use proptest::prelude::*;

const NAME: &str = "rr-gpgpusim";

/// Cycle, SMX, kernel and block of each dispatch. The blocks of one cycle are in the order of SMXs.
fn issues(record: &Record) -> Vec<(u64, usize, usize, u64)> {
    record.issues.iter().map(|i| (i.cycle, i.smx, i.kernel, i.block)).collect()
}

/// As [`issues`], of a run of one kernel from some block on, in the order of blocks.
fn late(record: &Record, from: u64) -> Vec<(u64, usize)> {
    let mut issues = record.issues.clone();
    issues.sort_by_key(|issue| issue.block);
    issues[from as usize..].iter().map(|issue| (issue.cycle, issue.smx)).collect()
}

// Rule 1: one kernel after another.

#[test]
fn a_kernel_dispatches_in_the_cycle_after_the_one_before_was_reported_as_finished() {
    let work = [Work::new(0, kernel(2), &[10, 4]), Work::new(0, kernel(1), &[1])];
    let record = golden(NAME, 2, slots(16), &work);
    assert_eq!(issues(&record), [(1, 0, 0, 0), (1, 1, 0, 1), (13, 0, 1, 0)]);
    assert_eq!(record.finished, [(0, 12), (1, 15)], "block 0 ends in cycle 11, then in 14");
}

#[test]
fn a_kernel_that_arrives_when_another_is_reported_as_finished_waits_for_nobody() {
    // Reported in cycle 12; a kernel dispatches one cycle after it was accepted at the earliest.
    for (arrive, first) in [(10, 13), (11, 13), (12, 13), (13, 14)] {
        let work = [Work::new(0, kernel(1), &[10]), Work::new(arrive, kernel(1), &[1])];
        let record = golden(NAME, 2, slots(1), &work);
        assert_eq!(record.issues[1].cycle, first, "offered in cycle {arrive}");
    }
}

#[test]
fn an_empty_grid_at_the_head_makes_the_next_kernel_wait_for_its_turn_as_head_only() {
    for (x, y, z) in [(0, 1, 1), (1, 0, 1), (5, 5, 0)] {
        let work = [Work::new(0, grid(Dim3::new(x, y, z)), &[1]), Work::new(0, kernel(1), &[4])];
        let record = golden(NAME, 2, slots(1), &work);
        assert_eq!(record.finished, [(0, 2), (1, 7)]);
        assert_eq!(issues(&record), [(2, 0, 1, 0)]);
    }
}

#[test]
fn an_empty_grid_behind_a_running_kernel_is_unmarked_after_that_was_reported() {
    let work = [kernel(1), kernel(0), kernel(1)].map(|launch| Work::new(0, launch, &[9]));
    let record = golden(NAME, 3, slots(1), &work);
    // Reported in 11, unmarked in 12, reported in 13, in which the kernel behind it dispatches.
    assert_eq!(record.finished, [(0, 11), (1, 13), (2, 23)]);
    assert_eq!(issues(&record), [(1, 0, 0, 0), (13, 1, 2, 0)]);
}

#[test]
fn the_end_of_an_empty_grid_is_not_mistaken_for_that_of_a_kernel_exhausted_in_the_same_cycle() {
    let work = [kernel(0), kernel(1), kernel(1)].map(|launch| Work::new(0, launch, &[9]));
    let record = golden(NAME, 1, slots(4), &work);
    assert_eq!(record.finished, [(0, 2), (1, 12), (2, 23)]);
    assert_eq!(issues(&record), [(2, 0, 1, 0), (13, 0, 2, 0)], "not in cycle 3");
}

#[test]
fn empty_grids_in_a_row_take_a_cycle_each() {
    let work: Vec<_> = [0, 0, 0, 1].into_iter().map(|n| Work::new(0, kernel(n), &[1])).collect();
    let record = golden(NAME, 15, slots(1), &work);
    assert_eq!(record.finished, [(0, 2), (1, 3), (2, 4), (3, 6)]);
    assert_eq!(issues(&record), [(4, 0, 3, 0)]);
}

// Rule 2: up to one block an SMX and cycle.

#[test]
fn every_smx_with_room_receives_the_next_block_in_the_order_of_visit() {
    let work = [Work::new(0, kernel(10), &[100]), Work::new(0, kernel(3), &[1])];
    let record = golden(NAME, 4, slots(3), &work);
    let expected = (0..10).map(|block| (1 + block / 4, block as usize % 4, 0, block));
    let first: Vec<_> = expected.collect();
    assert_eq!(issues(&record)[..10], first);
    // Blocks 8 and 9 end in 103: the next kernel begins behind SMX 1, in 105, and wraps.
    assert_eq!(issues(&record)[10..], [(105, 0, 1, 2), (105, 2, 1, 0), (105, 3, 1, 1)]);
}

#[test]
fn an_smx_without_room_is_passed_over_and_a_slot_is_filled_in_the_cycle_in_which_it_is_freed() {
    // SMX 1 becomes free in 6, which leaves the pointer at 2; 0, 1 and 3 become free in 21.
    let durations = [20, 5, 50, 20, 15, 1];
    let record = golden(NAME, 4, slots(1), &[Work::new(0, kernel(8), &durations)]);
    assert_eq!(late(&record, 4), [(6, 1), (21, 3), (21, 0), (21, 1)]);
}

#[test]
fn no_more_blocks_go_in_a_cycle_than_the_kernel_has_left_and_the_pointer_stays_behind_them() {
    for smx in [2usize, 3, 13, 14, 15, 16, 30, 32] {
        let blocks = smx as u32 - 1;
        let work = [Work::new(0, kernel(blocks), &[5]), Work::new(0, kernel(2), &[5])];
        let record = golden(NAME, smx, slots(8), &work);
        assert!(record.issues[..smx - 1].iter().all(|issue| issue.cycle == 1));
        assert!((0..smx).all(|s| record.share(0, s) == u64::from(s + 1 < smx)), "{smx} SMXs");
        // Reported in 7; blocks 0 and 1 go to the last SMX and the first one.
        assert_eq!(issues(&record)[smx - 1..], [(8, 0, 1, 1), (8, smx - 1, 1, 0)]);
    }
}

#[test]
fn one_smx_receives_one_block_a_cycle() {
    let record = golden(NAME, 1, slots(2), &[Work::new(0, kernel(5), &[10, 4, 4, 1, 1])]);
    assert_eq!(late(&record, 0), [(1, 0), (2, 0), (6, 0), (10, 0), (11, 0)]);
}

#[test]
fn fifteen_smxs_receive_fifteen_blocks_a_cycle() {
    let record = golden(NAME, 15, slots(8), &[Work::new(0, kernel(31), &[100])]);
    let expected: Vec<_> = (0..31).map(|block| (1 + block / 15, block as usize % 15)).collect();
    assert_eq!(late(&record, 0), expected);
}

#[test]
fn room_is_what_the_resources_leave_not_one_byte_less() {
    let half = LIMITS.shared_memory / 2;
    for (shared_memory, cycles) in [(half, [1, 1, 2, 2]), (half + 1, [1, 1, 51, 51])] {
        let mut launch = kernel(4);
        launch.needs.shared_memory = shared_memory;
        let record = golden(NAME, 2, LIMITS, &[Work::new(0, launch, &[50])]);
        let found: Vec<_> = record.issues.iter().map(|issue| issue.cycle).collect();
        assert_eq!(found, cycles, "{shared_memory} bytes a block");
    }
}

#[test]
fn blocks_go_x_fastest_through_all_dimensions() {
    let mut record = golden(NAME, 5, slots(2), &[Work::new(0, grid(Dim3::new(3, 2, 4)), &[3])]);
    record.issues.sort_by_key(|issue| issue.block);
    assert_eq!(record.issues.len(), 24);
    assert!(record.issues.windows(2).all(|pair| pair[0].cycle <= pair[1].cycle));
}

// Rule 3: the cap.

#[test]
fn an_smx_holds_no_more_than_an_even_share_rounded_up() {
    for smx in [1u32, 3, 13, 14, 15, 16, 30, 32] {
        for blocks in [smx - 1, smx, smx + 1, 2 * smx, 2 * smx + 1] {
            // With so many slots and such long blocks only the cap could end the dispatch.
            let work = [Work::new(0, kernel(blocks), &[1000])];
            let record = golden(NAME, smx as usize, slots(32), &work);
            let cap = u64::from(blocks.div_ceil(smx));
            let shares: Vec<_> = (0..smx as usize).map(|s| record.share(0, s)).collect();
            assert!(shares.iter().all(|&share| share <= cap), "{blocks} on {smx}: {shares:?}");
            assert!(record.issues.iter().all(|issue| issue.cycle <= cap));
        }
    }
}

// The kernel table, the contract.

#[test]
fn the_thirty_third_kernel_waits_until_the_first_one_is_released_and_comes_last() {
    let work: Vec<_> =
        (0..33).map(|k| Work::new(0, kernel(1), &[if k == 0 { 1000 } else { 1 }])).collect();
    let record = golden(NAME, 4, slots(2), &work);
    assert_eq!(record.accepted[..32], (0..32).collect::<Vec<_>>());
    assert_eq!((record.finished[0], record.accepted[32]), ((0, 1002), 1003));
    let order: Vec<_> = record.issues.iter().map(|issue| issue.kernel).collect();
    assert_eq!(order, (0..33).collect::<Vec<_>>());
    // A block of one cycle, its report, the report of its kernel: three cycles a kernel.
    assert_eq!(record.issues[32].cycle, 1003 + 31 * 3);
}

#[test]
fn after_a_reset_in_any_cycle_it_behaves_as_a_new_one() {
    let work = [
        Work::new(0, kernel(8), &[23, 15, 8]),
        Work::new(3, kernel(0), &[1]),
        Work::new(4, kernel(2), &[4, 9]),
    ];
    let mut scheduler = build(&NAME.parse().unwrap(), 3, slots(2));
    let fresh = run(scheduler.as_mut(), slots(2), &work, 10_000, false);
    let last = fresh.finished[2].1;
    assert!(last > 30, "first blocks, refills, an empty grid and a second kernel: {last}");
    for cycles in 0..=last {
        let reset = Inputs { reset: true, launch: Some(kernel(3)), ..Inputs::idle(3) };
        let mut outputs = Outputs::default();
        scheduler.cycle(&reset, &mut outputs);
        run(scheduler.as_mut(), slots(2), &work, cycles, false);
        let activity = scheduler.cycle(&reset, &mut outputs);
        assert!(activity == Activity::Busy || [0, last].contains(&cycles), "{cycles} cycles");
        assert_eq!(scheduler.cycle(&reset, &mut outputs), Activity::Quiet, "nothing to reset");
        let again = run(scheduler.as_mut(), slots(2), &work, 10_000, false);
        assert_eq!(again, fresh, "reset after {cycles} cycles");
    }
}

#[test]
fn a_cycle_in_which_nothing_is_stored_is_quiet_and_any_other_is_busy() {
    let mut scheduler = build(&NAME.parse().unwrap(), 1, slots(1));
    let mut outputs = Outputs::idle(1);
    let mut step = |launch, finished| {
        let inputs = Inputs { launch, finished: vec![finished], ..Inputs::default() };
        scheduler.cycle(&inputs, &mut outputs)
    };
    let (none, done) = (None, Some(KernelEntry(0)));
    assert_eq!(step(none, None), Activity::Quiet);
    assert_eq!(step(Some(kernel(2)), None), Activity::Busy, "accepted");
    assert_eq!(step(none, None), Activity::Busy, "first block");
    assert_eq!(step(none, None), Activity::Quiet, "no room");
    assert_eq!(step(none, done), Activity::Busy, "first ends, second goes");
    assert_eq!(step(Some(kernel(0)), None), Activity::Busy, "an empty grid, which must wait");
    assert_eq!(step(none, None), Activity::Quiet, "it is not unmarked before its turn");
    assert_eq!(step(none, done), Activity::Busy, "second ends");
    assert_eq!(step(none, None), Activity::Busy, "released");
    assert_eq!(step(none, None), Activity::Busy, "unmarked");
    assert_eq!(step(none, None), Activity::Busy, "released");
    assert_eq!(step(none, None), Activity::Quiet);
}

#[test]
fn a_kernel_that_runs_or_waits_is_looked_up_like_the_head() {
    let mut scheduler = build(&NAME.parse().unwrap(), 1, slots(1));
    let mut outputs = Outputs::idle(1);
    let mut look = |launch, lookup| {
        let inputs = Inputs { launch, lookup: Some(KernelEntry(lookup)), ..Inputs::idle(1) };
        scheduler.cycle(&inputs, &mut outputs);
        outputs.context.map(|context| context.entry_pc)
    };
    let launch = |entry_pc| Some(KernelLaunch { entry_pc, ..kernel(1) });
    assert_eq!(look(launch(7), 0), None, "not before the entry is occupied");
    assert_eq!(look(launch(8), 0), Some(7), "the head");
    assert_eq!(look(None, 0), Some(7), "running");
    assert_eq!(look(None, 1), Some(8), "waiting");
    assert_eq!(look(None, 2), None, "free");
}

// Rule 4: gates.

#[test]
fn every_smx_below_its_limit_receives_a_block_in_one_cycle_and_no_other_does() {
    let work = [Work::new(0, kernel(9), &[10, 12, 10, 50])];
    let record = golden("rr-gpgpusim+dyncta", 3, slots(4), &work);
    assert_eq!(late(&record, 0)[..3], [(1, 0), (1, 1), (1, 2)]);
    assert_eq!(late(&record, 3)[..3], [(2, 0), (2, 1), (2, 2)], "half of the four slots");
    assert_eq!(late(&record, 6), [(11, 0), (11, 2), (13, 1)]);
}

#[test]
fn the_cap_binds_where_a_gate_keeps_blocks_from_another_smx() {
    // Samples lower the limit of SMX 1 from four to one. SMX 0 may have four blocks, but the cap is
    // three.
    let rows: [&[_]; 4] = [&[SAME, LESS], &[SAME, LESS], &[SAME, LESS], &[SAME]];
    let sampling = Some(Sampling::new(PERIOD, &rows));
    let work = [Work::new(30, kernel(6), &[5])];
    let name = format!("{NAME}{DYNCTA}");
    let record = golden_with(&name, 2, slots(8), &work, false, sampling);
    assert_eq!(late(&record, 0), [(31, 0), (31, 1), (32, 0), (33, 0), (36, 1), (36, 0)]);
}

#[test]
fn credits_keep_the_rest_of_a_kernel_for_the_slow_smx() {
    let durations = [5, 100, 5, 5, 5, 5];
    let late = |name| late(&golden(name, 2, slots(1), &[Work::new(0, kernel(6), &durations)]), 2);
    assert_eq!(late(NAME), [(6, 0), (11, 0), (16, 0), (21, 0)]);
    // Three local credits each, of which the last one needs one of two global ones.
    assert_eq!(late("rr-gpgpusim+claso(pa=1,pl=0)"), [(6, 0), (11, 0), (101, 1), (106, 1)]);
}

#[test]
fn several_smxs_spend_their_credits_in_one_cycle() {
    // Two blocks each, and a global credit for the second one of both: nobody is refused.
    let work = [Work::new(0, kernel(6), &[10])];
    let record = golden("rr-gpgpusim+claso(pa=1,pl=0)", 3, slots(2), &work);
    assert_eq!(late(&record, 0), [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]);
    // The one that is there for five blocks on two SMXs goes to the SMX that is visited first.
    let work = [Work::new(0, kernel(5), &[10, 10, 10, 10, 3]), Work::new(0, kernel(5), &[1])];
    let record = golden("rr-gpgpusim+claso(pa=1,pl=0)", 2, slots(1), &work);
    assert_eq!(late_of(&record, 0), Some((21, 0)));
    assert_eq!(
        late_of(&record, 1).map(|issue| issue.1),
        Some(1),
        "from where the first one stopped"
    );
}

/// Cycle and SMX of the last block of a kernel.
fn late_of(record: &Record, kernel: usize) -> Option<(u64, usize)> {
    let of = record.issues.iter().filter(|issue| issue.kernel == kernel);
    of.max_by_key(|issue| issue.block).map(|issue| (issue.cycle, issue.smx))
}

// All rules together.

/// Who is served in which cycle, from the times at which kernels were accepted and finished, by the
/// text of the rules.
struct Rules<'a> {
    smx: usize,
    slots: usize,
    work: &'a [Work],
    record: &'a Record,
    /// The cycles in which each SMX reports a block of the kernel.
    reports: Vec<Vec<u64>>,
    pointer: usize,
}

impl Rules<'_> {
    fn expected(mut self) -> Vec<Issue> {
        let (mut expected, mut turn) = (Vec::new(), 0);
        for (kernel, work) in self.work.iter().enumerate() {
            let start = turn.max(self.record.accepted[kernel] + 1);
            turn = start + 1;
            if work.launch.blocks > 0 {
                self.kernel(kernel, start, &mut expected);
                let ended = self.reports.iter().flatten().max().unwrap_or(&0);
                turn = ended + 2;
                self.reports.iter_mut().for_each(Vec::clear);
            }
        }
        expected
    }

    fn kernel(&mut self, kernel: usize, start: u64, expected: &mut Vec<Issue>) {
        let Work { launch, durations, .. } = &self.work[kernel];
        let blocks = u64::from(launch.blocks);
        let cap = blocks.div_ceil(self.smx as u64) as usize;
        let (mut ends, mut received) = (vec![Vec::new(); self.smx], vec![0; self.smx]);
        let (mut cycle, mut block) = (start, 0);
        while block < blocks {
            let first = self.pointer;
            for step in 0..self.smx {
                let smx = (first + step) % self.smx;
                self.reports[smx] = reports(&mut ends[smx]);
                let gone = self.reports[smx].iter().filter(|&&at| at <= cycle).count();
                if block < blocks && received[smx] - gone < cap.min(self.slots) {
                    expected.push(Issue { cycle, smx, kernel, block });
                    let duration = durations[(block as usize).min(durations.len() - 1)];
                    ends[smx].push(cycle + duration);
                    received[smx] += 1;
                    self.pointer = (smx + 1) % self.smx;
                    block += 1;
                }
            }
            cycle += 1;
        }
        for (smx, ends) in ends.iter_mut().enumerate() {
            self.reports[smx] = reports(ends);
        }
    }
}

/// An SMX whose blocks end in these cycles reports one of them a cycle.
fn reports(ends: &mut [u64]) -> Vec<u64> {
    ends.sort_unstable();
    let mut next = 0;
    ends.iter()
        .map(|&end| {
            let at = end.max(next);
            next = at + 1;
            at
        })
        .collect()
}

fn work() -> impl Strategy<Value = Vec<Work>> {
    let dim = (0u32..9, 1u32..6, 1u32..3);
    let durations = prop::collection::vec(1u64..40, 1..12);
    let one = (0u64..60, dim, durations).prop_map(|(arrive, (x, y, z), durations)| {
        Work::new(arrive, grid(Dim3::new(x, y, z)), &durations)
    });
    prop::collection::vec(one, 1..=40).prop_map(|mut work| {
        work.sort_by_key(|work| work.arrive);
        work
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_block_goes_where_and_when_the_three_rules_say(
        work in work(), room in 1u32..=5,
        smx in prop_oneof![Just(1), 2usize..=8, 13usize..=16, Just(30), Just(32)],
    ) {
        let record = golden(NAME, smx, slots(room), &work);
        prop_assert_eq!(record.finished.len(), work.len());
        let rules = Rules {
            smx, slots: room as usize, work: &work, record: &record, reports: vec![Vec::new(); smx],
            pointer: 0,
        };
        let mut expected = rules.expected();
        expected.sort_by_key(|issue| (issue.cycle, issue.smx));
        prop_assert_eq!(&record.issues, &expected);
        let skipped = golden_with(NAME, smx, slots(room), &work, true, None);
        prop_assert!(skipped.simulated <= record.simulated);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }
}
