//! What a kernel executes: the interface between workloads and the SMXs.
//!
//! A workload supplies a [`KernelCode`]; when a block starts, the SMX asks it for one
//! [`WarpProgram`] a warp and pulls [`Instruction`]s from it: the first one at dispatch, each other
//! one when the one before it issues (the scoreboard needs its operands), and the one after a
//! barrier when the barrier opens, after a synchronization when what was launched has finished,
//! after a wait for the kernel before when that has finished. A program that computes on data
//! (breadth-first search over a graph) does so when its instructions are pulled, so values follow
//! the order of issue.

use std::path::Path;

use super::host::DeviceLaunch;
use crate::diagnostic::InputError;
use crate::port::Dim3;

pub use super::barriers::NamedBarrier;
pub use super::lane_addresses::LaneAddresses;
pub use crate::port::WARP_LANES;

/// An architectural register of a warp, for the scoreboard: an instruction waits until the ones
/// that it reads (and the one that it writes) are no longer pending.
pub type Register = u8;

/// Most registers that an instruction reads.
pub const MAX_SOURCES: usize = 4;

/// Which execution unit an arithmetic instruction needs; latencies are in the GPU preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Integer, logic, address arithmetic, branches, moves.
    Integer,
    /// Single-precision (and half-precision) floating point.
    Single,
    /// Double-precision floating point.
    Double,
    /// Special functions: reciprocal, square root, sine.
    Special,
    /// Matrix multiplication (Volta and later).
    Tensor,
}

/// Where a memory instruction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global and local memory, through L1, L2 and DRAM.
    Global,
    /// The SMX's shared memory, in banks of 4 bytes.
    Shared,
    /// Shared memory of another block of the cluster, past the SMX's own.
    Cluster,
    /// Constant memory, through its cache; where there is none it always hits.
    Constant,
    /// Constant memory at addresses that nobody knows, as most traces have it: always hits.
    Unplaced,
    /// Arrays that textures read, through their cache; where there is none it is an instruction of
    /// [`Unit::Special`]. Loads alone; the address is that of the first element that a lane reads.
    Texture,
    /// The parameters of what was launched from the device, in their buffer in global memory: as
    /// global or as constant memory
    /// ([`LaunchConfig::parameters_in_memory`](crate::config::LaunchConfig)).
    Parameter,
}

/// What a memory instruction does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Writes its destination register when the data is back.
    Load,
    /// Completes for the warp when it has issued.
    Store,
    /// Reads and writes in the L2, past the L1; writes its destination register, if it has one,
    /// when the old value is back.
    Atomic,
}

/// Takes the answer to a question for a block that has not started: the index of one that is the
/// asker's now, or `None`. Its error ends the run, as an [`Operation::Fault`] does.
pub type Reply = Box<dyn FnOnce(Option<Dim3>) -> Result<(), InputError>>;

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
    /// Every active lane launches a kernel or an aggregated group from the device; what, says
    /// [`WarpProgram::launches`] when this issues. The warp goes on when its calls have returned.
    Launch,
    /// Waits until all warps of the block that have not exited are here: [`NamedBarrier::ALL`].
    Barrier,
    /// Comes to a barrier of the block.
    NamedBarrier(NamedBarrier),
    /// Arrives at the barrier of the block's cluster with all its threads that have not exited, and
    /// goes on (PTX `barrier.cluster.arrive`).
    ClusterArrive,
    /// Waits until all warps of the cluster's blocks that have not exited have arrived there, and
    /// its own has. What follows is pulled only then.
    ClusterWait,
    /// Waits until every kernel and group that threads of the block have launched has finished, and
    /// what these have launched in turn (`cudaDeviceSynchronize`). What follows is pulled only
    /// then.
    Synchronize,
    /// Lets kernels begin that depend on this one, as far as the warp is concerned: the block
    /// triggers when each of its warps has issued this, or has exited (`docs/dependent.md`).
    Trigger,
    /// Waits until the kernel that the warp's own follows has finished. What follows is pulled only
    /// then.
    AwaitPredecessor,
    /// Every active lane asks for a block of its kernel that has not started
    /// (`docs/launch-control.md`); who gets the answers, says [`WarpProgram::questions`] when this
    /// issues. The warp goes on meanwhile.
    Cancel,
    /// The warp cannot go on, and with it the run: an access outside of what there is, a trap, an
    /// assertion. Why, says [`WarpProgram::fault`] when this issues; nothing of the warp follows.
    Fault,
    /// The warp is done; the last instruction of a program.
    Exit,
}

/// One instruction of one warp; all of it but the list of addresses lies in one line of the
/// processor's caches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Instruction {
    /// Its byte address in the kernel's code, for the instruction cache.
    pub pc: u32,
    /// What it does.
    pub operation: Operation,
    /// Lanes that take part, one bit a lane.
    pub active: u32,
    /// The register it writes.
    pub destination: Option<Register>,
    /// The registers it reads.
    pub sources: [Option<Register>; MAX_SOURCES],
    /// Byte address for each lane of a memory operation; those of inactive lanes mean nothing.
    pub addresses: LaneAddresses,
}

/// The sources of an instruction that reads at most two registers.
pub const fn two_sources(of: [Option<Register>; 2]) -> [Option<Register>; MAX_SOURCES] {
    [of[0], of[1], None, None]
}

impl Default for Instruction {
    /// An exit of all lanes.
    fn default() -> Self {
        Self {
            pc: 0,
            operation: Operation::Exit,
            active: u32::MAX,
            destination: None,
            sources: [None; MAX_SOURCES],
            addresses: LaneAddresses::default(),
        }
    }
}

/// Bytes at the beginning of a [`WarpProgram`] that are brought near before it is called: what
/// every call needs is best there.
pub const NEAR: usize = 256;

/// The instructions of one warp, in the order in which it issues them.
pub trait WarpProgram {
    /// Overwrites `instruction` with the warp's next one. Not called again after
    /// [`Operation::Exit`], nor after [`Operation::Fault`].
    fn next(&mut self, instruction: &mut Instruction);

    /// [`WarpProgram::next`] will be called after some time: the operands of the instruction may be
    /// brought near. Changes nothing.
    fn announce(&self) {}

    /// As [`WarpProgram::announce`], after that: what is at the addresses among the operands may
    /// be.
    fn announce_data(&self) {}

    /// What the active lanes of an [`Operation::Launch`] launch, in order of lane; asked once, when
    /// it issues, and before the next call of [`WarpProgram::next`].
    fn launches(&mut self) -> Vec<DeviceLaunch> {
        Vec::new()
    }

    /// Who gets the answers to the questions of the active lanes of an [`Operation::Cancel`], in
    /// order of lane; asked once, when it issues, and before the next call of
    /// [`WarpProgram::next`].
    fn questions(&mut self) -> Vec<Reply> {
        Vec::new()
    }

    /// Why the warp cannot go on; asked once, when an [`Operation::Fault`] issues. `None` makes do
    /// with a message that names the block.
    fn fault(&mut self) -> Option<InputError> {
        None
    }
}

/// The code of one kernel launch.
pub trait KernelCode {
    /// Appends the programs of the `warps` warps of the block with index `block` to `programs`, in
    /// order: the threads of warp `w` are `32 * w ..`. Called once a block, when it is dispatched;
    /// blocks come in the scheduler's order, whatever that is.
    ///
    /// # Errors
    /// When the code of the block cannot be had: a trace that is malformed or ends too early.
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError>;

    /// Whether the blocks of a cluster use its barrier, or each other's shared memory.
    fn works_in_cluster(&self) -> bool {
        false
    }

    /// The file that it is read from, for messages.
    fn file(&self) -> Option<&Path> {
        None
    }
}
