//! Rationale: 1. the state is a phase and a timer; random heads, some empty, whose chunks are kept
//! or not, meet each phase. 2. Latency 0, 1 and 31.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use blockyard_rtl::ikra::KernelControl;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{KernelControlInputs as Inputs, KernelControlOutputs as Outputs};

impl Twinned for KernelControl {
    type Twin = twin::KernelControl;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.head_valid.next = inputs.head_valid;
        self.head_blocks.next = U::new(inputs.head_blocks.into());
        self.chunks_ready.next = inputs.chunks_ready;
        self.done.next = inputs.done;
        self.filled.next = inputs.filled;
        self.keeps.next = inputs.keeps;
        self.told.next = inputs.told;
    }
    fn observe(&self) -> Outputs {
        Outputs {
            assigns: self.assigns.val(),
            begins: self.begins.val(),
            load: self.load.val(),
            running: self.running.val(),
            finish: self.finish.val(),
        }
    }
    twin_calls!();
}

fn control(latency: u64) -> Lockstep<KernelControl> {
    Lockstep::new(KernelControl::new(latency), twin::KernelControl::new(latency as u32))
}

fn head() -> Inputs {
    Inputs { head_valid: true, head_blocks: 6, ..Inputs::default() }
}

fn kept() -> Inputs {
    Inputs { keeps: true, ..head() }
}

fn ready() -> Inputs {
    Inputs { chunks_ready: true, ..head() }
}

fn done() -> Inputs {
    Inputs { done: true, ..head() }
}

#[test]
fn a_kernel_that_keeps_its_chunks_begins_at_once_and_another_one_when_they_are_known() {
    let mut control = control(0);
    assert!(control.cycle(&head()).assigns);
    assert!(!control.cycle(&head()).begins, "chunking");
    let begun = control.cycle(&ready());
    assert!(begun.begins && begun.load);
    assert!(control.cycle(&head()).running);
    assert!(control.cycle(&done()).finish);
    let begun = control.cycle(&kept());
    assert!(begun.begins && !begun.load && !begun.assigns);
}

#[test]
fn an_empty_kernel_ends_at_once() {
    let mut control = control(0);
    for keeps in [false, true] {
        let ended = control.cycle(&Inputs { head_blocks: 0, keeps, ..head() });
        assert!(ended.finish && !ended.begins && !ended.assigns);
    }
    assert!(control.cycle(&kept()).begins);
}

#[test]
fn a_broadcast_holds_the_next_kernel_until_all_know() {
    for latency in [0, 1, 31] {
        let mut control = control(latency);
        assert!(control.cycle(&kept()).begins);
        control.cycle(&Inputs { filled: true, ..head() });
        // The kernel ends in the cycle behind the broadcast: it is idle from the one after that.
        assert!(control.cycle(&Inputs { told: true, ..done() }).finish);
        for _ in 2..=latency {
            let held = control.cycle(&head());
            assert!(!held.assigns && !held.begins, "latency {latency}");
        }
        assert!(control.cycle(&head()).assigns, "latency {latency}");
    }
}

#[test]
fn a_second_broadcast_does_not_hold_anything_longer() {
    let mut control = control(4);
    control.cycle(&kept());
    control.cycle(&Inputs { filled: true, ..head() });
    (0..4).for_each(|_| {
        control.cycle(&Inputs { told: true, ..head() });
    });
    control.cycle(&Inputs { filled: true, told: true, ..head() });
    assert!(control.cycle(&Inputs { told: true, ..done() }).finish);
    assert!(control.cycle(&head()).assigns);
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    for latency in [0, 1, 5, 31] {
        let (mut control, mut random) = (control(latency), random(latency));
        let mut kernel = head();
        for _ in 0..30_000 {
            let mut inputs = kernel.clone();
            inputs.head_valid = random.random_bool(0.8);
            inputs.keeps = random.random_bool(0.5);
            inputs.chunks_ready = random.random_bool(0.2);
            inputs.done = random.random_bool(0.1);
            inputs.told = random.random_bool(0.5);
            inputs.reset = random.random_range(0..500) == 0;
            let state = control.peek(&inputs);
            inputs.filled = state.running && random.random_bool(0.1);
            if control.cycle(&inputs).finish {
                kernel = head();
                kernel.head_blocks *= u32::from(random.random_bool(0.8));
            }
        }
    }
}
