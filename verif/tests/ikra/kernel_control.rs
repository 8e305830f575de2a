//! Rationale: 1. the state is a phase, the grid of the kernel before, the need for new chunks and a timer;
//! random heads of few grids, some empty, meet each phase. 2. Latency 0, 1 and 31; chunks assigned for
//! every kernel or only where needed.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::KernelControl;
use blockyard_rtl::module::Module;
use blockyard_rtl::word::U;
use blockyard_sim::port::Dim3;
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
        self.head_grid.next = ports::block_id(inputs.head_grid);
        self.head_blocks.next = U::new(inputs.head_blocks.into());
        self.chunks_ready.next = inputs.chunks_ready;
        self.done.next = inputs.done;
        self.filled.next = inputs.filled;
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

fn control(always: bool, latency: u64) -> Lockstep<KernelControl> {
    let twin = twin::KernelControl::new(always, latency as u32);
    Lockstep::new(KernelControl::new(always, latency), twin)
}

fn head(x: u32) -> Inputs {
    let head_grid = Dim3::new(x, 2, 1);
    Inputs { head_valid: true, head_grid, head_blocks: 2 * x, ..Inputs::default() }
}

fn ready(x: u32) -> Inputs {
    Inputs { chunks_ready: true, ..head(x) }
}

fn done(x: u32) -> Inputs {
    Inputs { done: true, ..head(x) }
}

/// The first kernel, to its end.
fn first(control: &mut Lockstep<KernelControl>, x: u32) {
    assert!(control.cycle(&head(x)).assigns);
    assert!(control.cycle(&ready(x)).load);
    assert!(control.cycle(&done(x)).finish);
}

#[test]
fn the_first_kernel_and_one_of_another_grid_get_chunks_and_one_of_the_same_grid_keeps_them() {
    let mut control = control(false, 0);
    first(&mut control, 3);
    let kept = control.cycle(&head(3));
    assert!(kept.begins && !kept.load && !kept.assigns);
    assert!(control.cycle(&done(3)).finish);
    assert!(control.cycle(&head(4)).assigns);
    assert!(!control.cycle(&head(4)).begins, "chunking");
    let begun = control.cycle(&ready(4));
    assert!(begun.begins && begun.load);
    assert!(control.cycle(&head(4)).running);
}

#[test]
fn an_empty_kernel_ends_at_once_and_leaves_the_grid_before_it_in_force() {
    let mut control = control(false, 0);
    first(&mut control, 3);
    let empty = Inputs { head_blocks: 0, ..head(9) };
    for _ in 0..2 {
        let ended = control.cycle(&empty);
        assert!(ended.finish && !ended.begins && !ended.assigns);
    }
    assert!(control.cycle(&head(3)).begins);
}

#[test]
fn a_scheduler_that_always_assigns_keeps_nothing() {
    let mut control = control(true, 0);
    first(&mut control, 3);
    first(&mut control, 3);
}

#[test]
fn a_broadcast_holds_the_next_kernel_until_all_know_and_makes_it_assign_chunks() {
    for latency in [0, 1, 31] {
        let mut control = control(false, latency);
        first(&mut control, 3);
        assert!(control.cycle(&head(3)).begins);
        control.cycle(&Inputs { filled: true, ..head(3) });
        // The kernel ends in the cycle behind the broadcast: it is idle from the one after that.
        assert!(control.cycle(&done(3)).finish);
        for _ in 2..=latency {
            let held = control.cycle(&head(3));
            assert!(!held.assigns && !held.begins, "latency {latency}");
        }
        assert!(control.cycle(&head(3)).assigns, "latency {latency}");
        assert!(control.cycle(&ready(3)).load);
        assert!(control.cycle(&done(3)).finish);
        assert!(control.cycle(&head(3)).begins, "once");
    }
}

#[test]
fn a_second_broadcast_does_not_hold_anything_longer() {
    let mut control = control(false, 4);
    first(&mut control, 3);
    control.cycle(&head(3));
    control.cycle(&Inputs { filled: true, ..head(3) });
    (0..4).for_each(|_| {
        control.cycle(&head(3));
    });
    control.cycle(&Inputs { filled: true, ..head(3) });
    assert!(control.cycle(&done(3)).finish);
    assert!(control.cycle(&head(3)).assigns);
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    for (always, latency) in [(false, 0), (true, 0), (false, 1), (false, 5), (false, 31)] {
        let (mut control, mut random) = (control(always, latency), random(latency));
        let mut kernel = head(1);
        for _ in 0..30_000 {
            let mut inputs = kernel.clone();
            inputs.head_valid = random.random_bool(0.8);
            inputs.chunks_ready = random.random_bool(0.2);
            inputs.done = random.random_bool(0.1);
            inputs.reset = random.random_range(0..500) == 0;
            let state = control.peek(&inputs);
            inputs.filled = state.running && random.random_bool(0.1);
            if control.cycle(&inputs).finish {
                kernel = head(random.random_range(1..3));
                kernel.head_blocks *= u32::from(random.random_bool(0.8));
            }
        }
    }
}
