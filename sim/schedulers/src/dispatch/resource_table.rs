//! Twin of `dispatch/resource_table`: what each SMX has in use, and where a block fits.
//!
//! Undefined, and not to be compared: `room` without a head, and everything after more was freed
//! or taken than is in use or fits.

use super::super::{PerSmx, SmxMask};
use super::cover;
use crate::cover::{counting, when};
use crate::port::{Activity, BlockNeeds, SmxLimits};

/// Input ports of [`ResourceTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceTableInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// What the head's next block takes.
    pub needs: BlockNeeds,
    /// The SMXs on which a block ends.
    pub finished: SmxMask,
    /// For each of those, what that block gives back beside its slot.
    pub freed: PerSmx<BlockNeeds>,
    /// The SMXs that receive a block with `needs` in this cycle.
    pub take: SmxMask,
}

/// Output ports of [`ResourceTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceTableOutputs {
    /// The SMXs on which a block with `needs` fits.
    pub room: SmxMask,
}

/// What the resident blocks of one SMX hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Usage {
    threads: u64,
    registers: u64,
    shared_memory: u64,
    slots: u64,
}

impl Usage {
    fn plus(self, needs: BlockNeeds) -> Self {
        Self {
            threads: self.threads + u64::from(needs.threads),
            registers: self.registers + u64::from(needs.registers),
            shared_memory: self.shared_memory + u64::from(needs.shared_memory),
            slots: self.slots + 1,
        }
    }

    fn minus(self, needs: BlockNeeds) -> Self {
        Self {
            threads: self.threads.saturating_sub(u64::from(needs.threads)),
            registers: self.registers.saturating_sub(u64::from(needs.registers)),
            shared_memory: self.shared_memory.saturating_sub(u64::from(needs.shared_memory)),
            slots: self.slots.saturating_sub(1),
        }
    }

    /// What is left of the limits.
    fn free(self, limits: &SmxLimits) -> SmxLimits {
        let left = |limit: u32, used: u64| u64::from(limit).saturating_sub(used) as u32;
        SmxLimits {
            threads: left(limits.threads, self.threads),
            registers: left(limits.registers, self.registers),
            shared_memory: left(limits.shared_memory, self.shared_memory),
            thread_block_slots: left(limits.thread_block_slots, self.slots),
        }
    }

    fn within(self, limits: &SmxLimits) -> bool {
        self.threads <= u64::from(limits.threads)
            && self.registers <= u64::from(limits.registers)
            && self.shared_memory <= u64::from(limits.shared_memory)
            && self.slots <= u64::from(limits.thread_block_slots)
    }
}

/// The resources of all SMXs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceTable {
    limits: SmxLimits,
    in_use: Vec<Usage>,
}

impl ResourceTable {
    /// `smx` SMXs without a resident block.
    pub fn new(smx: usize, limits: SmxLimits) -> Self {
        Self { limits, in_use: vec![Usage::default(); smx] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ResourceTableInputs) -> ResourceTableOutputs {
        let mut room = SmxMask::ZERO;
        for smx in 0..self.in_use.len() {
            room.set(smx, self.left(smx, inputs).plus(inputs.needs).within(&self.limits));
        }
        ResourceTableOutputs { room }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ResourceTableInputs) -> Activity {
        let mut changed = false;
        for smx in 0..self.in_use.len() {
            let mut next = self.left(smx, inputs);
            if counting() && !inputs.reset {
                self.cover(next.plus(inputs.needs), inputs.needs, inputs.take[smx]);
            }
            if inputs.take[smx] {
                next = next.plus(inputs.needs);
            }
            if inputs.reset {
                next = Usage::default();
            }
            changed |= next != self.in_use[smx];
            self.in_use[smx] = next;
        }
        Activity::from(changed)
    }

    /// What no block holds on each SMX, from SMX 0 on (`docs/most-room.md`, rule 2).
    pub fn free(&self, inputs: &ResourceTableInputs) -> Vec<SmxLimits> {
        (0..self.in_use.len()).map(|smx| self.left(smx, inputs).free(&self.limits)).collect()
    }

    /// The SMXs that held no block at the end of the cycle before; depends on the state alone.
    pub fn vacant(&self) -> SmxMask {
        let mut vacant = SmxMask::ZERO;
        for (smx, usage) in self.in_use.iter().enumerate() {
            vacant.set(smx, usage.slots == 0);
        }
        vacant
    }

    /// A line of a stuck run's report for each SMX that has resident blocks.
    pub(in super::super) fn explain(&self) -> impl Iterator<Item = String> + '_ {
        let used = self.in_use.iter().enumerate().filter(|(_, usage)| usage.slots > 0);
        used.map(|(smx, Usage { slots, threads, .. })| {
            format!("the scheduler counts {slots} blocks, {threads} threads on SMX {smx}")
        })
    }

    /// Which limit keeps a block with `needs` away, if one alone does; which it reaches, if it is
    /// taken.
    fn cover(&self, with: Usage, needs: BlockNeeds, taken: bool) {
        let SmxLimits { threads, registers, shared_memory, thread_block_slots } = self.limits;
        let each = [
            (with.threads, threads, needs.threads, &cover::ONLY_THREADS, &cover::LAST_THREADS),
            (
                with.registers,
                registers,
                needs.registers,
                &cover::ONLY_REGISTERS,
                &cover::LAST_REGISTERS,
            ),
            (
                with.shared_memory,
                shared_memory,
                needs.shared_memory,
                &cover::ONLY_SHARED_MEMORY,
                &cover::LAST_SHARED_MEMORY,
            ),
            (with.slots, thread_block_slots, 1, &cover::ONLY_SLOT, &cover::LAST_SLOT),
        ];
        let lacking = each.iter().filter(|(used, most, ..)| *used > u64::from(*most)).count();
        for (used, most, need, only, last) in each {
            when(lacking == 1 && used > u64::from(most), only);
            when(taken && need > 0 && used == u64::from(most), last);
        }
    }

    /// What is in use on an SMX once the block that ends there has left.
    fn left(&self, smx: usize, inputs: &ResourceTableInputs) -> Usage {
        if inputs.finished[smx] {
            self.in_use[smx].minus(inputs.freed[smx])
        } else {
            self.in_use[smx]
        }
    }
}

#[cfg(test)]
mod tests;
