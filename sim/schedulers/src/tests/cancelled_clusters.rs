//! `launch-control` with a policy over whole runs: rules 6 to 9 of `docs/launch-control.md`.

use super::super::{build_for, Composition};
use super::clusters::{clustered, drawn, fitting, row, run_on, Drawn};
use super::harness::*;
use super::reset;
use crate::cover::count;
use crate::invariants::Invariants;
use crate::launch_control::cover;
use crate::port::*;
use proptest::prelude::*;

const POLICIES: [&str; 2] = ["launch-control(policy=spread)", "launch-control(policy=balance)"];

/// A kernel whose blocks ask, each for itself, when their work is done.
fn asking(arrive: u64, launch: KernelLaunch, durations: &[u64], setup: u64) -> Work {
    Work { setup: Some(setup), ..Work::new(arrive, launch, durations) }
}

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Nobody,
    Held,
    None,
    Block(u32),
}
use Answer::{Block, Held, Nobody};

/// A scheduler cycle by cycle, and what it promises.
struct Bench {
    scheduler: Box<dyn Scheduler>,
    invariants: Invariants,
}

impl Bench {
    /// On GPCs of these sizes.
    fn new(name: &str, gpcs: &[u32], limits: SmxLimits) -> Self {
        let composition: Composition = name.parse().unwrap();
        let smx = gpcs.iter().sum::<u32>() as usize;
        let plan = FloorPlan::new(smx, gpcs);
        let invariants = Invariants::new(limits, smx, (&composition).into()).on(&plan);
        let scheduler = build_for(&composition, LaunchMode::Flat, 1, plan, limits).unwrap();
        Self { scheduler, invariants }
    }

    /// What goes to each SMX in a cycle, by entry and first index, and the answer.
    fn cycle(&mut self, change: impl FnOnce(&mut Inputs)) -> (Vec<(usize, u8, u32)>, Answer) {
        let smx = self.scheduler.smx();
        let (mut inputs, mut outputs) = (Inputs::idle(smx), Outputs::idle(smx));
        change(&mut inputs);
        self.scheduler.cycle(&inputs, &mut outputs);
        self.invariants.check(&inputs, &outputs).unwrap();
        let each = outputs.dispatch.iter().enumerate();
        let went = each.filter_map(|(smx, block)| {
            let Dispatch { kernel, block, .. } = (*block)?;
            Some((smx, kernel.0, block.x))
        });
        let answer = match (inputs.cancel, outputs.cancelled, outputs.cancel_held) {
            (None, ..) => Nobody,
            (_, _, true) => Held,
            (_, Some(block), _) => Block(block.x),
            (_, None, _) => Answer::None,
        };
        (went.collect(), answer)
    }

    fn launch(&mut self, launch: KernelLaunch) {
        assert_eq!(self.cycle(|inputs| inputs.launch = Some(launch)).1, Nobody);
    }

    /// A block of that entry asks.
    fn ask(&mut self, entry: u8) -> (Vec<(usize, u8, u32)>, Answer) {
        self.cycle(|inputs| inputs.cancel = Some(KernelEntry(entry)))
    }

    fn idle(&mut self) -> Vec<(usize, u8, u32)> {
        self.cycle(|_| ()).0
    }
}

#[test]
fn the_example_of_the_page_goes_cycle_by_cycle() {
    let mut bench = Bench::new(POLICIES[0], &[4], slots(1));
    // X is in entry 0, K in entry 1; each cluster asks in the cycle in which its last block has
    // done its work.
    let ends = [(102, 0, 0), (103, 1, 0), (205, 0, 1), (205, 1, 1), (266, 2, 1), (266, 3, 1)];
    let (mut dispatches, mut answers) = (vec![], vec![]);
    for cycle in 0..267 {
        let (went, answer) = bench.cycle(|inputs| {
            inputs.launch = match cycle {
                0 => Some(clustered(1, row(2), 1)),
                2 => Some(clustered(4, row(2), 1)),
                _ => None,
            };
            for &(_, smx, entry) in ends.iter().filter(|end| end.0 == cycle) {
                inputs.finished[smx] = Some(KernelEntry(entry));
            }
            let asks = [104, 105, 185, 204, 265].contains(&cycle);
            inputs.cancel = asks.then_some(KernelEntry(1));
        });
        dispatches.extend(went.into_iter().map(|(smx, entry, block)| (cycle, smx, entry, block)));
        answers.extend(Some((cycle, answer)).filter(|(_, answer)| *answer != Nobody));
    }
    let expected =
        [(1, 0, 0, 0), (2, 1, 0, 1), (3, 2, 1, 0), (4, 3, 1, 1), (103, 0, 1, 2), (104, 1, 1, 3)];
    assert_eq!(dispatches, expected);
    let (c, d, none) = (Block(4), Block(6), Answer::None);
    assert_eq!(answers, [(104, Held), (105, c), (185, d), (204, none), (265, none)]);
    let mut outputs = Outputs::idle(4);
    bench.scheduler.cycle(&Inputs::idle(4), &mut outputs);
    assert_eq!(outputs.finished_kernels, 0b10);
}

#[test]
fn a_question_is_held_from_the_cycle_after_the_first_block_to_that_of_the_last_one() {
    for policy in POLICIES {
        let mut bench = Bench::new(policy, &[8], slots(1));
        bench.launch(clustered(4, row(4), 1));
        assert_eq!(bench.idle(), [(0, 0, 0)]);
        let (held, counts) = count(|| [1, 2, 3].map(|_| bench.ask(0)));
        // The blocks of the open cluster go on, the last one in the last cycle in which it is open.
        assert_eq!(held, [1, 2, 3].map(|at| (vec![(at, 0, at as u32)], Held)));
        assert_eq!(counts[cover::HELD.name], 3);
        // The next one, which would open in this cycle, is cancelled, and the one behind it opens.
        let (cancelled, counts) = count(|| bench.ask(0));
        assert_eq!(cancelled, (vec![], Block(4)));
        assert_eq!((counts[cover::INSTEAD.name], counts.get(cover::LAST.name)), (1, None));
        assert_eq!(bench.idle(), [(4, 0, 8)]);
    }
}

#[test]
fn a_cancel_leaves_the_pointers_of_gpcs_and_smxs() {
    for policy in POLICIES {
        let mut bench = Bench::new(policy, &[3, 3], slots(2));
        bench.launch(clustered(4, row(2), 1));
        assert_eq!([bench.idle(), bench.idle()], [[(0, 0, 0)], [(1, 0, 1)]]);
        assert_eq!(bench.ask(0), (vec![], Block(2)));
        assert_eq!([bench.idle(), bench.idle()], [[(3, 0, 4)], [(4, 0, 5)]]);
    }
}

#[test]
fn when_the_last_cluster_is_cancelled_the_next_kernel_is_the_head() {
    let mut bench = Bench::new(POLICIES[0], &[3], slots(1));
    bench.launch(clustered(2, row(2), 1));
    assert_eq!(bench.cycle(|inputs| inputs.launch = Some(clustered(1, row(1), 1))).0, [(0, 0, 0)]);
    assert_eq!(bench.idle(), [(1, 0, 1)]);
    // It fits no more.
    assert_eq!(bench.idle(), []);
    let (last, counts) = count(|| bench.ask(0));
    assert_eq!(last, (vec![], Block(2)));
    assert_eq!((counts[cover::LAST.name], counts[cover::NO_ROOM.name]), (1, 1));
    let (beside, counts) = count(|| bench.ask(0));
    assert_eq!(beside, (vec![(2, 1, 0)], Answer::None));
    assert_eq!(counts[cover::BESIDE.name], 1);
}

#[test]
fn a_kernel_that_is_not_the_head_has_nothing_left_also_while_a_cluster_of_the_head_is_open() {
    let mut bench = Bench::new(POLICIES[1], &[4], slots(4));
    bench.launch(clustered(1, row(1), 1));
    assert_eq!(bench.cycle(|inputs| inputs.launch = Some(clustered(2, row(2), 1))).0, [(0, 0, 0)]);
    assert_eq!(bench.idle(), [(1, 1, 0)]);
    assert_eq!(bench.ask(0), (vec![(2, 1, 1)], Answer::None));
    assert_eq!(bench.ask(1), (vec![], Block(2)));
}

#[test]
fn an_empty_grid_as_the_head_has_nothing_to_cancel() {
    let mut bench = Bench::new(POLICIES[0], &[4], slots(1));
    bench.launch(clustered(1, row(1), 1));
    assert_eq!(bench.cycle(|inputs| inputs.launch = Some(clustered(0, row(2), 1))).0, [(0, 0, 0)]);
    // Now the empty grid is the head; its entry has no block that could ask, and the first kernel's
    // has no answer.
    assert_eq!(bench.ask(0), (vec![], Answer::None));
    let both = bench.cycle(|inputs| {
        inputs.launch = Some(clustered(1, row(2), 1));
        inputs.cancel = Some(KernelEntry(0));
    });
    assert_eq!(both, (vec![], Answer::None));
}

#[test]
fn a_cluster_is_cancelled_in_the_cycle_in_which_the_last_running_block_ends() {
    let mut bench = Bench::new(POLICIES[0], &[2], slots(1));
    bench.launch(clustered(2, row(1), 1));
    assert_eq!(bench.idle(), [(0, 0, 0)]);
    let (both, counts) = count(|| {
        bench.cycle(|inputs| {
            inputs.cancel = Some(KernelEntry(0));
            inputs.finished[0] = Some(KernelEntry(0));
        })
    });
    assert_eq!(both, (vec![], Block(1)));
    assert_eq!(counts[cover::ENDING.name], 1);
    let mut outputs = Outputs::idle(2);
    bench.scheduler.cycle(&Inputs::idle(2), &mut outputs);
    assert_eq!(outputs.finished_kernels, 1);
}

#[test]
fn limits_that_hold_an_open_cluster_hold_the_question() {
    let name = format!("{}{DYNCTA}", POLICIES[1]);
    // Limits of 3 blocks on each of two SMXs: a and half of b. Block 0 is done in 7; the limits
    // rise behind cycle 9.
    let rows: [&[(u16, u16)]; 2] = [&[MORE], &[SAME]];
    let sampling = Sampling::new(PERIOD, &[&rows[..1], &[rows[1]; 50]].concat());
    let work = [asking(0, clustered(4, row(4), 1), &[6, 100], 2)];
    let run = |skip| {
        let setup = Setup { last: 450, skip, sampling: Some(sampling.clone()), ..Setup::default() };
        run_on(&name, &[2], slots(6), &work, setup)
    };
    let record = run(false);
    let cycles: Vec<_> = record.issues.iter().map(|issue| issue.cycle).collect();
    assert_eq!(cycles, [1, 2, 3, 4, 5, 6, 10, 11]);
    assert_eq!(record.held, [7, 8, 9, 10, 11]);
    assert_eq!(record.answers[0], (12, 0, 0, Some(8)));
    assert_eq!(Record { simulated: record.simulated, ..run(true) }, record);
}

#[test]
fn clusters_of_one_block_are_answered_as_blocks_are() {
    let durations = [13, 40, 7, 22, 9];
    for policy in POLICIES {
        for slot_count in [1, 2, 5] {
            let work = [asking(0, kernel(23), &durations, 5), asking(9, kernel(6), &[11], 0)];
            let single = golden("launch-control", 1, slots(slot_count), &work);
            assert_eq!(golden(policy, 1, slots(slot_count), &work), single, "one SMX");
            assert!(single.answers.len() > 5 && single.held.is_empty());
        }
        // With several SMXs blocks of one kind ask in the same cycles wherever they are.
        let work = [asking(0, kernel(40), &[13], 5)];
        let single = golden("launch-control", 4, slots(2), &work);
        let answers = |record: &Record| -> Vec<_> {
            record.answers.iter().map(|&(cycle, _, _, block)| (cycle, block)).collect()
        };
        assert_eq!(answers(&golden(policy, 4, slots(2), &work)), answers(&single), "{policy}");
    }
}

#[test]
fn without_questions_blocks_run_as_under_clusters() {
    let work = [
        Work::new(0, clustered(7, row(3), 1), &[10, 30, 20]),
        Work::new(5, clustered(3, row(1), 1), &[12]),
    ];
    for (policy, other) in POLICIES.iter().zip(["clusters", "clusters(policy=balance)"]) {
        let run = |name| {
            run_on(name, &[3, 4], slots(2), &work, Setup { last: 9_000, ..Setup::default() })
        };
        assert_eq!(run(policy), run(other));
    }
}

#[test]
fn after_a_reset_in_any_cycle_no_cluster_is_open_and_nothing_is_left_to_cancel() {
    let work = [
        asking(0, clustered(6, row(3), 1), &[13, 9], 3),
        asking(2, clustered(3, row(2), 1), &[8], 0),
    ];
    let reset = Inputs { reset: true, cancel: Some(KernelEntry(0)), ..Inputs::idle(5) };
    for policy in POLICIES {
        let setup = Setup { gpcs: vec![3, 2], ..Setup::default() };
        reset::leaves_nothing(policy, (5, 2), &work, setup, &reset);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn every_block_is_dispatched_or_cancelled_once_and_skipping_shows_nothing(
        gpcs in prop::collection::vec(1u32..=17, 1..=5),
        kernels in prop::collection::vec((drawn(), 0u64..40), 1..8),
        balance in any::<bool>(), gated in any::<bool>(),
    ) {
        let limits =
            SmxLimits { threads: 128, registers: 256, shared_memory: 128, thread_block_slots: 6 };
        let most = gpcs.iter().copied().max().unwrap();
        // A third of them do not ask.
        let of = |(one, setup): (Drawn, u64)| Work {
            setup: (setup < 27).then_some(setup),
            ..fitting(one, most)
        };
        let mut work: Vec<_> = kernels.into_iter().map(of).collect();
        work.sort_by_key(|work| work.arrive);
        let name = POLICIES[usize::from(balance)].to_owned() + if gated { DYNCTA } else { "" };
        // In the end limits rise: blocks whose questions are held do not end.
        let sampling = gated.then(|| Sampling::new(PERIOD, &[&[MORE], &[LESS, MORE], &[MORE]]));
        let run = |skip| {
            let setup = Setup { last: 100_000, skip, sampling: sampling.clone(), ..Setup::default() };
            run_on(&name, &gpcs, limits, &work, setup)
        };
        // The invariants of the run ask for the rest.
        let record = run(false);
        prop_assert_eq!(record.finished.len(), work.len());
        let mut ran = vec![0; work.len()];
        record.issues.iter().for_each(|issue| ran[issue.kernel] += 1);
        for &(_, _, kernel, block) in &record.answers {
            ran[kernel] += block.map_or(0, |_| work[kernel].launch.cluster.blocks());
        }
        let blocks: Vec<_> = work.iter().map(|work| work.launch.blocks).collect();
        prop_assert_eq!(ran, blocks);
        prop_assert_eq!(Record { simulated: record.simulated, ..run(true) }, record);
    }
}
