//! Kernels on a part of the SMXs, and kernels that begin before the one before them has ended: from
//! a scenario to the ports.

use std::ops::ControlFlow;

use super::{gpu_of, run_under};
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::{Inputs, KernelEntry, Outputs};
use blockyard_sim::run::observer::{DispatchedBlock, Observer};
use blockyard_sim::stats::Stats;
use proptest::prelude::*;

/// What crosses the ports of a run.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Ports {
    /// Cycle, SMX, kernel and first index of each block.
    pub(super) dispatches: Vec<(u64, usize, String, u32)>,
    /// Cycle, SMX and entry of each trigger.
    pub(super) triggers: Vec<(u64, usize, u8)>,
    /// Cycle, SMX and entry of each end.
    pub(super) ends: Vec<(u64, usize, u8)>,
}

impl Observer for Ports {
    fn cycle(&mut self, cycle: u64, inputs: &Inputs, _: &Outputs) -> ControlFlow<()> {
        let blocks = |blocks: &[Option<KernelEntry>]| -> Vec<_> {
            let stated = blocks.iter().enumerate();
            stated.filter_map(|(smx, entry)| Some((cycle, smx, entry.as_ref()?.0))).collect()
        };
        self.triggers.extend(blocks(&inputs.triggered));
        self.ends.extend(blocks(&inputs.finished));
        ControlFlow::Continue(())
    }

    fn dispatched(&mut self, block: &DispatchedBlock<'_>) {
        let kernel = block.kernel.to_owned();
        self.dispatches.push((block.cycle, block.smx, kernel, block.block.x));
    }
}

/// A run of a scenario.
#[derive(Debug, PartialEq)]
pub(super) struct Seen {
    pub(super) ports: Ports,
    stats: Stats,
}

impl Seen {
    /// Cycle and SMX of the blocks of `kernel`.
    fn blocks(&self, kernel: &str) -> Vec<(u64, usize)> {
        let all = self.ports.dispatches.iter();
        all.filter(|block| block.2 == kernel).map(|block| (block.0, block.1)).collect()
    }

    /// Of each kernel the cycles in which it was accepted and in which its bit of
    /// `finished_kernels` was high.
    pub(super) fn kernels(&self) -> Vec<(u64, u64)> {
        let of = |what: Option<u64>| what.expect("it happened");
        self.stats
            .kernels
            .iter()
            .map(|kernel| (of(kernel.distributed), of(kernel.finish)))
            .collect()
    }
}

fn run_with(scheduler: &str, text: &str, skip: bool) -> Seen {
    run_gpu(scheduler, gpu_of(text), skip)
}

/// Runs `gpu`.
pub(super) fn run_gpu(scheduler: &str, mut gpu: Gpu, skip: bool) -> Seen {
    let mut ports = Ports::default();
    let summary = run_under(scheduler, &mut gpu, skip, &mut ports);
    Seen { ports, stats: Stats::new(&gpu, &summary) }
}

fn run_on(scheduler: &str, text: &str) -> Seen {
    run_with(scheduler, text, true)
}

/// A kernel of that many blocks that states `keys`.
fn kernel(name: &str, blocks: u32, duration: &str, keys: &str) -> String {
    format!(
        "[[kernel]]\nname = \"{name}\"\ngrid = [{blocks}, 1, 1]\nblock = [32, 1, 1]\n\
         duration = {duration}\n{keys}\n"
    )
}

mod dependent;
mod partitions;
