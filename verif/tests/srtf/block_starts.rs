//! Rationale: 1. the state is a start for each slot; random blocks come and go, also in one cycle,
//! and the clock wraps. 2. 1, 8 and 16 slots.

use super::numbers;
use crate::harness::{Lockstep, Twinned};
use blockyard_rtl::catalog;
use blockyard_rtl::module::Module;
use blockyard_rtl::port::Limits;
use blockyard_rtl::srtf::BlockStarts;
use blockyard_rtl::word::U;
use blockyard_sim::port::Activity;
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::{BlockStartsInputs as Inputs, BlockStartsOutputs as Outputs};

impl Twinned for BlockStarts {
    type Twin = twin::BlockStarts;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.now.next = U::new(inputs.clock);
        self.finished.next = inputs.finished.is_some();
        self.finished_slot.next = U::new(inputs.finished.unwrap_or(0).into());
        self.taken.next = inputs.taken;
    }
    fn observe(&self) -> Outputs {
        Outputs {
            slot: Some(self.slot.val().raw() as u8),
            duration: self.duration.val().raw() as u32,
        }
    }
    fn evaluate(twin: &Self::Twin, inputs: &Inputs) -> Outputs {
        let outputs = twin.evaluate(inputs);
        // Without a free slot the port shows zero, which means nothing.
        Outputs { slot: outputs.slot.or(Some(0)), ..outputs }
    }
    fn clock(twin: &mut Self::Twin, inputs: &Inputs) -> Activity {
        twin.clock(inputs)
    }
    fn resets(inputs: &Inputs) -> bool {
        inputs.reset
    }
}

fn starts(slots: u64) -> Lockstep<BlockStarts> {
    let limits = Limits { slots, ..catalog::C2050 };
    Lockstep::new(BlockStarts::new(limits), twin::BlockStarts::new(slots as u32))
}

fn take(clock: u64) -> Inputs {
    Inputs { clock, taken: true, ..Inputs::default() }
}

#[test]
fn a_block_takes_the_lowest_slot_that_is_free_or_becomes_it() {
    let mut starts = starts(8);
    for slot in 0..8 {
        assert_eq!(starts.cycle(&take(10)).slot, Some(slot));
    }
    let both = Inputs { finished: Some(5), ..take(17) };
    assert_eq!(starts.cycle(&both), Outputs { slot: Some(5), duration: 7 });
    starts.cycle(&Inputs { finished: Some(6), clock: 20, ..Inputs::default() });
    starts.cycle(&Inputs { finished: Some(3), clock: 20, ..Inputs::default() });
    assert_eq!(starts.cycle(&take(21)).slot, Some(3));
}

#[test]
fn durations_are_right_across_the_wrap_of_the_clock_and_saturate() {
    let wrap = 1u64 << 40;
    for (start, end, duration) in [
        (wrap - 5, 5, 10),
        (7, 7 + u64::from(u32::MAX), u32::MAX),
        (7, 8 + u64::from(u32::MAX), u32::MAX),
        (8, 7, u32::MAX),
    ] {
        let mut starts = starts(1);
        starts.cycle(&take(start));
        let ends = Inputs { finished: Some(0), clock: end, ..Inputs::default() };
        assert_eq!(starts.cycle(&ends).duration, duration, "{start} to {end}");
    }
}

#[test]
fn hardware_and_twin_agree_on_random_blocks() {
    for slots in [1, 8, 16] {
        let (mut starts, mut random) = (starts(slots), numbers(slots));
        let (mut used, mut clock) = (0u32, (1u64 << 40) - 9_000);
        for cycle in 0..20_000u32 {
            let filling = cycle / 100 % 2 == 0;
            let mut inputs = Inputs { clock, ..Inputs::default() };
            inputs.reset = random.random_range(0..3_000) == 0;
            let held: Vec<u8> = (0..slots as u8).filter(|slot| used >> slot & 1 == 1).collect();
            if !held.is_empty() && random.random_bool(if filling { 0.1 } else { 0.6 }) {
                let slot = held[random.random_range(0..held.len())];
                inputs.finished = Some(slot);
                used &= !(1 << slot);
            }
            let room = used.count_ones() < slots as u32;
            inputs.taken = room && random.random_bool(if filling { 0.6 } else { 0.1 });
            let slot = starts.cycle(&inputs).slot;
            if inputs.taken {
                used |= 1 << slot.expect("there was room");
            }
            if inputs.reset {
                used = 0;
            }
            clock = (clock + random.random_range(1..4)) % (1 << 40);
        }
    }
}
