//! Rationale: 1. combinational: every request of up to 3 thieves, to queue or chunk, meets every
//! set of victims with something left. 2. N = 1, 2, 3 exhausted, 4, 15, 16, 32, 33, 65 and 132
//! sampled.

use crate::dispatch::kernel_table;
use crate::harness::{drive_word, mask, random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::StealArbiter;
use blockyard_sim::port::{Activity, Dim3};
use blockyard_sim::sched::{ikra as twin, PerSmx};
use rand::RngExt;
use twin::{StealArbiterInputs as Inputs, StealArbiterOutputs as Outputs};

impl Twinned for StealArbiter {
    type Twin = twin::StealArbiter;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        mask::drive(&mut self.asks, inputs.asks);
        mask::drive(&mut self.from_chunk, inputs.from_chunk);
        mask::drive(&mut self.queue_left, inputs.queue_left);
        mask::drive(&mut self.chunk_left, inputs.chunk_left);
        for smx in 0..self.victim.len() {
            drive_word(&mut self.victim[smx], inputs.victim[smx]);
            self.queue_far[smx].next = ports::block_id(inputs.queue_far[smx]);
            self.chunk_far[smx].next = ports::block_id(inputs.chunk_far[smx]);
        }
    }
    fn observe(&self) -> Outputs {
        Outputs {
            granted: mask::from_rtl(self.granted.val()),
            refused: mask::from_rtl(self.refused.val()),
            steal_queue: mask::from_rtl(self.steal_queue.val()),
            steal_chunk: mask::from_rtl(self.steal_chunk.val()),
            block: self.block.iter().map(|port| kernel_table::block(port.val())).collect(),
        }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(_: &mut Self::Twin, _: &Inputs) -> Activity {
        Activity::Quiet
    }
    fn resets(_: &Inputs) -> bool {
        false
    }
}

fn arbiter(smxs: usize) -> Lockstep<StealArbiter> {
    Lockstep::new(StealArbiter::new(smxs), twin::StealArbiter::new(smxs))
}

/// Far blocks that are told apart.
fn victims(smx: usize) -> Inputs {
    let mut inputs = Inputs::default();
    for victim in 0..smx {
        inputs.queue_far[victim] = Dim3::new(victim as u32 + 1, 1, 0);
        inputs.chunk_far[victim] = Dim3::new(victim as u32 + 1, 0, 1);
    }
    inputs
}

fn exhaust(smxs: usize) {
    let mut arbiter = arbiter(smxs);
    // Each thief asks nobody, or one of them for one of two things.
    let choices = 2 * smxs + 1;
    for requests in 0..choices.pow(smxs as u32) {
        for left in 0..1u32 << (2 * smxs) {
            let mut inputs = victims(smxs);
            for thief in 0..smxs {
                if let Some(choice) =
                    (requests / choices.pow(thief as u32) % choices).checked_sub(1)
                {
                    inputs.asks.set(thief, true);
                    inputs.victim[thief] = choice / 2;
                    inputs.from_chunk.set(thief, choice % 2 == 1);
                }
            }
            inputs.queue_left = mask::from_bits(left & ((1 << smxs) - 1));
            inputs.chunk_left = mask::from_bits(left >> smxs);
            arbiter.cycle(&inputs);
        }
    }
}

fn sample(smxs: usize) {
    let (mut arbiter, mut random) = (arbiter(smxs), random(smxs as u64));
    for _ in 0..if smxs > 32 { 600 } else { 3_000 } {
        let mut inputs = victims(smxs);
        let most = random.random_range(1..=smxs);
        let mut any = || mask::random_smxs(smxs, &mut random);
        (inputs.queue_left, inputs.chunk_left) = (any(), any());
        (inputs.asks, inputs.from_chunk) = (any(), any());
        inputs.from_chunk = inputs.from_chunk & inputs.asks;
        for thief in inputs.asks.iter_ones() {
            inputs.victim[thief] = random.random_range(0..most);
        }
        arbiter.cycle(&inputs);
    }
}

#[test]
fn every_request_of_up_to_three_thieves_is_answered_by_the_rule() {
    exhaust(1);
    exhaust(2);
    exhaust(3);
}

#[test]
fn hardware_and_twin_agree_on_random_requests() {
    sample(4);
    sample(15);
    sample(16);
    sample(32);
    sample(33);
    sample(65);
    sample(132);
}

#[test]
fn of_several_thieves_the_lowest_one_gets_the_block_and_the_others_wait() {
    let mut arbiter = arbiter(4);
    let mut inputs = victims(4);
    inputs.asks = mask::from_bits(0b1011);
    inputs.victim = PerSmx::all(2);
    inputs.queue_left = mask::from_bits(0b0100);
    let outputs = arbiter.cycle(&inputs);
    assert_eq!(mask::to_bits(outputs.granted), 0b0001);
    assert_eq!(mask::to_bits(outputs.refused), 0);
    assert_eq!(mask::to_bits(outputs.steal_queue), 0b0100);
    assert_eq!(outputs.block[0], Dim3::new(3, 1, 0));
    inputs.queue_left = mask::from_bits(0);
    assert_eq!(mask::to_bits(arbiter.cycle(&inputs).refused), 0b1011, "nothing left: all of them");
}
