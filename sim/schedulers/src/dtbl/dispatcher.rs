//! Twin of `dtbl/dispatcher`: the SMX scheduler that coalesces aggregated groups to kernels and
//! distributes both, with gates.
//!
//! Latency: as in the baseline; a coalesced group's first dispatch 1 cycle, if its kernel is the
//! head and has no other block, or no kernel is marked; the entry of a group is free 3 cycles after
//! the end of its last block, if no other block waits to be counted.

mod cycle;
mod explain;

use super::super::dispatch::{KernelEntries, ResourceTable, RoundRobin};
use super::super::{AdmissionGate, Gates, Twin};
use super::{
    BlockControl, Coalescer, EndedBlocks, FcfsControl, GroupFetch, GroupLists, GroupSequence,
    GroupTable,
};
use crate::most_room::Room;
use crate::port::{Activity, GroupStorage, Inputs, Outputs, Scheduler, SmxLimits, MAX_SMX};

/// First come, first served kernels, each with its groups behind its native blocks.
///
/// A cycle panics when a group that is left in memory has a pointer of more than 31 bits or all
/// ones, which [`crate::port::AggregatedGroup`] rules out.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatcher {
    smx: usize,
    kernel_entries: KernelEntries,
    fcfs_control: FcfsControl,
    coalescer: Coalescer,
    group_table: GroupTable,
    ended_blocks: EndedBlocks,
    group_lists: GroupLists,
    group_fetch: GroupFetch,
    group_sequence: GroupSequence,
    block_control: BlockControl,
    resource_table: ResourceTable,
    /// Of `most-room`: whom the round robin chooses from.
    room: Option<Room>,
    round_robin: RoundRobin,
    gates: Gates,
}

impl Dispatcher {
    /// A dispatcher for `smx` SMXs that holds groups in `storage`, after reset.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`MAX_SMX`], or the table has not a power of two from 1 to
    /// [`super::MAX_GROUP_ENTRIES`] entries, or [`GroupFetch::new`] panics.
    pub fn new(
        smx: usize,
        limits: SmxLimits,
        storage: GroupStorage,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        Self {
            smx,
            kernel_entries: KernelEntries::new(),
            fcfs_control: FcfsControl::new(),
            coalescer: Coalescer::new(),
            group_table: GroupTable::new(storage.table),
            ended_blocks: EndedBlocks::new(smx, limits.thread_block_slots),
            group_lists: GroupLists::new(),
            group_fetch: GroupFetch::new(storage.ahead),
            group_sequence: GroupSequence::new(),
            block_control: BlockControl::new(smx, limits.thread_block_slots),
            resource_table: ResourceTable::new(smx, limits),
            room: None,
            round_robin: RoundRobin::new(smx),
            gates: Gates::new(gates),
        }
    }

    /// The same for `most-room` (`docs/most-room.md`, rule 3).
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn by_room(
        smx: usize,
        limits: SmxLimits,
        storage: GroupStorage,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        Self { room: Some(Room), ..Self::new(smx, limits, storage, gates) }
    }
}

impl Scheduler for Dispatcher {
    fn smx(&self) -> usize {
        self.smx
    }

    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity {
        self.one_cycle(inputs, outputs)
    }

    fn explain(&self) -> String {
        self.explanation()
    }
}

impl Twin for Dispatcher {
    fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }
}

#[cfg(test)]
mod tests;
