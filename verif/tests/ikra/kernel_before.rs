//! Rationale: 1. the state is a grid, whether there is one, and the need for new chunks; random
//! kernels of few grids, kept where that is allowed, meet each combination. 2. Chunks assigned for
//! every kernel or only where needed.

use crate::harness::{random, twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::ikra::KernelBefore;
use blockyard_rtl::module::Module;
use blockyard_sim::port::Dim3;
use blockyard_sim::sched::ikra as twin;
use rand::RngExt;
use twin::{KernelBeforeInputs as Inputs, KernelBeforeOutputs as Outputs};

impl Twinned for KernelBefore {
    type Twin = twin::KernelBefore;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.grid.next = ports::block_id(inputs.grid);
        self.begins.next = inputs.begins;
        self.load.next = inputs.load;
        self.filled.next = inputs.filled;
    }
    fn observe(&self) -> Outputs {
        Outputs { keeps: self.keeps.val(), told: self.told.val() }
    }
    twin_calls!();
}

fn before(always: bool) -> Lockstep<KernelBefore> {
    Lockstep::new(KernelBefore::new(always), twin::KernelBefore::new(always))
}

fn grid(x: u32) -> Inputs {
    Inputs { grid: Dim3::new(x, 2, 1), ..Inputs::default() }
}

fn load(x: u32) -> Inputs {
    Inputs { begins: true, load: true, ..grid(x) }
}

#[test]
fn a_kernel_keeps_the_chunks_of_the_same_grid_and_of_no_other() {
    let mut before = before(false);
    assert!(!before.cycle(&grid(3)).keeps, "there was none");
    before.cycle(&load(3));
    assert!(before.cycle(&grid(3)).keeps);
    for other in [Dim3::new(2, 2, 1), Dim3::new(3, 1, 1), Dim3::new(3, 2, 2)] {
        assert!(!before.cycle(&Inputs { grid: other, ..Inputs::default() }).keeps, "{other}");
    }
    before.cycle(&load(4));
    assert!(!before.cycle(&grid(3)).keeps);
}

#[test]
fn a_scheduler_that_always_assigns_keeps_nothing() {
    let mut before = before(true);
    before.cycle(&load(3));
    assert!(!before.cycle(&grid(3)).keeps);
}

#[test]
fn behind_a_full_queue_chunks_are_assigned_once() {
    let mut before = before(false);
    before.cycle(&load(3));
    assert!(!before.cycle(&Inputs { filled: true, ..grid(3) }).told);
    let full = before.cycle(&grid(3));
    assert!(full.told && !full.keeps);
    before.cycle(&load(3));
    let anew = before.cycle(&grid(3));
    assert!(!anew.told && anew.keeps);
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    for always in [false, true] {
        let (mut before, mut random) = (before(always), random(u64::from(always)));
        for _ in 0..30_000 {
            let mut inputs = grid(random.random_range(1..3));
            inputs.begins = random.random_bool(0.3);
            inputs.load = inputs.begins && (!before.peek(&inputs).keeps || random.random_bool(0.2));
            inputs.filled = !inputs.begins && random.random_bool(0.1);
            inputs.reset = random.random_range(0..100) == 0;
            before.cycle(&inputs);
        }
    }
}
