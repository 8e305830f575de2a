//! Rules of priority queues. Every SMX has one slot, which a block of the host's kernel fills, in
//! entry 0; groups are coalesced to that kernel.

mod entering;
mod memory;
mod order;

use super::refused;
use super::*;
use crate::composition::Composition;
use crate::port::*;

const LIMITS: SmxLimits =
    SmxLimits { threads: 2048, registers: 1000, shared_memory: 500, thread_block_slots: 1 };

const SMXS: usize = 3;

/// Three full SMXs; what a scheduler that does nothing wrong says in a quiet cycle.
struct Bench {
    invariants: Invariants,
    quiet: Outputs,
}

fn kernel(blocks: u32) -> KernelLaunch {
    let needs = BlockNeeds { threads: 32, registers: 1, shared_memory: 1 };
    let (grid, block) = (Dim3::new(blocks, 1, 1), Dim3::new(32, 1, 1));
    KernelLaunch { entry_pc: 64, grid, block, blocks, needs, ..Default::default() }
}

fn group(pointer: u32, blocks: u32) -> AggregatedGroup {
    let grid = Dim3::new(blocks, 1, 1);
    AggregatedGroup { pointer, grid, blocks, ..Default::default() }
}

fn of(pointer: u32) -> Option<GroupReference> {
    Some(GroupReference::in_memory(pointer))
}

fn entry(pointer: u32) -> QueueEntry {
    QueueEntry { kernel: KernelEntry(0), group: of(pointer), grid: Dim3::new(1, 1, 1) }
}

fn place(queue: u8, level: u8) -> QueuePlace {
    QueuePlace { queue, level }
}

impl Bench {
    /// After a kernel with three blocks, and `more` that wait.
    fn new(scheduler: &str, more: u32) -> Self {
        let composition: Composition = scheduler.parse().unwrap();
        let invariants = Invariants::new(LIMITS, SMXS, (&composition).into());
        let mut quiet = Outputs::idle(SMXS);
        quiet.launch_ready = Some(KernelEntry(0));
        quiet.device.management.inspect = u32::MAX;
        let mut bench = Self { invariants: invariants.launching(LaunchMode::Dtbl, 1), quiet };
        bench.cycle(|inputs, _| inputs.launch = Some(kernel(3 + more))).unwrap();
        bench.quiet.launch_ready = Some(KernelEntry(1));
        bench.quiet.device.management.inspect = !1;
        for smx in 0..SMXS {
            let native = native(smx as u32);
            bench.cycle(|_, outputs| outputs.dispatch[smx] = Some(native)).unwrap();
        }
        bench
    }

    fn cycle(&mut self, change: impl FnOnce(&mut Inputs, &mut Outputs)) -> Result<(), String> {
        let (mut inputs, mut outputs) = (Inputs::idle(SMXS), self.quiet.clone());
        inputs.finished_slots = vec![0; SMXS];
        // A queue whose head is not running, so that the host may offer another kernel.
        inputs.device.management.work_queue =
            self.quiet.device.management.inspect.trailing_zeros() as u8;
        change(&mut inputs, &mut outputs);
        self.invariants.check(&inputs, &outputs)
    }

    fn quiet(&mut self) {
        self.cycle(|_, _| ()).unwrap();
    }

    /// A command of one group of `blocks` blocks by a block of this SMX and level; its group is
    /// taken in the cycle that `change` changes.
    fn group(
        &mut self,
        (smx, level): (u8, u8),
        (pointer, blocks): (u32, u32),
        change: impl FnOnce(&mut Inputs, &mut Outputs),
    ) -> Result<(), String> {
        let block = Dim3::new(32, 1, 1);
        let command = AggregationCommand { entry_pc: 64, block, groups: 1, wait: 0 };
        self.cycle(|inputs, outputs| {
            inputs.device.groups.command = Some(command);
            outputs.device.groups.command_ready = true;
        })?;
        self.cycle(|inputs, outputs| {
            inputs.device.groups.group = Some(group(pointer, blocks));
            inputs.device.queues.group_parent = Parent { smx, level };
            let reference = GroupReference::in_memory(pointer);
            let kernel = KernelEntry(0);
            outputs.device.groups.group_taken = Some(GroupOutcome::Coalesced { kernel, reference });
            change(inputs, outputs);
        })
    }

    /// A group of one block that finds room.
    fn add(&mut self, parent: (u8, u8), pointer: u32) {
        self.group(parent, (pointer, 1), |_, _| ()).unwrap();
    }

    /// A group of one block of level 1 of queue 0 that is spilled.
    fn spill(&mut self, pointer: u32, index: u32) -> Result<(), String> {
        let spill = Spill { place: place(0, 1), index, entry: entry(pointer) };
        self.group((0, 0), (pointer, 1), |_, outputs| {
            outputs.device.queues.spill = Some(spill);
        })
    }

    /// Lets the turn come to `smx`.
    fn wait_for(&mut self, smx: usize) {
        let turn = |bench: &Self| bench.invariants.priority.as_ref().unwrap().turn();
        for _ in 0..SMXS {
            if turn(self) == smx {
                return;
            }
            self.quiet();
        }
        panic!("no turn of SMX {smx}");
    }

    /// In the turn of `smx` its block ends and `next` comes, with its level.
    fn refill(&mut self, smx: usize, next: Dispatch, level: u8) -> Result<(), String> {
        self.wait_for(smx);
        self.cycle(|inputs, outputs| replace(inputs, outputs, smx, next, level))
    }
}

/// The block of `smx` ends and `next` comes, with its level.
fn replace(inputs: &mut Inputs, outputs: &mut Outputs, smx: usize, next: Dispatch, level: u8) {
    inputs.finished[smx] = Some(KernelEntry(0));
    outputs.dispatch[smx] = Some(next);
    outputs.device.queues.level = level;
}

/// A block of the host's kernel.
fn native(x: u32) -> Dispatch {
    Dispatch { block: Dim3::new(x, 0, 0), ..Default::default() }
}

/// The first block of a group.
fn child(pointer: u32) -> Dispatch {
    Dispatch { group: of(pointer), ..Default::default() }
}
