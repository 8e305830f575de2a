//! What a kernel executes: the interface between workloads and the SMXs.
//!
//! A workload supplies a [`KernelCode`]; when a block starts, the SMX asks it for one
//! [`WarpProgram`] a warp and pulls [`Instruction`]s from it: the first one at dispatch, each other
//! one when the one before it issues (the scoreboard needs its operands), and the one after a
//! barrier when the barrier opens. A program that computes on data (breadth-first search over a
//! graph) does so when its instructions are pulled, so values follow the order of issue.

use crate::port::Dim3;

/// Lanes of a warp.
pub const WARP_LANES: usize = 32;

/// An architectural register of a warp, for the scoreboard: an instruction waits until the ones
/// that it reads (and the one that it writes) are no longer pending.
pub type Register = u8;

/// Which execution unit an arithmetic instruction needs; latencies are in the GPU preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Integer, logic, address arithmetic, branches.
    Integer,
    /// Single-precision floating point.
    Single,
    /// Double-precision floating point.
    Double,
    /// Special functions: reciprocal, square root, sine.
    Special,
}

/// Where a memory instruction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory, through L1, L2 and DRAM.
    Global,
    /// The SMX's shared memory.
    Shared,
}

/// Whether a memory instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Writes its destination register when the data is back.
    Load,
    /// Completes for the warp when it has issued.
    Store,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Arithmetic on a unit.
    Compute(Unit),
    /// One access a lane, at [`Instruction::addresses`].
    Memory {
        /// Where to.
        space: Space,
        /// Read or write.
        access: Access,
        /// Bytes each lane accesses: 1, 2, 4, 8 or 16.
        bytes: u8,
    },
    /// Waits until all warps of the block that have not exited are here.
    Barrier,
    /// The warp is done; the last instruction of a program.
    Exit,
}

/// One instruction of one warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// Lanes that take part, one bit a lane.
    pub active: u32,
    /// The register it writes.
    pub destination: Option<Register>,
    /// The registers it reads.
    pub sources: [Option<Register>; 2],
    /// Byte address for each lane of a memory operation; those of inactive lanes mean nothing.
    pub addresses: [u64; WARP_LANES],
}

impl Default for Instruction {
    /// An exit of all lanes.
    fn default() -> Self {
        Self {
            operation: Operation::Exit,
            active: u32::MAX,
            destination: None,
            sources: [None; 2],
            addresses: [0; WARP_LANES],
        }
    }
}

/// The instructions of one warp, in the order in which it issues them.
pub trait WarpProgram {
    /// Overwrites `instruction` with the warp's next one. Not called again after
    /// [`Operation::Exit`].
    fn next(&mut self, instruction: &mut Instruction);
}

/// The code of one kernel launch.
pub trait KernelCode {
    /// The program of warp `warp` (its threads are `32 * warp ..`) of the block with index `block`.
    fn warp(&self, block: Dim3, warp: u32) -> Box<dyn WarpProgram>;
}
