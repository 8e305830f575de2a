//! Blocks that take the work of others when their own is done (`docs/launch-control.md`): from a
//! scenario to the ports.

mod clusters;

use std::ops::ControlFlow;

use super::{gpu_of, run_under};
use blockyard_sim::port::{Inputs, Outputs};
use blockyard_sim::run::observer::{DispatchedBlock, Observer};
use blockyard_sim::sched::Composition;
use blockyard_sim::stats::Stats;
use proptest::prelude::*;

/// What crosses the ports of a run.
#[derive(Debug, Default, PartialEq)]
struct Ports {
    /// Cycle, SMX and first index of each block.
    dispatches: Vec<(u64, usize, u32)>,
    /// Cycle of each question, and the first index of the block that is the answer.
    answers: Vec<(u64, Option<u32>)>,
    /// Cycles that were evaluated in which a question was held.
    held: Vec<u64>,
    /// Cycle and SMX of each end.
    ends: Vec<(u64, usize)>,
}

impl Observer for Ports {
    fn cycle(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        if outputs.cancel_held {
            self.held.push(cycle);
        } else if inputs.cancel.is_some() {
            self.answers.push((cycle, outputs.cancelled.map(|block| block.x)));
        }
        let ended = inputs.finished.iter().enumerate().filter(|(_, kernel)| kernel.is_some());
        self.ends.extend(ended.map(|(smx, _)| (cycle, smx)));
        ControlFlow::Continue(())
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        self.dispatches.push((block.cycle, block.smx, block.block.x));
    }
}

/// A run of the scenario `text`.
fn run_with(scheduler: &str, text: &str, skip: bool) -> (Ports, Stats) {
    let (mut gpu, mut ports) = (gpu_of(text), Ports::default());
    let composition: Composition = scheduler.parse().unwrap();
    gpu.sample_every(composition.sample_period().unwrap_or(0));
    let mut summary = run_under(scheduler, &mut gpu, skip, &mut ports);
    // How many cycles were evaluated is not what a run is about.
    (summary.evaluated, summary.skipped) = (0, 0);
    (ports, Stats::new(&gpu, &summary))
}

fn seen(scheduler: &str, text: &str) -> Ports {
    run_with(scheduler, text, true).0
}

/// A kernel of that many blocks that states `keys`, on SMXs of so many slots.
fn text((smx, slots): (u32, u32), blocks: u32, duration: &str, keys: &str) -> String {
    format!(
        "[gpu]\nsmx = {smx}\nthread_block_slots = {slots}\n\
         [[kernel]]\nname = \"A\"\ngrid = [{blocks}, 1, 1]\nblock = [32, 1, 1]\n\
         duration = {duration}\n{keys}\n"
    )
}

const ASKING: &str = "setup = 20\ncancels = true";

#[test]
fn the_example_of_the_page() {
    for skip in [true, false] {
        let (ports, stats) = run_with("launch-control", &text((1, 2), 5, "100", ASKING), skip);
        assert_eq!(ports.dispatches, [(1, 0, 0), (2, 0, 1)]);
        let expected = [(101, Some(2)), (102, Some(3)), (181, Some(4)), (182, None), (261, None)];
        assert_eq!(ports.answers, expected);
        assert_eq!(ports.ends, [(183, 0), (262, 0)]);
        assert_eq!(stats.kernels[0].cancelled, Some(3));
    }
    let (ports, stats) = run_with("rr", &text((1, 2), 5, "100", ASKING), true);
    assert_eq!((ports.ends.last(), ports.answers), (Some(&(301, 0)), vec![]));
    assert_eq!(stats.kernels[0].cancelled, None);
}

#[test]
fn who_waits_longest_goes_first_then_the_lowest_smx() {
    // SMXs 1 and 2 are done in 12, SMX 0 in 13.
    let ports = seen("launch-control", &text((3, 1), 6, "[12, 10, 9, 50, 60, 70]", ASKING));
    assert_eq!(ports.answers[..4], [(12, Some(3)), (13, Some(4)), (14, Some(5)), (42, None)]);
    // 3 ran on SMX 1 from 12 to 12 + 30, 4 on SMX 2 from 13 to 53, 5 on SMX 0 from 14 to 64.
    assert_eq!(ports.ends, [(43, 1), (54, 2), (65, 0)]);
}

#[test]
fn equal_questions_without_an_answer_are_each_told_so() {
    // All four are done in cycles in which nothing is left.
    let ports = seen("launch-control", &text((1, 4), 4, "[13, 12, 11, 10]", "cancels = true"));
    assert_eq!(ports.answers, [(14, None), (15, None), (16, None), (17, None)]);
    assert_eq!(ports.ends, [(15, 0), (16, 0), (17, 0), (18, 0)]);
}

#[test]
fn work_that_is_all_setup_takes_a_cycle_and_a_slow_smx_is_slow_at_what_is_left() {
    let ports = seen("launch-control", &text((1, 1), 3, "20", ASKING));
    assert_eq!(ports.answers, [(21, Some(1)), (22, Some(2)), (23, None)]);
    let slow = text((1, 1), 2, "100", ASKING).replace("[gpu]", "[gpu]\nsmx_slowdown = [1.5]");
    // 150 cycles, then 1.5 times 80.
    let expected = [(151, Some(1)), (271, None)];
    assert_eq!(seen("launch-control", &slow).answers, expected);
}

#[test]
fn the_answer_takes_its_time_before_the_work_begins() {
    let late = text((1, 1), 3, "100", ASKING).replace("[gpu]", "[gpu]\nlaunch.cancel = 9");
    let expected = [(101, Some(1)), (190, Some(2)), (279, None)];
    assert_eq!(seen("launch-control", &late).answers, expected);
    let rr = |text: &str| seen("rr", text);
    assert_eq!(rr(&late), rr(&text((1, 1), 3, "100", "")), "nobody answers");
}

#[test]
fn setup_alone_has_no_effect() {
    let plain = seen("launch-control", &text((2, 2), 9, "100", ""));
    assert_eq!(seen("launch-control", &text((2, 2), 9, "100", "setup = 20")), plain);
    assert_eq!(seen("rr", &text((2, 2), 9, "100", "")), plain);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn skipping_shows_nothing_and_every_block_is_run(
        smx in 1u32..4, slots in 1u32..5, latency in 0u32..30, setup in 0u64..120,
        gate in 0usize..3, asks in any::<bool>(),
        durations in prop::collection::vec(1u64..200, 1..40),
    ) {
        let setup = setup.min(*durations.iter().max().unwrap());
        let keys = format!("setup = {setup}\ncancels = true");
        let blocks = durations.len() as u32;
        let first = text((smx, slots), blocks, &format!("{durations:?}"), &keys);
        let first = first.replace("[gpu]", &format!("[gpu]\nlaunch.cancel = {latency}"));
        let second = format!(
            "[[kernel]]\nname = \"B\"\narrive = 50\ngrid = [7, 1, 1]\nblock = [64, 1, 1]\n\
             duration = 40\ncancels = {asks}\n"
        );
        let text = first + &second;
        let name = format!("launch-control{}", ["", "+claso", "+dyncta"][gate]);
        let run = |skip| run_with(&name, &text, skip);
        let (ports, stats) = run(true);
        let got = ports.answers.iter().filter(|(_, block)| block.is_some()).count();
        prop_assert_eq!(ports.dispatches.len() + got, durations.len() + 7);
        prop_assert_eq!(ports.dispatches.len(), ports.ends.len());
        prop_assert_eq!(run(false), (ports, stats));
    }
}
