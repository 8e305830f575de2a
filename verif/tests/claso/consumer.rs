//! Rationale: 1. the state is 32 credits; an entry that was never loaded since reset is undefined
//! and not asked about. 2. thresholds from 1 to the largest.

use super::levels;
use crate::harness::{random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::claso::Consumer;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, KernelEntry};
use blockyard_sim::sched::claso as twin;
use rand::RngExt;
use twin::{ConsumerInputs as Inputs, ConsumerOutputs as Outputs, Load};

impl Twinned for Consumer {
    type Twin = twin::Consumer;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.load.next = ports::tagged(inputs.load.map(|load| load.entry));
        self.add.next = ports::tagged(inputs.add.map(|add| add.entry));
        self.credits.next = U::new(inputs.load.or(inputs.add).map_or(0, |load| load.credits));
        self.kernel.next = U::new(inputs.kernel.0.into());
        self.take.next = inputs.take;
    }
    fn observe(&self) -> Outputs {
        Outputs { free: self.free.val(), needs_global: self.needs_global.val() }
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

const FREE: Outputs = Outputs { free: true, needs_global: false };
const NEEDS_GLOBAL: Outputs = Outputs { free: false, needs_global: true };
const REFUSED: Outputs = Outputs { free: false, needs_global: false };

/// A consumer whose entries all have no credits.
fn consumer(active: u16, loose: u16) -> Lockstep<Consumer> {
    let (hardware, twin) = levels(active, loose);
    let mut consumer = Lockstep::new(Consumer::new(hardware), twin::Consumer::new(twin));
    load_all(&mut consumer, 0);
    consumer
}

fn load_all(consumer: &mut Lockstep<Consumer>, credits: u64) {
    (0..32).for_each(|entry| consumer.unobserved_cycle(&load(entry, credits)));
}

fn load(entry: u8, credits: u64) -> Inputs {
    let load = Load { entry: KernelEntry(entry), credits };
    Inputs { load: Some(load), ..Inputs::default() }
}

fn ask(kernel: u8) -> Inputs {
    Inputs { kernel: KernelEntry(kernel), ..Inputs::default() }
}

fn take(kernel: u8) -> Inputs {
    Inputs { take: true, ..ask(kernel) }
}

#[test]
fn hardware_and_twin_agree_on_random_loads_and_takes() {
    for (active, loose) in [(1, 0), (2, 3), (7, 1), (u16::MAX, u16::MAX)] {
        let threshold = u64::from(active) + u64::from(loose);
        let mut random = random(threshold);
        let mut consumer = consumer(active, loose);
        for _ in 0..10_000 {
            let mut inputs = ask(random.random_range(0..32));
            let has_credit = consumer.peek(&inputs) != REFUSED;
            inputs.take = has_credit && random.random_bool(0.7);
            let entry = random.random_range(0..32);
            if random.random_bool(0.3) && !(inputs.take && entry == inputs.kernel.0) {
                let near = threshold + random.random_range(0..6);
                let credits = near.saturating_sub(2) * u64::from(random.random_bool(0.9));
                inputs.load = load(entry, credits).load;
            } else if random.random_bool(0.1) {
                // Credits of a group come on top, also of what is taken in this cycle.
                inputs.add = load(random.random_range(0..32), random.random_range(0..4)).load;
            }
            inputs.reset = random.random_range(0..2_000) == 0;
            consumer.cycle(&inputs);
            if inputs.reset {
                load_all(&mut consumer, threshold);
            }
        }
    }
}

#[test]
fn a_core_left_with_p_a_plus_p_l_credits_is_free_and_with_one_less_needs_a_global_one() {
    for (active, loose) in [(1, 0), (1, 1), (2, 0), (3, 4), (u16::MAX, 0), (u16::MAX, u16::MAX)] {
        let sum = u64::from(active) + u64::from(loose);
        let mut consumer = consumer(active, loose);
        // C - 1 on both sides of the sum, and at both ends.
        for (credits, expected) in [
            (0, REFUSED),
            (1, NEEDS_GLOBAL),
            (sum, NEEDS_GLOBAL),
            (sum + 1, FREE),
            (sum + 2, FREE),
            ((1 << 32) - 1, FREE),
        ] {
            consumer.cycle(&load(3, credits));
            assert_eq!(consumer.cycle(&ask(3)), expected, "C {credits}, sum {sum}");
        }
    }
}

#[test]
fn each_take_uses_up_one_credit_until_the_core_is_refused() {
    let mut consumer = consumer(1, 0);
    consumer.cycle(&load(0, 5));
    for expected in [FREE, FREE, FREE, FREE, NEEDS_GLOBAL] {
        assert_eq!(consumer.cycle(&ask(0)), expected, "asking is free");
        assert_eq!(consumer.cycle(&take(0)), expected);
    }
    assert_eq!(consumer.cycle(&ask(0)), REFUSED);
}

#[test]
fn a_load_is_seen_one_cycle_later_and_in_its_entry_alone() {
    let mut consumer = consumer(1, 0);
    let at_once = Inputs { kernel: KernelEntry(31), ..load(31, 1) };
    assert_eq!(consumer.cycle(&at_once), REFUSED);
    for kernel in 0..32 {
        let expected = if kernel == 31 { NEEDS_GLOBAL } else { REFUSED };
        assert_eq!(consumer.cycle(&ask(kernel)), expected, "{kernel}");
    }
}

#[test]
fn a_take_and_a_load_of_another_entry_in_one_cycle_both_count() {
    let mut consumer = consumer(1, 0);
    consumer.cycle(&load(4, 2));
    assert_eq!(consumer.cycle(&Inputs { load: load(5, 1).load, ..take(4) }), FREE);
    assert_eq!(consumer.cycle(&ask(4)), NEEDS_GLOBAL);
    assert_eq!(consumer.cycle(&ask(5)), NEEDS_GLOBAL);
}

#[test]
fn after_a_reset_a_loaded_entry_has_exactly_what_was_loaded() {
    let mut consumer = consumer(1, 0);
    consumer.cycle(&load(9, 100));
    consumer.cycle(&Inputs { reset: true, ..take(9) });
    consumer.unobserved_cycle(&load(9, 1));
    assert_eq!(consumer.cycle(&take(9)), NEEDS_GLOBAL);
    assert_eq!(consumer.cycle(&ask(9)), REFUSED);
}

#[test]
fn a_groups_credits_come_on_top_of_what_is_taken_in_the_same_cycle() {
    let mut consumer = consumer(1, 0);
    consumer.cycle(&load(2, 1));
    let add = load(2, 2).load;
    assert_eq!(consumer.cycle(&Inputs { add, ..take(2) }), NEEDS_GLOBAL);
    assert_eq!(consumer.cycle(&take(2)), FREE, "two left");
    assert_eq!(consumer.cycle(&Inputs { add: load(7, 3).load, ..take(2) }), NEEDS_GLOBAL);
    assert_eq!(consumer.cycle(&ask(2)), REFUSED, "another kernel's group");
    assert_eq!(consumer.cycle(&ask(7)), FREE);
}
