//! Instructions that ask for a block that has not started (`docs/launch-control.md`), cycle by
//! cycle.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::*;
use crate::run_under;
use blockyard_sim::port::{Cluster, Inputs, Outputs};
use blockyard_sim::run::observer::{DispatchedBlock, Observer};

/// Which block got which answer.
type Given = Vec<(u32, Option<u32>)>;

type Answers = Rc<RefCell<Given>>;

/// Every warp asks in some lanes, so many times; then it exits.
struct Asking {
    lanes: u32,
    times: u32,
    answers: Answers,
}

struct Asker {
    block: u32,
    lanes: u32,
    left: u32,
    answers: Answers,
}

impl WarpProgram for Asker {
    fn next(&mut self, instruction: &mut Instruction) {
        *instruction = Instruction::default();
        if self.left > 0 {
            self.left -= 1;
            instruction.operation = Operation::Cancel;
            instruction.active = self.lanes;
        }
    }

    fn questions(&mut self) -> Vec<Reply> {
        let reply = |_| -> Reply {
            let (block, answers) = (self.block, Rc::clone(&self.answers));
            Box::new(move |answer: Option<Dim3>| {
                answers.borrow_mut().push((block, answer.map(|block| block.x)));
                Ok(())
            })
        };
        (0..self.lanes.count_ones()).map(reply).collect()
    }
}

impl KernelCode for Asking {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for _ in 0..warps {
            let (lanes, left) = (self.lanes, self.times);
            let answers = Rc::clone(&self.answers);
            programs.push(Box::new(Asker { block: block.x, lanes, left, answers }));
        }
        Ok(())
    }
}

/// What crosses the ports of a run: dispatches, questions with their answers, and ends, by cycle.
#[derive(Debug, Default, PartialEq)]
struct Ports {
    dispatches: Vec<(u64, u32)>,
    answers: Vec<(u64, Option<u32>)>,
    ends: Vec<u64>,
}

impl Observer for Ports {
    fn cycle(&mut self, cycle: u64, inputs: &Inputs, outputs: &Outputs) -> ControlFlow<()> {
        if inputs.cancel.is_some() && !outputs.cancel_held {
            self.answers.push((cycle, outputs.cancelled.map(|block| block.x)));
        }
        self.ends.extend(inputs.finished.iter().flatten().map(|_| cycle));
        ControlFlow::Continue(())
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        self.dispatches.push((block.cycle, block.block.x));
    }
}

/// `blocks` blocks of a warp that asks in `lanes` lanes so many `times`, on one SMX that holds one
/// block.
fn run_asking(
    scheduler: &str,
    changes: &[(&str, &str)],
    blocks: (u32, u32, u32),
) -> (Ports, Given, Option<u64>) {
    run_clusters(scheduler, changes, Cluster::default(), blocks)
}

/// The same for blocks in clusters.
fn run_clusters(
    scheduler: &str,
    changes: &[(&str, &str)],
    cluster: Cluster,
    (blocks, lanes, times): (u32, u32, u32),
) -> (Ports, Given, Option<u64>) {
    let run = |skip| {
        let answers = Answers::default();
        let code = Rc::new(Asking { lanes, times, answers: Rc::clone(&answers) });
        let config = config(&[&[("thread_block_slots", "1")], changes].concat());
        let launch = HostLaunch { cluster, ..launch(code, blocks, 1) };
        let mut gpu = Gpu::new(config, Box::new(vec![launch])).unwrap();
        let mut ports = Ports::default();
        run_under(scheduler, &mut gpu, skip, &mut ports);
        let cancelled = gpu.kernels()[0].cancelled;
        let answers = answers.borrow().clone();
        let asked = gpu.kernels()[0].asked.then_some(cancelled);
        (ports, answers, asked)
    };
    let seen = run(true);
    assert_eq!(run(false), seen);
    seen
}

#[test]
fn a_question_is_asked_in_the_cycle_after_its_instruction_and_answered_in_the_one_after_that() {
    // Dispatched in 1, it asks by the instruction of 2 and exits in 3: it ends when the answer has
    // come, in 4.
    let (ports, answers, cancelled) = run_asking("launch-control", &[], (2, 1, 1));
    assert_eq!((ports.dispatches, ports.answers), (vec![(1, 0)], vec![(3, Some(1))]));
    assert_eq!((ports.ends, answers, cancelled), (vec![5], vec![(0, Some(1))], Some(1)));
}

#[test]
fn an_answer_takes_its_time_to_come_and_keeps_the_block() {
    for (latency, end) in [("1", 5), ("2", 6), ("30", 34)] {
        let changes = [("launch.cancel", latency)];
        let (ports, answers, _) = run_asking("launch-control", &changes, (2, 1, 1));
        assert_eq!((ports.answers, ports.ends), (vec![(3, Some(1))], vec![end]), "{latency}");
        assert_eq!(answers, [(0, Some(1))]);
    }
}

#[test]
fn each_lane_asks_in_a_cycle_of_its_own_and_when_nothing_is_left_gets_none() {
    let (ports, answers, cancelled) = run_asking("launch-control", &[], (3, 0b1011_0001, 1));
    let expected = [(3, Some(1)), (4, Some(2)), (5, None), (6, None)];
    assert_eq!(ports.answers, expected);
    assert_eq!(answers, [(0, Some(1)), (0, Some(2)), (0, None), (0, None)]);
    assert_eq!((ports.ends, cancelled), (vec![8], Some(2)));
}

#[test]
fn a_warp_may_ask_again_before_the_answer_has_come() {
    let changes = [("launch.cancel", "50")];
    let (ports, answers, _) = run_asking("launch-control", &changes, (3, 1, 3));
    assert_eq!(ports.answers, [(3, Some(1)), (4, Some(2)), (5, None)]);
    assert_eq!((ports.ends, answers.len()), (vec![56], 3));
}

#[test]
fn a_block_that_asks_by_an_instruction_gets_the_first_one_of_a_cluster_of_its_own() {
    let (changes, cluster) = ([("smx", "3")], Cluster { x: 3, y: 1, z: 1 });
    for policy in ["launch-control(policy=spread)", "launch-control(policy=balance)"] {
        let (ports, answers, cancelled) = run_clusters(policy, &changes, cluster, (9, 1, 1));
        assert_eq!(ports.dispatches, [(1, 0), (2, 1), (3, 2)]);
        // In 3 the cluster is open, and the question of 0 is held.
        assert_eq!(ports.answers, [(4, Some(3)), (5, Some(6)), (6, None)]);
        assert_eq!(answers, [(0, Some(3)), (1, Some(6)), (2, None)]);
        assert_eq!((ports.ends, cancelled), (vec![6, 7, 8], Some(6)));
    }
    let ignored = run_clusters("launch-control", &changes, cluster, (9, 1, 1));
    assert_eq!(ignored, run_asking("launch-control", &changes, (9, 1, 1)));
}

#[test]
fn under_other_schedulers_nothing_is_ever_cancelled() {
    for (latency, end) in [("0", 5), ("30", 34)] {
        let changes = [("launch.cancel", latency)];
        let (ports, answers, cancelled) = run_asking("rr", &changes, (2, 0b11, 1));
        assert_eq!((ports.answers, cancelled), (vec![], None));
        assert_eq!(answers, [(0, None), (0, None), (1, None), (1, None)]);
        assert_eq!((ports.dispatches.len(), ports.ends[0]), (2, end), "{latency}");
    }
}
