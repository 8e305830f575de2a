//! Twin of `laperm/dispatcher`: the SMX scheduler with priority queues, with gates.
//!
//! What enters is at the launch port: the record, when [`crate::port::ManagementInputs::record`] is
//! there (only in a cycle in which it is accepted), else the host's kernel.
//!
//! Latency: what enters is dispatched 1 cycle later at the earliest, finish to refill of a slot 0
//! cycles, last finish to `finished_kernels` 1 cycle, one block a cycle.

mod cycle;
mod explain;

use super::super::dispatch::{FcfsControl, KernelEntries, ResourceTable};
use super::super::dtbl::{BlockControl, Coalescer};
use super::super::{AdmissionGate, Gates, Twin};
use super::{LapermConfig, QueueBank, QueueBankInputs, Selector, UnitCounts};
use crate::port::{Activity, Inputs, Outputs, Parent, QueuePlace, Scheduler, SmxLimits, MAX_SMX};

/// Host kernels in order of arrival, and before them what blocks launched, bound to SMXs.
///
/// A cycle panics when a group has a pointer of more than 31 bits or all ones, which
/// [`crate::port::AggregatedGroup`] rules out.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatcher {
    /// First, for it is what turns: two states that differ most often differ here.
    selector: Selector,
    smx: usize,
    config: LapermConfig,
    kernel_entries: KernelEntries,
    /// Queue 0.
    queue_zero: FcfsControl,
    queue_bank: QueueBank,
    unit_counts: UnitCounts,
    coalescer: Coalescer,
    block_control: BlockControl,
    resource_table: ResourceTable,
    gates: Gates,
}

impl Dispatcher {
    /// A dispatcher for `smx` SMXs after reset; `groups` when aggregated groups are launched.
    ///
    /// # Panics
    /// When `smx` is not in 1 to [`MAX_SMX`].
    pub fn new(
        smx: usize,
        limits: SmxLimits,
        config: LapermConfig,
        groups: bool,
        gates: Vec<Box<dyn AdmissionGate>>,
    ) -> Self {
        assert!((1..=MAX_SMX).contains(&smx), "{smx} SMXs: expected 1 to {MAX_SMX}");
        Self {
            smx,
            config,
            kernel_entries: KernelEntries::new(),
            queue_zero: FcfsControl::new(),
            queue_bank: QueueBank::new(&config, smx, groups),
            unit_counts: UnitCounts::new(),
            selector: Selector::new(&config, smx),
            coalescer: Coalescer::new(),
            block_control: BlockControl::new(smx, limits.thread_block_slots),
            resource_table: ResourceTable::new(smx, limits),
            gates: Gates::new(gates),
        }
    }

    /// Whether the record of this cycle may enter (rule 8); low without one.
    pub(super) fn accepts_record(&self, inputs: &Inputs) -> bool {
        let place = inputs.device.parents.record_place;
        let room = || {
            let ask = QueueBankInputs { record: place, ..Default::default() };
            self.queue_bank.evaluate(&ask).takes_record
        };
        let refill = inputs.device.queues.refill.is_some();
        inputs.device.management.record.is_some() && !refill && (place.level == 0 || room())
    }

    /// Where what a block launches waits (rule 1).
    pub(super) fn place(&self, parent: Parent) -> QueuePlace {
        let queue = usize::from(parent.smx) / self.config.cluster_size(self.smx);
        QueuePlace {
            queue: queue as u8,
            level: parent.level.saturating_add(1).min(self.config.levels),
        }
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
