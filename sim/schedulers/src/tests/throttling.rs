//! DYNCTA over whole runs: the rules of `docs/dyncta.md`, alone and with CLASO.

use super::super::build;
use super::harness::*;
use crate::port::*;
use proptest::prelude::*;

/// Over `rr`.
const NAME: &str = "rr+dyncta(period=10,idle=3,low=4,high=6)";

/// These samples for all SMXs, then no change for as long as a test lasts.
fn then_same(samples: &[(u16, u16)]) -> Sampling {
    let rows: Vec<_> = samples.iter().map(std::slice::from_ref).collect();
    let still = [[SAME].as_slice()].repeat(1000);
    Sampling::new(PERIOD, &[rows, still].concat())
}

/// How many blocks an SMX of `slots` slots holds at most after these samples.
fn limit_after(slot_count: u32, samples: &[(u16, u16)]) -> usize {
    let arrive = PERIOD * samples.len() as u64;
    let work = [Work::new(arrive, kernel(100), &[500])];
    let sampling = Some(then_same(samples));
    let record = golden_with(NAME, 1, slots(slot_count), &work, false, sampling);
    record.issues.iter().filter(|issue| issue.cycle <= arrive + 500).count()
}

fn times(record: &Record) -> Vec<(u64, usize)> {
    record.issues.iter().map(|issue| (issue.cycle, issue.smx)).collect()
}

// Rule 3: the first limit.

#[test]
fn the_limit_begins_at_half_the_slots_rounded_down_and_at_least_1() {
    let expected = [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (8, 4), (15, 7), (16, 8), (32, 16)];
    for (slots, limit) in expected {
        assert_eq!(limit_after(slots, &[]), limit, "{slots} slots");
    }
}

#[test]
fn every_one_of_15_smxs_has_a_limit_of_its_own() {
    let work = [Work::new(0, kernel(100), &[500])];
    let record = golden_with(NAME, 15, slots(8), &work, false, Some(then_same(&[])));
    let early: Vec<_> = times(&record).into_iter().filter(|(cycle, _)| *cycle <= 500).collect();
    let expected: Vec<_> = (0..60).map(|block| (block + 1, block as usize % 15)).collect();
    assert_eq!(early, expected, "four each");
}

#[test]
fn what_one_smx_sends_moves_no_other_ones_limit() {
    let work = [Work::new(10, kernel(100), &[500])];
    let first = [MORE, SAME, LESS];
    let rows = [[first.as_slice()].to_vec(), [[SAME].as_slice()].repeat(1000)].concat();
    let sampling = Some(Sampling::new(PERIOD, &rows));
    let record = golden_with(NAME, 3, slots(8), &work, false, sampling);
    let held = |smx| record.issues.iter().filter(|i| i.smx == smx && i.cycle <= 510).count();
    assert_eq!([held(0), held(1), held(2)], [5, 4, 3]);
}

// Rules 1 and 2: samples and thresholds.

#[test]
fn idle_raises_the_limit_from_its_threshold_on_and_not_one_cycle_before() {
    assert_eq!(limit_after(8, &[(2, 5)]), 4);
    assert_eq!(limit_after(8, &[(3, 5)]), 5);
    assert_eq!(limit_after(8, &[(4095, 5)]), 5);
}

#[test]
fn an_smx_that_idles_gets_more_however_much_it_waits_for_memory() {
    assert_eq!(limit_after(8, &[(3, 6)]), 5);
    assert_eq!(limit_after(8, &[(3, 4095)]), 5);
}

#[test]
fn memory_raises_the_limit_below_low_and_not_at_low() {
    assert_eq!(limit_after(8, &[(0, 0)]), 5);
    assert_eq!(limit_after(8, &[(0, 3)]), 5);
    assert_eq!(limit_after(8, &[(0, 4)]), 4);
}

#[test]
fn memory_lowers_the_limit_from_high_on_and_not_one_cycle_before() {
    assert_eq!(limit_after(8, &[(0, 5)]), 4);
    assert_eq!(limit_after(8, &[(0, 6)]), 3);
    assert_eq!(limit_after(8, &[(2, 4095)]), 3);
}

#[test]
fn the_papers_thresholds_are_the_default() {
    let limit = |sample| {
        let work = [Work::new(2048, kernel(100), &[500])];
        let sampling = Some(Sampling::new(2048, &[&[sample]]));
        let record = golden_with("rr+dyncta", 1, slots(8), &work, false, sampling);
        record.issues.iter().filter(|issue| issue.cycle <= 2048 + 500).count()
    };
    assert_eq!([(15, 128), (16, 128)].map(limit), [4, 5]);
    assert_eq!([(0, 127), (0, 128), (0, 383), (0, 384)].map(limit), [5, 4, 4, 3]);
}

#[test]
fn each_sample_moves_the_limit_by_one_from_1_to_the_slots_and_no_further() {
    for slots in [1u32, 2, 3, 8] {
        let mut limit = (slots as usize / 2).max(1);
        let steps = [vec![LESS; 6], vec![MORE; 11], vec![LESS; 3]].concat();
        for sent in 1..=steps.len() {
            limit = match steps[sent - 1] {
                LESS => limit - usize::from(limit > 1),
                _ => limit + usize::from(limit < slots as usize),
            };
            assert_eq!(limit_after(slots, &steps[..sent]), limit, "{slots} slots, {sent} samples");
        }
    }
}

#[test]
fn equal_thresholds_leave_no_sample_that_keeps_the_limit() {
    let limit = |memory| {
        let work = [Work::new(10, kernel(100), &[9])];
        let sampling = Some(Sampling::new(PERIOD, &[&[(0, memory)]]));
        let name = "rr+dyncta(period=10,idle=1,low=7,high=7)";
        let record = golden_with(name, 1, slots(8), &work, false, sampling);
        record.issues.iter().filter(|issue| issue.cycle < 19).count()
    };
    assert_eq!([6, 7].map(limit), [5, 3]);
}

// Rule 4: who may receive a block.

#[test]
fn a_sample_counts_from_the_next_cycle_on() {
    let work = [Work::new(0, kernel(3), &[500])];
    let record = golden_with(NAME, 1, slots(4), &work, false, Some(then_same(&[MORE])));
    assert_eq!(times(&record), [(1, 0), (2, 0), (10, 0)], "sent in cycle 9");
}

#[test]
fn a_block_that_ends_makes_way_in_that_very_cycle() {
    let work = [Work::new(0, kernel(3), &[5])];
    let record = golden_with(NAME, 1, slots(2), &work, false, None);
    assert_eq!(times(&record), [(1, 0), (6, 0), (11, 0)]);
}

#[test]
fn a_block_that_ends_in_the_cycle_of_a_lowering_sample_is_still_replaced() {
    // Four resident; one ends in cycle 9, in which the limit is still 4. It is 3 from 10 on.
    let work = [Work::new(0, kernel(6), &[8, 18, 28, 500])];
    let record = golden_with(NAME, 1, slots(8), &work, false, Some(then_same(&[LESS])));
    assert_eq!(times(&record)[4..], [(9, 0), (31, 0)], "in 20 there would be four again");
}

#[test]
fn a_lowered_limit_stops_no_block_and_takes_effect_as_blocks_end() {
    let work = [Work::new(0, kernel(6), &[24, 33, 42, 51, 500])];
    let sampling = Some(then_same(&[LESS, LESS]));
    let record = golden_with(NAME, 1, slots(8), &work, false, sampling);
    // Four are resident when the limit is 2; they end in 25, 35, 45 and 55.
    assert_eq!(times(&record)[4..], [(45, 0), (55, 0)]);
    assert_eq!(record.finished, [(0, 556)], "none was stopped");
}

#[test]
fn blocks_of_all_kernels_count_and_the_refused_head_keeps_its_turn() {
    let work = [(1, 50), (1, 5), (1, 5)].map(|(n, d)| Work::new(0, kernel(n), &[d]));
    let record = golden_with(NAME, 1, slots(2), &work, false, None);
    let order: Vec<_> = record.issues.iter().map(|i| (i.cycle, i.kernel)).collect();
    assert_eq!(order, [(1, 0), (51, 1), (56, 2)]);
}

#[test]
fn the_limit_outlives_the_kernel_in_which_it_was_learnt() {
    let work = [Work::new(0, kernel(1), &[15]), Work::new(30, kernel(100), &[500])];
    let record = golden_with(NAME, 1, slots(8), &work, false, Some(then_same(&[MORE, MORE])));
    let second = record.issues.iter().filter(|i| i.kernel == 1 && i.cycle <= 530).count();
    assert_eq!(second, 6);
}

// The rest of the contract.

#[test]
fn an_empty_grid_needs_no_room_below_the_limit() {
    let work = [kernel(1), kernel(0), kernel(1)].map(|launch| Work::new(0, launch, &[50]));
    let record = golden_with(NAME, 1, slots(1), &work, false, None);
    assert_eq!(record.finished, [(1, 3), (0, 52), (2, 102)]);
}

#[test]
fn a_full_kernel_table_drains_at_the_pace_of_the_limit() {
    let work: Vec<_> = (0..33).map(|_| Work::new(0, kernel(1), &[100])).collect();
    let record = golden_with(NAME, 1, slots(3), &work, false, None);
    assert_eq!(record.accepted[..32], (0..32).collect::<Vec<_>>());
    assert_eq!((record.finished[0], record.accepted[32]), ((0, 102), 103));
    let expected: Vec<_> = (0..33).map(|k| (1 + 100 * k, 0)).collect();
    assert_eq!(times(&record), expected);
}

#[test]
fn a_sample_that_changes_no_limit_is_quiet() {
    let mut scheduler = build(&NAME.parse().unwrap(), 2, slots(2));
    let mut send = |idle, memory| {
        let samples = Some(vec![CoreSample { idle, memory }; 2]);
        scheduler.cycle(&Inputs { samples, ..Inputs::idle(2) }, &mut Outputs::idle(2))
    };
    assert_eq!(send(SAME.0, SAME.1), Activity::Quiet);
    assert_eq!(send(LESS.0, LESS.1), Activity::Quiet, "already 1");
    assert_eq!(send(MORE.0, MORE.1), Activity::Busy);
    assert_eq!(send(MORE.0, MORE.1), Activity::Quiet, "already 2, all slots");
    assert_eq!(send(LESS.0, LESS.1), Activity::Busy);
}

// Rule 5: how many blocks may run.

#[test]
fn every_scheduler_that_pauses_states_the_limit_of_each_smx_and_the_invariants_follow_it() {
    let gate = "+dyncta(period=10,idle=3,low=4,high=6,pause=1)";
    let sources = [
        "rr",
        "rr-gpgpusim",
        "most-room",
        "ikra/steal",
        "srtf",
        "clusters",
        "laperm/tb-pri",
        "domains",
    ];
    for source in sources {
        let composition = format!("{source}{gate}").parse().unwrap();
        let mut scheduler = build(&composition, 3, slots(8));
        let mut outputs = Outputs::idle(3);
        let mut send = |samples: Option<[(u16, u16); 3]>| {
            let sample = |(idle, memory)| CoreSample { idle, memory };
            let samples = samples.map(|samples| samples.map(sample).to_vec());
            let clock = composition.ports(LaunchMode::Flat).tells_time();
            let clock = clock.then_some(0);
            scheduler.cycle(&Inputs { samples, clock, ..Inputs::idle(3) }, &mut outputs);
            outputs.running_limits.clone()
        };
        assert_eq!(send(Some([MORE, SAME, LESS])), [4, 4, 4], "{source}");
        assert_eq!(send(None), [5, 4, 3], "{source}");
    }
    let mut plain = build(&NAME.parse().unwrap(), 3, slots(8));
    let mut outputs = Outputs::idle(3);
    plain.cycle(&Inputs::idle(3), &mut outputs);
    assert_eq!(outputs.running_limits, [0; 0], "no port without pausing");
}

// With CLASO.

/// Two SMXs of four slots: a limit of 2. Six blocks: 3 local credits each, 2 global ones.
fn six_blocks(name: &str) -> Vec<(u64, usize)> {
    let work = [Work::new(0, kernel(6), &[10, 18, 10, 100, 100])];
    times(&golden_with(name, 2, slots(4), &work, false, None))[4..].to_vec()
}

#[test]
fn each_of_the_two_gates_refuses_what_the_other_one_would_allow() {
    // SMX 0's first block ends in cycle 11 and its second one in 13, SMX 1's first one in 20.
    assert_eq!(six_blocks("rr"), [(5, 0), (6, 1)]);
    assert_eq!(six_blocks("rr+claso(pa=1,pl=0)"), [(5, 0), (6, 1)], "credits for all");
    assert_eq!(six_blocks("rr+dyncta"), [(11, 0), (13, 0)], "two resident, never more");
    // In 5 DYNCTA refuses both. In 13 SMX 0 is below its limit but has no local credit left.
    assert_eq!(six_blocks("rr+dyncta+claso(pa=1,pl=0)"), [(11, 0), (20, 1)]);
}

#[test]
fn no_credit_is_reserved_for_an_smx_that_dyncta_refuses() {
    // Two slots each: a limit of 1. The second kernel's one block needs its one global credit. It
    // is SMX 0's turn, which is at its limit until cycle 101; SMX 1 is below from cycle 7 on.
    let work = [Work::new(0, kernel(2), &[100, 5]), Work::new(0, kernel(1), &[1])];
    let run = |name| times(&golden_with(name, 2, slots(2), &work, false, None))[2];
    assert_eq!(run("rr+dyncta+claso(pa=1,pl=0)"), (7, 1));
    // Asked first, CLASO gives the credit to SMX 0, which DYNCTA then refuses.
    assert_eq!(run("rr+claso(pa=1,pl=0)+dyncta"), (101, 0));
}

// In every run.

pub(super) fn work() -> impl Strategy<Value = Vec<Work>> {
    let durations = prop::collection::vec(1u64..40, 1..12);
    let one = (0u64..60, 0u32..40, durations)
        .prop_map(|(arrive, blocks, durations)| Work::new(arrive, kernel(blocks), &durations));
    prop::collection::vec(one, 1..=12).prop_map(|mut work| {
        work.sort_by_key(|work| work.arrive);
        work
    })
}

pub(super) fn smxs() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1), 2usize..=8, 13usize..=16, Just(30), Just(32)]
}

pub(super) fn rows() -> impl Strategy<Value = Vec<Vec<(u16, u16)>>> {
    let sample = (0u16..=4, 0u16..=8);
    prop::collection::vec(prop::collection::vec(sample, 1..=32), 1..=20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_block_runs_in_order_whatever_the_samples_and_skipping_shows_nothing(
        work in work(), smx in smxs(), slot_count in 1u32..=9, rows in rows(), gated in any::<bool>(),
        pauses in any::<bool>(),
    ) {
        let name = NAME.replace(')', if pauses { ",pause=1)" } else { ")" });
        let name = if gated { format!("{name}+claso(pa=1,pl=0)") } else { name };
        let sampling = Sampling { period: PERIOD, rows };
        let record = golden_with(&name, smx, slots(slot_count), &work, false, Some(sampling.clone()));
        prop_assert_eq!(record.finished.len(), work.len());
        let all = work.iter().enumerate().flat_map(|(kernel, work)| {
            (0..u64::from(work.launch.blocks)).map(move |block| (kernel, block))
        });
        prop_assert!(record.issues.iter().map(|issue| (issue.kernel, issue.block)).eq(all));
        let skipped = golden_with(&name, smx, slots(slot_count), &work, true, Some(sampling));
        prop_assert!(skipped.simulated <= record.simulated);
        prop_assert_eq!(Record { simulated: record.simulated, ..skipped }, record);
    }
}
