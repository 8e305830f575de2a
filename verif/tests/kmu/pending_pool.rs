//! Rationale: 1. the state is two places that wrap at 2^32, which steps of one do not reach in a
//! test: that they wrap is tested on the twin and follows from the words' width. 2. There is no
//! parameter.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::kmu::PendingPool;
use blockyard_rtl::module::Module;
use blockyard_sim::sched::kmu as twin;
use rand::RngExt;
use twin::{PendingPoolInputs as Inputs, PendingPoolOutputs as Outputs};

impl Twinned for PendingPool {
    type Twin = twin::PendingPool;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.push.next = inputs.push;
        self.pop.next = inputs.pop;
    }
    fn observe(&self) -> Outputs {
        Outputs { any: self.any.val(), first: self.first.val().raw() as u32 }
    }
    twin_calls!();
}

fn pool() -> Lockstep<PendingPool> {
    Lockstep::new(PendingPool::new(), twin::PendingPool::new())
}

fn step(pool: &mut Lockstep<PendingPool>, push: bool, pop: bool) -> (bool, u32) {
    let outputs = pool.cycle(&Inputs { reset: false, push, pop });
    (outputs.any, outputs.first)
}

#[test]
fn a_record_can_be_taken_in_the_cycle_in_which_it_comes() {
    let mut pool = pool();
    assert_eq!(step(&mut pool, false, false), (false, 0));
    assert_eq!(step(&mut pool, true, true), (true, 0));
    assert_eq!(step(&mut pool, false, false), (false, 1));
}

#[test]
fn records_leave_in_the_order_in_which_they_came() {
    let mut pool = pool();
    for _ in 0..5 {
        step(&mut pool, true, false);
    }
    for place in 0..5 {
        assert_eq!(step(&mut pool, false, true), (true, place));
    }
    assert_eq!(step(&mut pool, false, false), (false, 5));
}

#[test]
fn reset_empties_the_pool_and_counts_from_zero() {
    let mut pool = pool();
    for _ in 0..3 {
        step(&mut pool, true, false);
    }
    step(&mut pool, false, true);
    pool.cycle(&Inputs { reset: true, push: true, pop: false });
    assert_eq!(step(&mut pool, false, false), (false, 0));
}

#[test]
fn hardware_and_twin_agree_on_random_records() {
    let (mut random, mut pool) = (random(3), pool());
    let mut waiting = 0;
    for cycle in 0..5_000 {
        let push = random.random_bool(if cycle / 200 % 2 == 0 { 0.8 } else { 0.1 });
        let pop = (waiting > 0 || push) && random.random_bool(0.5);
        let (any, _) = step(&mut pool, push, pop);
        assert_eq!(any, waiting > 0 || push);
        waiting = waiting + u32::from(push) - u32::from(pop);
    }
}
