use super::*;
use crate::engine::Running;
use crate::kit::Recorder;
use crate::random_lockstep::RandomLockstep;
use crate::regress::{few, StopFlag};
use crate::replay;
use blockyard_sim::port::{Activity, Inputs, Outputs, Scheduler};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A twin that keeps what it has said.
struct Kept(Box<dyn Scheduler>, Rc<RefCell<Vec<Outputs>>>);

impl Scheduler for Kept {
    fn smx(&self) -> usize {
        self.0.smx()
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        let activity = self.0.cycle(inputs, outputs);
        self.1.borrow_mut().push(outputs.clone());
        activity
    }

    fn remember(&mut self) {
        self.0.remember();
    }

    fn is_back(&self) -> bool {
        self.0.is_back()
    }

    fn explain(&self) -> String {
        self.0.explain()
    }
}

/// Both ways: no bit too many, which would differ where lockstep sees none, and none too few.
#[test]
fn what_is_compared_and_what_lockstep_compares_determine_each_other() {
    for few in few(1) {
        // Longer than a spell in which nothing is launched.
        let run = RandomLockstep { cycles: 2000, ..few.quick[0].clone() };
        let said = Rc::default();
        let twin = Box::new(Kept(run.twin().expect("a twin"), Rc::clone(&said)));
        let mut hardware = run.hardware().expect("hardware");
        let recorder = Recorder::default();
        hardware.watch(Box::new(recorder.clone()));
        let ports = replay::ports(hardware.module());
        let running = Running::lockstep(twin, hardware, None);
        run.drive(running, &StopFlag::new(), None).expect("both agree");
        let trace = recorder.trace(ports.clone());
        let all = compared(&ports);
        let (mut by_row, mut by_word) = (HashMap::new(), HashMap::new());
        let behind_reset = trace.cycles.len() - said.borrow().len();
        for (cycle, word) in trace.cycles[behind_reset..].iter().zip(said.borrow().iter()) {
            if !cycle.compared {
                continue;
            }
            // A kernel from a pool is taken where it is offered, which is an input: bits that are
            // zero mean something or not.
            let mut bits = vec![0; cycle.outputs.len()];
            mask(&ports, &all, &cycle.inputs, &cycle.outputs, &mut bits);
            let words: Vec<u32> =
                bits.iter().zip(&cycle.outputs).map(|(mask, word)| mask & word).collect();
            let row = (bits, words);
            let word = format!("{word:?}");
            let name = &run.composition;
            assert_eq!(by_row.entry(row.clone()).or_insert(word.clone()), &word, "{name}: too few");
            assert_eq!(by_word.entry(word).or_insert(row.clone()), &row, "{name}: too many");
        }
        assert!(by_row.len() > 1, "{}: enough happens", run.composition);
    }
}
