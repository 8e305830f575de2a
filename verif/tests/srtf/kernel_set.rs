//! Rationale: 1. the state is eight kernels in an order, open or not; random launches, last blocks
//! and ends meet in one cycle. 2. N = 1, 3, 15, 16, 33, 65 and 132; residencies at their
//! boundaries.

use super::{any_needs, choice, numbers, C2050};
use crate::dispatch::kernel_table;
use crate::harness::{twin_calls, Lockstep, Twinned};
use crate::ports;
use blockyard_rtl::module::Module;
use blockyard_rtl::srtf::KernelSet;
use blockyard_rtl::word::U;
use blockyard_sim::port::{BlockNeeds, KernelEntry, KernelLaunch, MAX_BLOCKS};
use blockyard_sim::sched::srtf as twin;
use rand::RngExt;
use twin::{KernelSetInputs as Inputs, KernelSetOutputs as Outputs};

impl Twinned for KernelSet {
    type Twin = twin::KernelSet;
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn apply(&mut self, inputs: &Inputs) {
        self.drive_reset(inputs.reset);
        self.launch.next = choice(inputs.launch);
        self.launch_blocks.next = U::new(inputs.blocks.into());
        let words = KernelLaunch { needs: inputs.needs, ..KernelLaunch::default() };
        self.launch_needs.next = ports::launch(Some(&words)).needs;
        self.last.next = choice(inputs.last);
        self.leaves.next = U::new(inputs.leaves.into());
    }
    fn observe(&self) -> Outputs {
        Outputs {
            present: self.present.val().raw() as u8,
            open: self.open.val().raw() as u8,
            eligible: self.eligible.val().raw() as u8,
            older: std::array::from_fn(|k| self.older[k].val().raw() as u8),
            needs: std::array::from_fn(|k| kernel_table::needs(self.needs[k].val())),
            residency: std::array::from_fn(|k| self.residency[k].val().raw() as u32),
            total: std::array::from_fn(|k| self.total[k].val().raw() as u32),
        }
    }
    twin_calls!();
}

fn kernels(smx: usize) -> Lockstep<KernelSet> {
    let hardware = KernelSet::new(smx, ports::limits(C2050));
    Lockstep::new(hardware, twin::KernelSet::new(smx, C2050))
}

fn launch(kernel: u8, blocks: u32, needs: BlockNeeds) -> Inputs {
    Inputs { launch: Some(KernelEntry(kernel)), blocks, needs, ..Inputs::default() }
}

fn threads(threads: u32) -> BlockNeeds {
    BlockNeeds { threads, ..BlockNeeds::default() }
}

#[test]
fn residency_is_what_fits_and_not_one_thread_more() {
    for blocks in 1..=8 {
        for (need, expected) in [(1536 / blocks, blocks), (1536 / blocks + 1, blocks - 1)] {
            let mut kernels = kernels(15);
            kernels.cycle(&launch(2, 1, threads(need)));
            let found = kernels.cycle(&Inputs::default()).residency[2];
            // More than its share of all may still be the share of fewer.
            let most = (1..=8).filter(|n| need <= 1536 / n).max().unwrap_or(0);
            assert_eq!(found, most, "{need} threads");
            assert!(found == expected || most != expected);
        }
    }
    let mut kernels = kernels(15);
    kernels.cycle(&launch(0, 1, threads(0)));
    assert_eq!(kernels.cycle(&Inputs::default()).residency[0], 8, "the slots");
}

#[test]
fn total_is_the_share_of_an_smx_rounded_up_and_saturates() {
    for (smx, blocks, total) in [
        (15, 15, 1),
        (15, 16, 2),
        (1, 7, 7),
        (16, MAX_BLOCKS, (1 << 24) - 1),
        (132, 132 * 7, 7),
        (132, 132 * 7 + 1, 8),
        (132, MAX_BLOCKS, MAX_BLOCKS.div_ceil(132)),
        (1, (1 << 24) - 1, (1 << 24) - 1),
        (1, 1 << 24, (1 << 24) - 1),
    ] {
        let mut kernels = kernels(smx);
        kernels.cycle(&launch(7, blocks, threads(1)));
        assert_eq!(kernels.cycle(&Inputs::default()).total[7], total, "{blocks} on {smx}");
    }
}

#[test]
fn a_kernel_without_blocks_is_open_for_one_cycle_and_never_eligible() {
    let mut kernels = kernels(4);
    kernels.cycle(&launch(3, 0, threads(1)));
    let first = kernels.cycle(&Inputs::default());
    assert_eq!((first.open, first.eligible, first.present), (1 << 3, 0, 1 << 3));
    let second = kernels.cycle(&Inputs::default());
    assert_eq!((second.open, second.present), (0, 1 << 3));
}

#[test]
fn hardware_and_twin_agree_on_random_kernels() {
    for smx in [1, 3, 15, 16, 33, 65, 132] {
        let (mut kernels, mut random) = (kernels(smx), numbers(smx as u64));
        for _ in 0..20_000 {
            let mut inputs =
                Inputs { reset: random.random_range(0..3_000) == 0, ..Default::default() };
            let state = kernels.peek(&inputs);
            let k = random.random_range(0..8);
            if state.present >> k & 1 == 0 && random.random_bool(0.5) {
                inputs.launch = Some(KernelEntry(k));
            }
            // Without a launch these mean nothing.
            let draw = random.random_range(0..10);
            inputs.blocks = match draw {
                0 => 0,
                1 => random.random_range(0..=MAX_BLOCKS),
                _ => random.random_range(0..100),
            };
            inputs.needs = any_needs(&mut random);
            let last = random.random_range(0..8);
            if state.eligible >> last & 1 == 1 && random.random_bool(0.3) {
                inputs.last = Some(KernelEntry(last));
            }
            let closed = state.present & !state.open;
            inputs.leaves = closed & random.random::<u8>() & random.random::<u8>();
            kernels.cycle(&inputs);
        }
    }
}
