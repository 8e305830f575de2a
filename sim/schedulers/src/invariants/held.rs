//! What an SMX holds.

use crate::port::{BlockNeeds, KernelEntry, SmxLimits, KERNEL_ENTRIES};

/// See the module.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Held {
    pub(super) threads: u64,
    pub(super) registers: u64,
    pub(super) shared_memory: u64,
    /// Blocks in all.
    pub(super) slots: u64,
    /// Blocks of each entry.
    blocks: [u32; KERNEL_ENTRIES],
}

impl Held {
    /// How many blocks of `kernel` there are.
    pub(super) fn blocks_of(&self, kernel: KernelEntry) -> u32 {
        self.blocks[kernel.index()]
    }

    /// A block of `kernel` begins, which takes `needs`; how many there are of it then.
    pub(super) fn take(&mut self, kernel: KernelEntry, needs: BlockNeeds) -> u32 {
        let BlockNeeds { threads, registers, shared_memory } = needs;
        self.threads += u64::from(threads);
        self.registers += u64::from(registers);
        self.shared_memory += u64::from(shared_memory);
        self.slots += 1;
        self.blocks[kernel.index()] += 1;
        self.blocks_of(kernel)
    }

    /// One that is there ends.
    pub(super) fn give_back(&mut self, kernel: KernelEntry, needs: BlockNeeds) {
        let BlockNeeds { threads, registers, shared_memory } = needs;
        self.threads -= u64::from(threads);
        self.registers -= u64::from(registers);
        self.shared_memory -= u64::from(shared_memory);
        self.slots -= 1;
        self.blocks[kernel.index()] -= 1;
    }

    /// Whether a block with these needs fits beside what is there.
    pub(super) fn has_room(&self, needs: BlockNeeds, limits: SmxLimits) -> bool {
        self.rooms(needs, limits).all(|(taken, need, limit)| taken + need <= limit)
    }

    /// How many blocks with these needs fit beside what is there (`docs/most-room.md`, rule 2).
    pub(super) fn room_in_blocks(&self, needs: BlockNeeds, limits: SmxLimits) -> u64 {
        let needed = self.rooms(needs, limits).filter(|(_, need, _)| *need > 0);
        let fit = needed.map(|(taken, need, limit)| limit.saturating_sub(taken) / need);
        fit.min().expect("a block needs a slot")
    }

    /// Of each resource what is taken, what a block needs, and the limit.
    fn rooms(&self, needs: BlockNeeds, limits: SmxLimits) -> impl Iterator<Item = (u64, u64, u64)> {
        let BlockNeeds { threads, registers, shared_memory } = needs;
        [
            (self.slots, 1, limits.thread_block_slots),
            (self.threads, threads, limits.threads),
            (self.registers, registers, limits.registers),
            (self.shared_memory, shared_memory, limits.shared_memory),
        ]
        .into_iter()
        .map(|(taken, need, limit)| (taken, need.into(), limit.into()))
    }
}
