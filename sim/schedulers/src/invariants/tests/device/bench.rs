//! Two SMXs that launches from the device reach, cycle by cycle.

use super::super::*;
use crate::port::*;

pub const LIMITS: SmxLimits =
    SmxLimits { threads: 2048, registers: 1000, shared_memory: 500, thread_block_slots: 3 };

/// Two SMXs; what a scheduler that does nothing wrong says in a quiet cycle.
pub struct Bench {
    pub invariants: Invariants,
    pub quiet: Outputs,
    /// Groups of entry 0 that were left in memory.
    pub left: u32,
}

pub fn kernel(pc: u32, blocks: u32) -> KernelLaunch {
    let needs = BlockNeeds { threads: 32, registers: 1, shared_memory: 1 };
    let block = Dim3::new(32, 1, 1);
    let grid = Dim3::new(blocks, 1, 1);
    KernelLaunch { entry_pc: pc, grid, block, blocks, needs, ..Default::default() }
}

impl Bench {
    pub fn new(mode: LaunchMode) -> Self {
        Self::with_limits(mode, LIMITS)
    }

    pub fn with_limits(mode: LaunchMode, limits: SmxLimits) -> Self {
        let rules = PolicyRules {
            order: BlockOrder::Increasing,
            issue: IssueRule::OneACycle,
            ..PolicyRules::default()
        };
        let invariants =
            Invariants::new(limits, 2, rules).launching(mode, GroupStorage { table: 2, ahead: 2 });
        let mut quiet = Outputs::idle(2);
        quiet.launch_ready = Some(KernelEntry(0));
        quiet.device.management.inspect = u32::MAX;
        Self { invariants, quiet, left: 0 }
    }

    /// With a kernel of queue 3 with two blocks in entry 0.
    pub fn with_kernel(mode: LaunchMode) -> Self {
        Self::new(mode).and_kernel()
    }

    /// The same with that kernel.
    pub fn and_kernel(mut self) -> Self {
        let launch = |inputs: &mut Inputs, _: &mut Outputs| {
            inputs.launch = Some(kernel(64, 2));
            inputs.device.management.work_queue = 3;
        };
        self.cycle(launch).unwrap();
        self.quiet.launch_ready = Some(KernelEntry(1));
        self.quiet.device.management.inspect = !(1 << 3);
        self
    }

    pub fn cycle(&mut self, change: impl FnOnce(&mut Inputs, &mut Outputs)) -> Result<(), String> {
        let (mut inputs, mut outputs) = (Inputs::idle(2), self.quiet.clone());
        if self.invariants.groups.is_some() {
            inputs.finished_slots = vec![0; 2];
        }
        // A group is asked for in the cycle after it was left in memory.
        self.quiet.device.group_memory.fetch_group = None;
        change(&mut inputs, &mut outputs);
        self.invariants.check(&inputs, &outputs)
    }

    pub fn dispatch(
        &mut self,
        x: u32,
        slot: u8,
        group: Option<GroupReference>,
    ) -> Result<(), String> {
        let block = Dim3::new(x, 0, 0);
        let dispatch = Dispatch { kernel: KernelEntry(0), block, group, slot };
        self.cycle(|_, outputs| outputs.dispatch[0] = Some(dispatch))
    }

    /// A block of the kernel in entry 0 ends in `slot` of SMX 0.
    pub fn end(&mut self, slot: u8) -> Result<(), String> {
        self.cycle(|inputs, _| {
            inputs.finished[0] = Some(KernelEntry(0));
            inputs.finished_slots[0] = slot;
        })
    }

    /// Accepts a command of one group of code `pc`, and coalesces it to entry 0 as `reference`.
    pub fn coalesce(
        &mut self,
        pc: u32,
        group: AggregatedGroup,
        reference: GroupReference,
        link: Option<LinkWrite>,
    ) -> Result<(), String> {
        let block = Dim3::new(32, 1, 1);
        let command = AggregationCommand { entry_pc: pc, block, groups: 1, wait: 0 };
        self.cycle(|inputs, outputs| {
            inputs.device.groups.command = Some(command);
            outputs.device.groups.command_ready = true;
        })?;
        self.cycle(|inputs, outputs| {
            inputs.device.groups.group = Some(group);
            let kernel = KernelEntry(0);
            outputs.device.groups.group_taken = Some(GroupOutcome::Coalesced { kernel, reference });
            outputs.device.group_memory.link_write = link;
        })?;
        if reference.pointer().is_some() {
            self.quiet.device.group_memory.fetch_group = place(self.left);
            self.left += 1;
        }
        Ok(())
    }
}

/// A group of one block by this thread, with this pointer.
pub fn group(hardware_thread: u16, pointer: u32) -> AggregatedGroup {
    let grid = Dim3::new(1, 1, 1);
    let parameter_address = 1000 + pointer;
    AggregatedGroup { hardware_thread, pointer, parameter_address, grid, blocks: 1 }
}

pub fn on_chip(index: u32) -> GroupReference {
    GroupReference::on_chip(index)
}

pub fn memory(pointer: u32) -> GroupReference {
    GroupReference::in_memory(pointer)
}

pub fn link(pointer: u32, next: GroupReference) -> Option<LinkWrite> {
    Some(LinkWrite { pointer, next })
}

/// The place in memory of a group of entry 0.
pub fn place(index: u32) -> Option<RingPlace> {
    Some(RingPlace { kernel: KernelEntry(0), index })
}

/// The information of a group comes.
pub fn arrive(inputs: &mut Inputs, _: &mut Outputs) {
    let answer = FetchedGroup { grid: Dim3::new(1, 1, 1), next: None };
    inputs.device.group_memory.fetched = Some(answer);
}
