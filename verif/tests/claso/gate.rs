//! Rationale: 1. the state is 32 entries of N + 1 credits; grids of few blocks keep all of them
//! near their thresholds. An entry that was never loaded since reset is undefined and not asked
//! about.
//! 2. N = 1, 3, 4, 13, 32, and masks of several words: 33, 65 and 132; tight and wide levels.

use super::levels;
use crate::harness::{drive_word, mask, random, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::claso::Gate;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::{Activity, KernelEntry};
use blockyard_sim::sched::mask::of;
use blockyard_sim::sched::{claso as twin, SmxMask};
use rand::RngExt;
use twin::{GateInputs as Inputs, GateLaunch, GateOutputs as Outputs};

impl Twinned for Gate {
    type Twin = twin::Gate;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch.next = ports::tagged(inputs.launch.map(|launch| launch.entry));
        self.coalesced.next = ports::tagged(inputs.coalesced.map(|group| group.entry));
        let of = inputs.launch.or(inputs.coalesced);
        self.blocks.next = U::new(of.map_or(0, |launch| launch.blocks.into()));
        self.kernel.next = U::new(inputs.kernel.0.into());
        mask::drive(&mut self.request, inputs.request);
        drive_word(&mut self.first, inputs.first);
        mask::drive(&mut self.taken, inputs.taken);
    }
    fn observe(&self) -> Outputs {
        Outputs { allow: mask::from_rtl(self.allow.val()) }
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

/// A gate after reset whose entry 0 holds a kernel of that many blocks.
fn gate(smxs: usize, active: u16, loose: u16, blocks: u32) -> Lockstep<Gate> {
    let (hardware, twin) = levels(active, loose);
    let mut gate = Lockstep::new(Gate::new(smxs, hardware), twin::Gate::new(smxs, twin));
    gate.unobserved_cycle(&launch(0, blocks));
    gate
}

fn launch(entry: u8, blocks: u32) -> Inputs {
    let launch = GateLaunch { entry: KernelEntry(entry), blocks };
    Inputs { launch: Some(launch), ..Inputs::default() }
}

/// SMXs `request` ask for a block of kernel 0, SMXs `taken` get one; the pointer is `first`.
fn ask(request: u32, first: usize, taken: u32) -> Inputs {
    let (request, taken) = (mask::from_bits(request), mask::from_bits(taken));
    Inputs { request, first, taken, ..Inputs::default() }
}

/// One cycle; the SMXs that are allowed.
#[track_caller]
fn step(gate: &mut Lockstep<Gate>, inputs: &Inputs) -> u32 {
    mask::to_bits(gate.cycle(inputs).allow)
}

fn sample(smxs: usize, active: u16, loose: u16) {
    let mut random = random(smxs as u64 + u64::from(active));
    let mut gate = gate(smxs, active, loose, 0);
    let most = 4 * smxs as u32;
    let mut load_all = true;
    let (mut allowed, mut refused) = (0, 0);
    for _ in 0..6_000 {
        if load_all {
            (0..32).for_each(|entry| {
                gate.unobserved_cycle(&launch(entry, random.random_range(0..most)));
            });
        }
        let kernel = KernelEntry(random.random_range(0..4));
        let first = random.random_range(0..smxs);
        let request = mask::random_smxs(smxs, &mut random);
        let mut inputs = Inputs { kernel, request, first, ..Inputs::default() };
        let allow = gate.peek(&inputs).allow;
        inputs.taken = match random.random_range(0..4) {
            0 => SmxMask::ZERO,
            1 => allow,
            2 => allow & mask::random_smxs(smxs, &mut random),
            // What the round robin does: one block a cycle.
            _ => of(allow.first_one()),
        };
        let entry = random.random_range(0..4);
        if random.random_bool(0.1) && (entry != kernel.0 || !inputs.taken.any()) {
            inputs.launch = launch(entry, random.random_range(0..most)).launch;
        }
        inputs.reset = random.random_range(0..1_500) == 0;
        load_all = inputs.reset;
        gate.cycle(&inputs);
        allowed += allow.count_ones();
        refused += request.count_ones() - allow.count_ones();
    }
    assert!(allowed > 300 && refused > 300, "{allowed} allowed, {refused} refused");
}

#[test]
fn hardware_and_twin_agree_on_random_requests() {
    sample(1, 1, 0);
    sample(3, 2, 0);
    sample(4, 1, 0);
    sample(4, 2, 1);
    sample(13, 1, 2);
    sample(32, 1, 0);
    sample(33, 2, 0);
    sample(65, 1, 0);
    sample(132, 1, 0);
}

#[test]
fn seventeen_blocks_on_four_cores_are_shared_five_four_four_four() {
    // The worked example of section 3.2: a core that asks alone for ever gets five at most, and
    // only one of them all gets the fifth.
    let mut gate = gate(4, 1, 0, 17);
    for core in [2, 0, 3, 1] {
        let most = if core == 2 { 5 } else { 4 };
        for _ in 0..most {
            assert_eq!(step(&mut gate, &ask(1 << core, 0, 1 << core)), 1 << core);
        }
        assert_eq!(step(&mut gate, &ask(1 << core, 0, 0)), 0, "core {core} has had {most}");
    }
}

#[test]
fn global_credits_go_to_the_first_cores_from_the_pointer_on_and_wrap() {
    // Two blocks on four cores: one local credit each, which needs one of two global ones.
    for (request, first, allowed) in [
        (0b1111, 0, 0b0011),
        (0b1111, 1, 0b0110),
        (0b1111, 2, 0b1100),
        (0b1111, 3, 0b1001),
        (0b0111, 3, 0b0011),
        (0b0100, 3, 0b0100),
        (0b0000, 3, 0b0000),
    ] {
        let mut gate = gate(4, 1, 0, 2);
        assert_eq!(step(&mut gate, &ask(request, first, 0)), allowed, "{request:b} from {first}");
    }
}

#[test]
fn with_no_global_credit_left_only_cores_above_the_threshold_are_allowed() {
    // Five blocks on four cores: two local credits each, one global one.
    let mut gate = gate(4, 1, 0, 5);
    assert_eq!(step(&mut gate, &ask(0b1111, 0, 0b0111)), 0b1111);
    assert_eq!(step(&mut gate, &ask(0b1111, 1, 0b0010)), 0b1010, "3 is free, 1 is first");
    assert_eq!(step(&mut gate, &ask(0b1111, 0, 0)), 0b1000, "the budget is spent");
    assert_eq!(step(&mut gate, &ask(0b0111, 0, 0)), 0);
}

#[test]
fn several_cores_that_take_global_credits_in_one_cycle_spend_one_each() {
    // Two global credits; every core has local ones left all the time.
    for (taken, next) in [(0b0000, 0b0011), (0b0001, 0b0001), (0b0011, 0b0000)] {
        let mut gate = gate(4, 1, 1, 2);
        assert_eq!(step(&mut gate, &ask(0b1111, 0, taken)), 0b0011);
        assert_eq!(step(&mut gate, &ask(0b1111, 0, 0)), next, "taken {taken:b}");
    }
}

#[test]
fn what_is_refused_or_not_taken_up_consumes_nothing() {
    let mut gate = gate(2, 1, 0, 1);
    for _ in 0..10 {
        assert_eq!(step(&mut gate, &ask(0b11, 1, 0)), 0b10);
    }
    assert_eq!(step(&mut gate, &ask(0b11, 0, 0b01)), 0b01);
    for _ in 0..10 {
        assert_eq!(step(&mut gate, &ask(0b11, 0, 0)), 0, "the global credit is gone");
    }
    gate.cycle(&launch(0, 3));
    assert_eq!(step(&mut gate, &ask(0b11, 0, 0b11)), 0b11);
    assert_eq!(step(&mut gate, &ask(0b11, 0, 0b01)), 0b01, "two each, one global");
}

#[test]
fn a_kernel_launched_in_a_cycle_has_its_credits_in_the_next_one() {
    let mut gate = gate(4, 1, 0, 0);
    let now = Inputs { launch: launch(0, 4).launch, ..ask(0b1111, 0, 0) };
    assert_eq!(step(&mut gate, &now), 0);
    assert_eq!(step(&mut gate, &ask(0b1111, 0, 0)), 0b1111);
}

#[test]
fn an_empty_grid_is_refused_even_with_wide_levels() {
    let mut gate = gate(4, 9, 9, 0);
    assert_eq!(step(&mut gate, &ask(0b1111, 0, 0)), 0);
}

#[test]
fn a_launch_and_blocks_of_another_kernel_in_one_cycle_both_count() {
    let mut gate = gate(2, 1, 0, 2);
    let both = Inputs { launch: launch(1, 2).launch, ..ask(0b11, 0, 0b11) };
    assert_eq!(step(&mut gate, &both), 0b11);
    assert_eq!(step(&mut gate, &ask(0b11, 0, 0)), 0);
    let other = Inputs { kernel: KernelEntry(1), ..ask(0b11, 0, 0) };
    assert_eq!(step(&mut gate, &other), 0b11);
}

#[test]
fn after_a_reset_a_launched_kernel_has_exactly_its_own_credits() {
    let mut gate = gate(4, 1, 0, 400);
    step(&mut gate, &ask(0b1111, 0, 0b0001));
    gate.cycle(&Inputs { reset: true, ..ask(0b1111, 0, 0b0010) });
    gate.unobserved_cycle(&launch(0, 1));
    assert_eq!(step(&mut gate, &ask(0b1111, 2, 0b0100)), 0b0100);
    assert_eq!(step(&mut gate, &ask(0b1111, 2, 0)), 0);
}

#[test]
fn a_group_that_is_coalesced_brings_its_kernel_as_many_credits_as_its_blocks_need() {
    // Two cores; a kernel of two blocks, then a group of three.
    let mut gate = gate(2, 1, 0, 2);
    for (first, taken, allowed) in [(0, 1, 3), (1, 2, 2)] {
        assert_eq!(step(&mut gate, &ask(3, first, taken)), allowed);
    }
    assert_eq!(step(&mut gate, &ask(3, 0, 0)), 0, "the credits are used up");
    let coalesced = launch(0, 3).launch;
    assert_eq!(step(&mut gate, &Inputs { coalesced, ..ask(3, 0, 0) }), 0);
    // ceil(3 / 2) local credits a core, ((3 - 1) mod 2) + 1 global one.
    for (request, expected) in [(1, 1), (2, 2), (1, 1), (2, 0)] {
        assert_eq!(step(&mut gate, &ask(request, 0, expected)), expected);
    }
}
