//! Rationale: 1. the state is one waiting kernel for each of 32 queues; random acceptances fill all
//! queues, and any number of kernels end in one cycle. 2. There is no parameter.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::kmu::WorkQueues;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::KernelEntry;
use blockyard_sim::sched::kmu as twin;
use rand::RngExt;
use twin::{WorkQueuesInputs as Inputs, WorkQueuesOutputs as Outputs};

impl Twinned for WorkQueues {
    type Twin = twin::WorkQueues;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.accepted.next = inputs.accepted.is_some();
        self.work_queue.next = U::new(inputs.accepted.unwrap_or(0).into());
        self.accepted_entry.next = U::new(inputs.accepted_entry.0.into());
        self.finished_kernels.next = U::new(inputs.finished_kernels.into());
    }
    fn observe(&self) -> Outputs {
        Outputs { inspect: self.inspect.val().raw() as u32 }
    }
    twin_calls!();
}

fn queues() -> Lockstep<WorkQueues> {
    Lockstep::new(WorkQueues::new(), twin::WorkQueues::new())
}

fn accept(queue: u8, entry: u8) -> Inputs {
    let accepted = Some(queue);
    Inputs { accepted, accepted_entry: KernelEntry(entry), ..Inputs::default() }
}

fn ends(finished_kernels: u32) -> Inputs {
    Inputs { finished_kernels, ..Inputs::default() }
}

#[test]
fn a_queue_is_not_inspected_from_the_cycle_after_its_head_is_accepted_until_that_kernel_has_ended()
{
    let mut queues = queues();
    assert_eq!(queues.cycle(&accept(4, 9)).inspect, u32::MAX, "the cycle of the acceptance");
    assert_eq!(queues.cycle(&ends(1 << 4)).inspect, !(1 << 4), "entry 4 is another kernel");
    assert_eq!(queues.cycle(&ends(1 << 9)).inspect, !(1 << 4), "the cycle in which it ends");
    assert_eq!(queues.cycle(&Inputs::default()).inspect, u32::MAX);
}

#[test]
fn the_entry_of_a_kernel_that_ends_may_go_to_another_queue_in_the_next_cycle() {
    let mut queues = queues();
    queues.cycle(&accept(0, 3));
    queues.cycle(&ends(1 << 3));
    queues.cycle(&accept(31, 3));
    assert_eq!(queues.cycle(&ends(1 << 3)).inspect, u32::MAX >> 1);
    assert_eq!(queues.cycle(&Inputs::default()).inspect, u32::MAX);
}

#[test]
fn all_queues_may_wait_and_all_kernels_end_in_one_cycle() {
    let mut queues = queues();
    for queue in 0..32 {
        queues.cycle(&accept(queue, 31 - queue));
    }
    assert_eq!(queues.cycle(&ends(u32::MAX)).inspect, 0);
    assert_eq!(queues.cycle(&Inputs::default()).inspect, u32::MAX);
}

#[test]
fn reset_in_the_middle_lets_every_queue_be_inspected() {
    let mut queues = queues();
    queues.cycle(&accept(1, 1));
    queues.cycle(&Inputs { reset: true, ..accept(2, 2) });
    assert_eq!(queues.cycle(&Inputs::default()).inspect, u32::MAX);
}

#[test]
fn hardware_and_twin_agree_on_random_acceptances_and_ends() {
    for seed in 0..20 {
        let (mut random, mut queues) = (random(seed), queues());
        let mut held = [None::<u8>; 32];
        let mut fewest = u32::MAX;
        for _ in 0..3_000 {
            let reset = random.random_range(0..1_000) == 0;
            let mut finished = 0;
            for entry in held.iter().flatten() {
                finished |= u32::from(random.random_bool(0.02)) << entry;
            }
            let queue = random.random_range(0..32usize);
            let taken: u32 = held.iter().flatten().map(|&entry| 1u32 << entry).sum();
            let entry = (!taken).trailing_zeros() as u8;
            let mut inputs = Inputs { reset, ..ends(finished) };
            if held[queue].is_none() && entry < 32 {
                inputs = Inputs { reset, finished_kernels: finished, ..accept(queue as u8, entry) };
            }
            let inspect = queues.cycle(&inputs).inspect;
            fewest = fewest.min(inspect.count_ones());
            for held in &mut held {
                held.take_if(|entry| reset || finished >> *entry & 1 == 1);
            }
            if inputs.accepted.is_some() && !reset {
                held[queue] = Some(entry);
            }
        }
        assert!(fewest < 8, "seed {seed}: {fewest} queues left");
    }
}
