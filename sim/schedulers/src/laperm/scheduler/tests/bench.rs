//! A scheduler whose ports are driven by hand.

use super::super::super::super::tests::harness::{kernel, slots};
use super::super::super::{Binding, QueueKind};
use super::super::*;
use crate::port::*;

/// The whole scheduler, without gates if not made with one.
pub(super) struct Bench {
    pub(super) scheduler: LapermScheduler,
}

impl Bench {
    pub(super) fn new(smx: usize, slot_count: u32, config: LapermConfig) -> Self {
        Self { scheduler: LapermScheduler::new(smx, slots(slot_count), config, true, Vec::new()) }
    }

    pub(super) fn step(&mut self, change: impl FnOnce(&mut Inputs)) -> Outputs {
        let mut inputs = Inputs::idle(self.scheduler.smx());
        change(&mut inputs);
        // What an earlier cycle left in the outputs must not stay there.
        let mut outputs = Outputs { context: Some(KernelContext::default()), ..Default::default() };
        outputs.device.group_memory.fetch_group = Some(RingPlace::default());
        outputs.device.queues.refill_taken = true;
        self.scheduler.cycle(&inputs, &mut outputs);
        assert_eq!(
            (outputs.device.group_memory.fetch_group, outputs.device.group_memory.link_write),
            (None, None)
        );
        outputs
    }

    pub(super) fn idle(&mut self) -> Outputs {
        self.step(|_| ())
    }

    /// A command of `groups` groups of entry PC `entry_pc` that are taken from the next cycle but
    /// `searched` on, that is, after entry `searched` was compared.
    pub(super) fn command(&mut self, entry_pc: u32, groups: u8, searched: usize) {
        let block = Dim3::new(1, 1, 1);
        let command = AggregationCommand { entry_pc, block, groups, wait: 0 };
        let outputs = self.step(|inputs| inputs.device.groups.command = Some(command));
        assert!(outputs.device.groups.command_ready);
        (0..=searched).for_each(|_| assert!(self.idle().device.groups.group_taken.is_none()));
    }
}

pub(super) fn bound(queue: QueueKind, entries: u16) -> LapermConfig {
    LapermConfig { queue, entries, ..LapermConfig::new(Binding::Bound) }
}

pub(super) fn place(queue: u8, level: u8) -> QueuePlace {
    QueuePlace { queue, level }
}

pub(super) fn record(inputs: &mut Inputs, blocks: u32, at: QueuePlace) {
    inputs.device.management.record = Some(kernel(blocks));
    inputs.device.parents.record_place = at;
}

pub(super) fn group(inputs: &mut Inputs, pointer: u32, blocks: u32, parent: Parent) {
    let grid = Dim3::new(blocks, 1, 1);
    inputs.device.groups.group =
        Some(AggregatedGroup { pointer, grid, blocks, ..Default::default() });
    inputs.device.queues.group_parent = parent;
}

pub(super) fn finish(inputs: &mut Inputs, smx: usize, slot: u8) {
    inputs.finished[smx] = Some(KernelEntry(31));
    inputs.finished_slots.resize(inputs.finished.len(), 0);
    inputs.finished_slots[smx] = slot;
}

/// SMX, kernel entry, block and level of the block that is dispatched.
pub(super) fn sent(outputs: &Outputs) -> Option<(usize, u8, u32, u8)> {
    let level = outputs.device.queues.level;
    let mut all = outputs.dispatch.iter().enumerate();
    let (smx, dispatch) = all.find_map(|(smx, dispatch)| dispatch.map(|of| (smx, of)))?;
    Some((smx, dispatch.kernel.0, dispatch.block.x, level))
}
