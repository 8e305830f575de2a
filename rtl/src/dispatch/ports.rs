//! The words that the dispatcher passes on and stores.

// The derive's own methods have no docs.
#![allow(missing_docs)]

use crate::word::U;
use rust_hdl::prelude::*;

/// Index of a thread block in its grid, or the extent of a grid; 63 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockId {
    /// Runs fastest.
    pub x: U<31>,
    /// Runs next.
    pub y: U<16>,
    /// Runs slowest.
    pub z: U<16>,
}
crate::from_bits!(BlockId { x, y, z });

/// Extent of a thread block in threads; 29 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// First dimension, at most 1,024.
    pub x: U<11>,
    /// Second dimension, at most 1,024.
    pub y: U<11>,
    /// Third dimension, at most 64.
    pub z: U<7>,
}
crate::from_bits!(Extent { x, y, z });

/// What one thread block takes of its SMX, beside a slot; 46 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Needs {
    /// Threads, in whole warps.
    pub threads: U<12>,
    /// 32-bit registers.
    pub registers: U<17>,
    /// Bytes of shared memory.
    pub shared_memory: U<17>,
}
crate::from_bits!(Needs { threads, registers, shared_memory });

/// What an SMX needs to know of a kernel to run its blocks; 93 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Context {
    /// Address of the first instruction.
    pub entry_pc: U<32>,
    /// Address of the parameters in global memory.
    pub parameter_address: U<32>,
    /// Extent of a thread block.
    pub block: Extent,
}
crate::from_bits!(Context { entry_pc, parameter_address, block });

/// A kernel on its way into the kernel table.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Launch {
    /// Whether a kernel is offered.
    pub valid: Bit,
    /// What its SMXs will ask for.
    pub context: Context,
    /// Extent of its grid in thread blocks; zero in a dimension makes it empty.
    pub grid: BlockId,
    /// Thread blocks in all.
    pub blocks: U<31>,
    /// What each block takes.
    pub needs: Needs,
}
crate::from_bits!(Launch { valid, context, grid, blocks, needs });

/// A thread block on its way to an SMX; all zeros when not valid.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Dispatch {
    /// Whether the SMX receives a block.
    pub valid: Bit,
    /// The kernel's entry.
    pub kernel: U<5>,
    /// The block's index in its grid.
    pub block: BlockId,
}
crate::from_bits!(Dispatch { valid, kernel, block });

/// What one SMX can hold; the resource limits of a GPU preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Resident threads, at most 4,095.
    pub threads: u64,
    /// 32-bit registers, at most 131,071.
    pub registers: u64,
    /// Bytes of shared memory, at most 131,071.
    pub shared_memory: u64,
    /// Resident thread blocks, at most 63.
    pub slots: u64,
}

/// What one SMX has in use. Each word has a bit more than its limit needs, so that the sum with a
/// block's needs does not wrap.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct InUse {
    /// Threads.
    pub threads: U<13>,
    /// 32-bit registers.
    pub registers: U<18>,
    /// Bytes of shared memory.
    pub shared_memory: U<18>,
    /// Thread-block slots.
    pub slots: U<7>,
}
crate::from_bits!(InUse { threads, registers, shared_memory, slots });
