//! Rationale: 1. the state machine visits eight entries; every set of kernels of a few sizes,
//! changes in the middle. 2. Two SMXs of different limits.

use super::{any_needs, numbers, C2050};
use crate::harness::{Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::module::Module;
use blockyard_rtl::srtf::Reserve;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, BlockNeeds, KernelLaunch, SmxLimits};
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::{ReserveInputs as Inputs, ReserveOutputs as Outputs};

const K20C: SmxLimits =
    SmxLimits { threads: 2048, registers: 65_536, shared_memory: 49_152, thread_block_slots: 16 };

impl Twinned for Reserve {
    type Twin = twin::Reserve;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.change.next = inputs.change;
        self.present.next = U::new(inputs.present.into());
        for k in 0..8 {
            let words = KernelLaunch { needs: inputs.needs[k], ..KernelLaunch::default() };
            self.needs[k].next = ports::launch(Some(&words)).needs;
        }
    }
    fn observe(&self) -> Outputs {
        Outputs {
            busy: self.busy.val(),
            limit: std::array::from_fn(|k| self.limit[k].val().raw() as u32),
        }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        twin.evaluate(inputs)
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        twin.clock(inputs)
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

fn reserve(limits: SmxLimits) -> Lockstep<Reserve> {
    Lockstep::new(Reserve::new(ports::limits(limits)), twin::Reserve::new(limits))
}

/// Cycles until the limits are known, and the limits.
fn settle(reserve: &mut Lockstep<Reserve>, kernels: &[(usize, BlockNeeds)]) -> (u32, [u32; 8]) {
    let mut inputs = Inputs { change: true, ..Inputs::default() };
    for &(k, needs) in kernels {
        inputs.present |= 1 << k;
        inputs.needs[k] = needs;
    }
    reserve.cycle(&inputs);
    inputs.change = false;
    let mut cycles = 0;
    loop {
        let outputs = reserve.cycle(&inputs);
        if !outputs.busy {
            return (cycles, outputs.limit);
        }
        cycles += 1;
    }
}

fn threads(threads: u32) -> BlockNeeds {
    BlockNeeds { threads, ..BlockNeeds::default() }
}

#[test]
fn one_kernel_alone_reserves_nothing_and_two_leave_room_for_a_block_of_the_other() {
    let mut reserve = reserve(C2050);
    // Section 5.2.2: each sets aside resources for one block of the other.
    assert_eq!(settle(&mut reserve, &[(0, threads(256))]), (8 + 1 + 6, [6, 0, 0, 0, 0, 0, 0, 0]));
    let (_, limit) = settle(&mut reserve, &[(0, threads(256)), (1, threads(128))]);
    assert_eq!(limit[..2], [5, 7], "(1536 - 128) / 256 and the slots");
    let (_, limit) = settle(&mut reserve, &[(0, threads(64)), (1, threads(64))]);
    assert_eq!(limit[..2], [7, 7], "eight slots less one");
}

#[test]
fn a_limit_is_never_below_one_block() {
    let mut reserve = reserve(C2050);
    let (_, limit) = settle(&mut reserve, &[(3, threads(1536)), (5, threads(1536))]);
    assert_eq!((limit[3], limit[5]), (1, 1));
}

#[test]
fn hardware_and_twin_agree_on_random_sets_that_change_in_the_middle() {
    for limits in [C2050, K20C] {
        let (mut reserve, mut random) = (reserve(limits), numbers(limits.threads.into()));
        let mut inputs = Inputs::default();
        for _ in 0..60_000 {
            inputs.reset = random.random_range(0..3_000) == 0;
            inputs.change = random.random_range(0..60) == 0;
            reserve.cycle(&inputs);
            if inputs.change {
                // The new set shows from the next cycle on.
                inputs.present = random.random::<u8>() & random.random::<u8>();
                inputs.needs = std::array::from_fn(|k| {
                    let there = inputs.present >> k & 1 == 1;
                    if there {
                        any_needs(&mut random)
                    } else {
                        BlockNeeds::default()
                    }
                });
            }
        }
    }
}
