//! Warps that cannot go on end the run.

use std::cell::Cell;

use super::*;
use blockyard_sim::run::error::RunError;
use blockyard_sim::run::observer::Nobody;
use blockyard_sim::run::{run, RunOptions};

/// Of a kernel: what each warp executes before the fault, which (block, warp) have one, what they
/// say of it, and how often they were asked.
struct Faulty {
    before: Vec<Instruction>,
    faults: Vec<(u32, u32)>,
    says: bool,
    asked: Rc<Cell<u32>>,
}

struct FaultyWarp {
    script: Script,
    message: Option<String>,
    asked: Rc<Cell<u32>>,
}

impl WarpProgram for FaultyWarp {
    fn next(&mut self, instruction: &mut Instruction) {
        self.script.next(instruction);
    }

    fn fault(&mut self) -> Option<InputError> {
        self.asked.set(self.asked.get() + 1);
        self.message.take().map(InputError::new)
    }
}

impl KernelCode for Faulty {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for warp in 0..warps {
            let faulty = self.faults.contains(&(block.x, warp));
            let operation = if faulty { Operation::Fault } else { Operation::Exit };
            let mut list = self.before.clone();
            list.push(Instruction { operation, ..Instruction::default() });
            let message = self.says.then(|| format!("trap in block {} warp {warp}", block.x));
            let script = Script(list.into_iter());
            programs.push(Box::new(FaultyWarp { script, message, asked: self.asked.clone() }));
        }
        Ok(())
    }
}

/// Runs 3 blocks of 2 warps; returns the complaint, how often a warp was asked, and how many warp
/// instructions issued.
fn complaint(
    changes: &[(&str, &str)],
    before: Vec<Instruction>,
    faults: &[(u32, u32)],
    says: bool,
) -> (String, u32, u64) {
    let outcome = |skip: bool| {
        let asked = Rc::new(Cell::new(0));
        let (before, faults) = (before.clone(), faults.to_vec());
        let code = Faulty { before, faults, says, asked: asked.clone() };
        let mut gpu = gpu(config(changes), Rc::new(code), 3, 2);
        let smx = gpu.smxs().len();
        let mut scheduler = crate::RoundRobin::new(gpu.config().limits(), smx);
        let options = RunOptions {
            skip_from: skip.then_some(0),
            max_cycles: Some(100_000),
            ..RunOptions::default()
        };
        let error = run(&mut gpu, &mut scheduler, &options, &mut Nobody).unwrap_err();
        let RunError::Input(error) = error else { panic!("{error}") };
        let issued = gpu.smxs().iter().map(|smx| smx.counts(1_000_000).warp_instructions).sum();
        (error.to_string(), asked.get(), issued)
    };
    let skipping = outcome(true);
    assert_eq!(skipping, outcome(false));
    skipping
}

#[test]
fn a_fault_ends_the_run_with_what_its_program_says() {
    for smxs in ["1", "2", "3"] {
        for fault in [(0, 0), (0, 1), (1, 0), (2, 1)] {
            let (message, asked, _) = complaint(&[("smx", smxs)], Vec::new(), &[fault], true);
            assert_eq!(message, format!("trap in block {} warp {}", fault.0, fault.1));
            assert_eq!(asked, 1);
        }
    }
}

#[test]
fn a_fault_of_which_the_program_says_nothing_names_the_block() {
    let (message, asked, _) = complaint(&[("smx", "2")], Vec::new(), &[(1, 1)], false);
    assert_eq!((&*message, asked), ("kernel `K`, block (1, 0, 0): a warp met a fault", 1));
}

#[test]
fn of_faults_of_one_cycle_the_one_on_the_lowest_smx_counts() {
    // Blocks go to the SMXs 0, 1, 2 in cycles 1, 2, 3; their warps 0 first.
    let (message, ..) = complaint(&[("smx", "3")], Vec::new(), &[(2, 0), (1, 1)], true);
    assert_eq!(message, "trap in block 1 warp 1", "both in cycle 4");
    let (message, ..) = complaint(&[("smx", "3")], Vec::new(), &[(2, 0), (1, 1), (0, 1)], true);
    assert_eq!(message, "trap in block 0 warp 1", "in cycle 3");
}

#[test]
fn nothing_issues_after_the_cycle_of_a_fault() {
    let two = vec![add(Unit::Integer, None, None); 2];
    // One block of two warps on an SMX of one scheduler: warp 0 issues in 2, 3 and 4, the fault.
    let (_, _, issued) = complaint(&[("warp.policy", "gto")], two.clone(), &[(0, 0)], true);
    assert_eq!(issued, 3);
    // The fault of warp 1 comes behind the three of warp 0.
    let (_, _, issued) = complaint(&[("warp.policy", "gto")], two, &[(0, 1)], true);
    assert_eq!(issued, 3 + 3);
}

#[test]
fn a_wide_issue_stops_at_a_fault() {
    let slow = vec![load(1, None, 128), add(Unit::Integer, Some(2), Some(1))];
    let (message, asked, _) = complaint(&[("warp.issue_width", "4")], slow, &[(0, 1)], true);
    assert_eq!((&*message, asked), ("trap in block 0 warp 1", 1));
}
