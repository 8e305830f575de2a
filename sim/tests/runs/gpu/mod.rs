//! Instruction timing, by hand. The block is dispatched in 1 and issues first in 2; when its last
//! warp exits in t, it is reported in t + 1 and the kernel's end in t + 2.

mod ahead;
mod bandwidth;
mod barriers;
mod counters;
mod dependents;
mod documentation;
mod execution;
mod faults;
mod issuing;
mod later_gpus;
mod launches;
mod memory;
mod memory_domains;
mod pausing;
mod programs;
mod questions;
mod read_only;
mod recorded;
mod sampling;
mod statistics;
mod synchronization;
mod unloaded;
mod warp_policies;

use std::rc::Rc;

use super::{run_gpu, Seen};
use blockyard_sim::diagnostic::InputError;
use blockyard_sim::gpu::config::GpuConfig;
use blockyard_sim::gpu::host::{Body, HostLaunch};
use blockyard_sim::gpu::program::*;
use blockyard_sim::gpu::Gpu;
use blockyard_sim::port::Dim3;

/// A program that hands out a list of instructions.
struct Script(std::vec::IntoIter<Instruction>);

impl WarpProgram for Script {
    fn next(&mut self, instruction: &mut Instruction) {
        *instruction = self.0.next().expect("a script ends in an exit");
    }
}

/// For each warp of each block the instructions that this gives; an exit is added.
struct OfBlocks<F>(F);

impl<F: Fn(Dim3, u32) -> Vec<Instruction>> KernelCode for OfBlocks<F> {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        for warp in 0..warps {
            let list = [(self.0)(block, warp), vec![Instruction::default()]].concat();
            programs.push(Box::new(Script(list.into_iter())));
        }
        Ok(())
    }
}

/// For each warp its instructions, the same in every block.
fn scripts(warps: Vec<Vec<Instruction>>) -> OfBlocks<impl Fn(Dim3, u32) -> Vec<Instruction>> {
    OfBlocks(move |_, warp| warps[warp as usize].clone())
}

/// One SMX of one scheduler that issues one instruction a cycle, with one unit of each kind, and
/// nothing around units and load/store unit that takes time; the rest is k20c.
fn config(changes: &[(&str, &str)]) -> GpuConfig {
    let mut config = GpuConfig::preset("k20c").unwrap();
    let plain = [
        ("smx", "1"),
        ("warp.schedulers", "1"),
        ("warp.issue_width", "1"),
        ("warp.exit_waits_for_stores", "false"),
        ("fetch.width", "0"),
        ("units.integer", "1"),
        ("units.single", "1"),
        ("units.double", "1"),
        ("latency.pipeline", "0"),
        ("latency.memory_issue", "1"),
        ("latency.memory_return", "0"),
        ("l2.sector", "64"),
    ];
    for (key, value) in plain.iter().chain(changes) {
        config.set(key, value).unwrap();
    }
    config
}

/// Launches `blocks` blocks of `warps` warps.
fn launch(code: Rc<dyn KernelCode>, blocks: u32, warps: u32) -> HostLaunch {
    HostLaunch::new("K", (Dim3::new(blocks, 1, 1), Dim3::new(32 * warps, 1, 1)), Body::Code(code))
}

fn gpu(config: GpuConfig, code: Rc<dyn KernelCode>, blocks: u32, warps: u32) -> Gpu {
    Gpu::new(config, Box::new(vec![launch(code, blocks, warps)])).unwrap()
}

/// Runs one block whose warps have these scripts.
fn seen(changes: &[(&str, &str)], warps: Vec<Vec<Instruction>>) -> Seen {
    let count = warps.len() as u32;
    let (skipping, _) =
        run_gpu(gpu(config(changes), Rc::new(scripts(warps.clone())), 1, count), true);
    let (every, _) = run_gpu(gpu(config(changes), Rc::new(scripts(warps)), 1, count), false);
    assert_eq!(skipping, every);
    skipping
}

/// The cycle in which the block's last warp exits.
fn exit_of(changes: &[(&str, &str)], warps: Vec<Vec<Instruction>>) -> u64 {
    seen(changes, warps).stats.kernels[0].finish.unwrap() - 2
}

fn add(unit: Unit, destination: Option<Register>, source: Option<Register>) -> Instruction {
    let operation = Operation::Compute(unit);
    Instruction {
        operation,
        destination,
        sources: two_sources([source, None]),
        ..Instruction::default()
    }
}

fn access(space: Space, access: Access, stride: u64) -> Instruction {
    let addresses = std::array::from_fn(|lane| stride * lane as u64).into();
    let operation = Operation::Memory { space, access, bytes: 4 };
    Instruction { operation, addresses, ..Instruction::default() }
}

/// A load of `stride` bytes from lane to lane into `destination` that reads `source`.
fn load(destination: Register, source: Option<Register>, stride: u64) -> Instruction {
    let load = access(Space::Global, Access::Load, stride);
    Instruction { destination: Some(destination), sources: two_sources([source, None]), ..load }
}

fn store(stride: u64) -> Instruction {
    access(Space::Global, Access::Store, stride)
}

/// `access` of the line at `address`, a word a lane.
fn of_line(address: u64, access: Instruction) -> Instruction {
    let addresses = std::array::from_fn(|lane| address + 4 * lane as u64);
    Instruction { addresses: addresses.into(), ..access }
}

fn barrier() -> Instruction {
    Instruction { operation: Operation::Barrier, ..Instruction::default() }
}
