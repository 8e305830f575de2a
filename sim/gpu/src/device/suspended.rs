//! Blocks that have given back their SMX while they wait for what they have launched, and where
//! they come back to.

use crate::block::ResidentBlock;
use crate::port::{Dim3, KernelEntry, KERNEL_ENTRIES};

/// A block off the SMXs; what its warps are in the midst of is in [`ResidentBlock::saved`].
#[derive(Debug)]
pub struct SuspendedBlock {
    /// As it was on its SMX.
    pub block: ResidentBlock,
    /// The place of its group among those of its kernel, from 1; 0 for a native block.
    pub group: u32,
}

/// A block that an entry of the Kernel Distributor holds.
#[derive(Clone, Copy, Debug)]
pub struct Returning {
    /// Its number among the suspended blocks.
    number: usize,
    /// As [`SuspendedBlock::group`].
    pub group: u32,
    /// Its index in the grid, or in the group.
    pub block: Dim3,
}

/// See the module. Blocks go by numbers that are used again.
#[derive(Debug)]
pub struct SuspendedBlocks {
    blocks: Vec<Option<SuspendedBlock>>,
    free: Vec<usize>,
    entries: [Option<Returning>; KERNEL_ENTRIES],
}

impl Default for SuspendedBlocks {
    fn default() -> Self {
        Self { blocks: Vec::new(), free: Vec::new(), entries: [None; KERNEL_ENTRIES] }
    }
}

impl SuspendedBlocks {
    /// `block` is off its SMX; returns its number.
    pub fn put(&mut self, block: SuspendedBlock) -> usize {
        let number = self.free.pop().unwrap_or_else(|| {
            self.blocks.push(None);
            self.blocks.len() - 1
        });
        self.blocks[number] = Some(block);
        number
    }

    /// The kernel of the block with this number.
    ///
    /// # Panics
    /// When there is none; the invariants keep that from happening.
    pub fn kernel(&self, number: usize) -> usize {
        self.blocks[number].as_ref().expect("a suspended block").block.kernel
    }

    /// The record of the block with this number is in `entry` of the Kernel Distributor; returns
    /// its kernel.
    ///
    /// # Panics
    /// As [`SuspendedBlocks::kernel`].
    pub fn enter(&mut self, number: usize, entry: KernelEntry) -> usize {
        let suspended = self.blocks[number].as_ref().expect("a suspended block");
        let SuspendedBlock { group, block } = suspended;
        self.entries[entry.index()] = Some(Returning { number, group: *group, block: block.block });
        block.kernel
    }

    /// The block that came back by `entry`, or will.
    pub fn returning(&self, entry: KernelEntry) -> Option<Returning> {
        self.entries[entry.index()]
    }

    /// The block of `entry` is dispatched.
    ///
    /// # Panics
    /// When it was before; the invariants keep that from happening.
    pub fn take(&mut self, returning: Returning) -> ResidentBlock {
        let suspended = self.blocks[returning.number].take().expect("one dispatch of each record");
        self.free.push(returning.number);
        suspended.block
    }

    /// `entry` is free again.
    pub fn left(&mut self, entry: usize) {
        self.entries[entry] = None;
    }
}
