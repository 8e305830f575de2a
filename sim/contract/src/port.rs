//! What crosses between the GPU and its thread-block scheduler in one cycle.
//!
//! These types are the spine of the workbench: the behavioural twins speak
//! them natively, and the adapters in the `blockyard` crate turn them into the ports of the
//! rust-hdl modules. The meaning of every field, cycle by cycle, is in `docs/cycle-contract.md`.
//!
//! ```text
//!            Inputs(c): launch, finished[], lookup, cancel
//!    GPU  ------------------------------------------>  scheduler
//!         <------------------------------------------
//!            Outputs(c): launch_ready, dispatch[], finished_kernels, context, cancelled, cancel_held,
//!                        running_limits[]
//! ```

mod cluster;
mod device;
mod effect;
mod equality;
mod floor_plan;
mod groups;
mod management;
mod needs;
mod priority;

pub use cluster::Cluster;
pub use device::{
    BlockPorts, DeviceInputs, DeviceOutputs, DevicePorts, LaunchMode, SchedulerPorts,
};
pub use floor_plan::FloorPlan;
pub use groups::{
    AggregatedGroup, AggregationCommand, FetchedGroup, GroupInputs, GroupMemoryInputs,
    GroupMemoryOutputs, GroupOutcome, GroupOutputs, GroupReference, GroupStorage, LinkWrite,
    RingPlace,
};
pub use management::{ManagementInputs, ManagementOutputs, RecordFetch, WORK_QUEUES};
pub use needs::{BlockNeeds, WARP_LANES};
pub use priority::{
    EntryFetch, Parent, ParentInputs, ParentOutputs, QueueEntry, QueueInputs, QueueOutputs,
    QueuePlace, Refill, Spill, MAX_LEVELS,
};

use std::fmt;

/// Entries of the Kernel Distributor: kernels that may be in execution at once (DTBL, section 2.2).
pub const KERNEL_ENTRIES: usize = 32;

/// Most SMXs that a scheduler can serve: as many as the largest GPUs have.
pub const MAX_SMX: usize = 144;

/// Most thread blocks that one kernel may have: the block count travels as a 31-bit number.
pub const MAX_BLOCKS: u32 = (1 << 31) - 1;

/// A three-dimensional extent or index; `x` runs fastest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dim3 {
    /// First dimension: 31 bits in a grid, 11 in a block.
    pub x: u32,
    /// Second dimension: 16 bits in a grid, 11 in a block.
    pub y: u32,
    /// Third dimension: 16 bits in a grid, 7 in a block.
    pub z: u32,
}

impl Dim3 {
    /// An extent or index from its three numbers.
    #[inline]
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { x, y, z }
    }

    /// The number of points in an extent.
    #[inline]
    pub const fn volume(self) -> u128 {
        self.x as u128 * self.y as u128 * self.z as u128
    }

    /// The linear id of this index in `extent`, `x` fastest.
    #[inline]
    pub const fn linear(self, extent: Dim3) -> u64 {
        self.x as u64 + extent.x as u64 * (self.y as u64 + extent.y as u64 * self.z as u64)
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

/// Index of an entry of the Kernel Distributor (KDEI), below [`KERNEL_ENTRIES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KernelEntry(pub u8);

impl KernelEntry {
    /// The entry as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What one SMX can hold. A resident block takes its [`BlockNeeds`] and one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmxLimits {
    /// Resident threads; 12 bits.
    pub threads: u32,
    /// 32-bit registers; 17 bits.
    pub registers: u32,
    /// Bytes of shared memory; 17 bits.
    pub shared_memory: u32,
    /// Resident thread blocks; 6 bits.
    pub thread_block_slots: u32,
}

/// A kernel as the host hands it to the Kernel Distributor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KernelLaunch {
    /// Address of the kernel's first instruction.
    pub entry_pc: u32,
    /// Address of its parameters in global memory.
    pub parameter_address: u32,
    /// Extent of the grid in thread blocks; a dimension of zero makes an empty grid.
    pub grid: Dim3,
    /// Extent of a thread block in threads.
    pub block: Dim3,
    /// Thread blocks in all: `grid.volume()`, at most [`MAX_BLOCKS`]. The driver software
    /// multiplies once so that the hardware (CLASO's credit allocator) need not.
    pub blocks: u32,
    /// What each block takes of its SMX.
    pub needs: BlockNeeds,
    /// Where its blocks' data come from; only `ikra/steal(relations=on)` looks at it. Launches from
    /// the device have the default.
    pub relation: Relation,
    /// Which of its blocks run together; only `clusters`, and `launch-control` with a policy, look
    /// at it. The grid is a multiple of it. Launches from the device have the default.
    pub cluster: Cluster,
    /// How urgent it is, 0 to 7, more is more urgent; only `priority` looks at it. Launches from
    /// the device have the default, 0.
    pub priority: u8,
    /// Which partition of the SMXs it is for, 0 to 7; only `partitions` looks at it
    /// (`docs/partitions.md`, rule 3). Launches from the device have the default, 0.
    pub partition: u8,
    /// The entry of the kernel that it follows; only `dependent` looks at it (`docs/dependent.md`,
    /// rule 2). That entry is occupied when the launch is accepted, or released at the end of that
    /// cycle. Launches from the device have the default, `None`.
    pub follows: Option<KernelEntry>,
}

/// On which blocks of an earlier kernel those of a kernel depend: block `i` on block
/// `ratio * i + offset` of the kernel `back` before it (`docs/ikra.md`, rule 14). The ids are
/// linear; kernels without blocks are not counted. The default is what a launch that states none
/// has: each block depends on the one of the same id in the kernel before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    /// 1 to [`Self::MOST_BACK`].
    pub back: u8,
    /// At least 1.
    pub ratio: u16,
    /// More than -2^31.
    pub offset: i32,
}

impl Relation {
    /// The largest `back`.
    pub const MOST_BACK: u8 = 4;

    /// Whether blocks depend on those of the same id.
    pub const fn is_plain(self) -> bool {
        self.ratio == 1 && self.offset == 0
    }
}

impl Default for Relation {
    fn default() -> Self {
        Self { back: 1, ratio: 1, offset: 0 }
    }
}

/// What an SMX counted in the sampling period that ends: the performance counters that DYNCTA reads
/// (Kayiran et al., PACT 2013, section 4: C_idle and C_mem). 12 bits each; they saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CoreSample {
    /// Cycles in which no warp could issue although the SMX did not wait for memory.
    pub idle: u16,
    /// Cycles in which all its warps waited for memory.
    pub memory: u16,
}

/// What the scheduler learns in one cycle.
#[derive(Clone, Debug, Default, Eq)]
pub struct Inputs {
    /// Synchronous reset. At the end of this cycle the state is the initial one, whatever else
    /// the cycle carries; the outputs of a reset cycle are undefined.
    pub reset: bool,
    /// A kernel offered to the Kernel Distributor. It is accepted in a cycle in which
    /// [`Outputs::launch_ready`] is high; until then the host keeps offering it.
    pub launch: Option<KernelLaunch>,
    /// For each SMX, the kernel of a block that ends in this cycle. At most one block an SMX
    /// and cycle; all SMXs may report at once. The block must be resident there.
    pub finished: Vec<Option<KernelEntry>>,
    /// For each SMX, the slot of the block that ends there; valid with its `finished`. Empty where
    /// blocks have no control registers.
    pub finished_slots: Vec<u8>,
    /// For each SMX, the kernel of a block that triggers in this cycle (`docs/dependent.md`, rule
    /// 3): each block does once, after the cycle of its dispatch and at the latest in that of its
    /// end. At most one block an SMX and cycle. Empty for schedulers that do not look at triggers:
    /// all but those with [`BlockPorts::Triggers`].
    pub triggered: Vec<Option<KernelEntry>>,
    /// A running block of that kernel asks for another block of its kernel
    /// (`docs/launch-control.md`, rule 2): from the cycle after its dispatch on, not after the one
    /// in which it ends, and in one cycle only one block. `None` for schedulers that do not answer:
    /// all but those with [`BlockPorts::Cancels`].
    pub cancel: Option<KernelEntry>,
    /// An SMX asks for the context of a kernel entry (DTBL, section 4.2: the TBCR's KDEI).
    pub lookup: Option<KernelEntry>,
    /// The number of the cycle modulo 2^40, for schedulers that measure time
    /// ([`BlockPorts::Timed`]); `None` for others, and in a cycle whose other inputs are those of
    /// the cycle before, if that stored nothing: then nothing can be stored in this one
    /// (`docs/srtf.md`).
    pub clock: Option<u64>,
    /// For each SMX what it counted in the period that ends in this cycle; `None` in all other
    /// cycles, and always for schedulers that sample nothing.
    pub samples: Option<Vec<CoreSample>>,
    /// What concerns launches from the device; at rest under `--launch flat`.
    pub device: DeviceInputs,
}

impl Inputs {
    /// Inputs of a cycle in which nothing happens, for `smx` SMXs.
    pub fn idle(smx: usize) -> Self {
        Self { finished: vec![None; smx], ..Self::default() }
    }
}

/// A thread block that goes to an SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dispatch {
    /// The kernel's entry in the Kernel Distributor.
    pub kernel: KernelEntry,
    /// The block's index in its grid, or in its group.
    pub block: Dim3,
    /// The aggregated group that it belongs to; `None` for a native block.
    pub group: Option<GroupReference>,
    /// The thread-block slot that it takes on its SMX; 0 where blocks have no control registers.
    pub slot: u8,
}

/// What an SMX needs to know of a kernel to run its blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KernelContext {
    /// Address of the kernel's first instruction.
    pub entry_pc: u32,
    /// Address of its parameters in global memory.
    pub parameter_address: u32,
    /// Extent of a thread block in threads.
    pub block: Dim3,
}

/// What the scheduler decides in one cycle.
#[derive(Clone, Debug, Default, Eq)]
pub struct Outputs {
    /// The entry that a kernel offered now would take, or `None` while all entries are in use.
    /// Depends on the state alone.
    pub launch_ready: Option<KernelEntry>,
    /// For each SMX, the block that it receives in this cycle. Depends on the state and on
    /// [`Inputs::finished`]: a slot freed in a cycle is refilled in that cycle.
    pub dispatch: Vec<Option<Dispatch>>,
    /// Bit k: the kernel in entry k has no block left to distribute and none in execution; the
    /// entry is released at the end of this cycle. Depends on the state alone.
    pub finished_kernels: u32,
    /// Answer to [`Inputs::lookup`] in the same cycle; `None` for a free entry.
    pub context: Option<KernelContext>,
    /// Answer to [`Inputs::cancel`] in the same cycle: the index of the block that is the asker's
    /// from now on and is never dispatched; `None` when nothing of its kernel is left, and in
    /// cycles without a question. Nothing is dispatched in a cycle in which a block is cancelled.
    /// Where whole clusters are cancelled it is the first block of one, and all others are the
    /// asker's, too.
    pub cancelled: Option<Dim3>,
    /// There is no answer to [`Inputs::cancel`] in this cycle, and the question comes again: the
    /// asker's kernel is the head, and a cluster of it is open (`docs/launch-control.md`, rule 8).
    /// Down without a question, and with `cancelled`; always where whole clusters are not
    /// cancelled.
    pub cancel_held: bool,
    /// For each SMX, how many of its resident blocks may issue instructions, at least 1: those that
    /// came first, and the others are paused (`docs/dyncta.md`, rules 5 to 7). It counts from the
    /// next cycle on. Depends on the state alone, and changes only in the cycle after
    /// [`Inputs::samples`]. Empty for schedulers that pause nothing: all but those with DYNCTA's
    /// `pause=1`.
    pub running_limits: Vec<u8>,
    /// What concerns launches from the device; at rest under `--launch flat`.
    pub device: DeviceOutputs,
}

impl Outputs {
    /// Outputs of a cycle in which nothing is decided, for `smx` SMXs.
    pub fn idle(smx: usize) -> Self {
        Self { dispatch: vec![None; smx], ..Self::default() }
    }

    /// What holds before anything is decided in a cycle with `inputs`: none of `smx` SMXs receives
    /// a block, nothing is cancelled, and in a reset cycle no kernel is accepted, ends or is looked
    /// up.
    ///
    /// # Panics
    /// Unless `inputs` has one `finished` for each SMX.
    pub fn clear(&mut self, inputs: &Inputs, smx: usize) {
        assert_eq!(inputs.finished.len(), smx, "one `finished` for each SMX");
        self.dispatch.clear();
        self.dispatch.resize(smx, None);
        (self.cancelled, self.cancel_held) = (None, false);
        if inputs.reset {
            (self.launch_ready, self.finished_kernels, self.context) = (None, 0, None);
        }
    }
}

/// Whether a cycle left the scheduler's state as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Something was stored: the next cycle may differ even on the same inputs.
    Busy,
    /// Nothing was stored: the same inputs give the same outputs for ever, so the driver may
    /// skip to the next cycle in which an input changes.
    Quiet,
}

impl Activity {
    /// That of parts of which each has its own.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        parts.into_iter().any(|part| part == Self::Busy).into()
    }
}

/// Busy if the state `changed`.
impl From<bool> for Activity {
    #[inline]
    fn from(changed: bool) -> Self {
        match changed {
            true => Self::Busy,
            false => Self::Quiet,
        }
    }
}

/// Busy if either is.
impl<T: Into<Activity>> std::ops::BitOrAssign<T> for Activity {
    #[inline]
    fn bitor_assign(&mut self, other: T) {
        if other.into() == Self::Busy {
            *self = Self::Busy;
        }
    }
}

/// A thread-block scheduler as the GPU sees it: one call is one clock cycle.
///
/// Three engines stand behind it: the behavioural twin, the rust-hdl modules behind an adapter,
/// and both in lockstep.
pub trait Scheduler {
    /// Number of SMXs that it serves: the length of `finished` and `dispatch`.
    fn smx(&self) -> usize;

    /// One clock cycle: decides on `outputs` from the state and `inputs`, then stores what the
    /// clock edge at the end of the cycle stores.
    ///
    /// # Panics
    /// When `inputs.finished` has not one element for each SMX.
    fn cycle(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Activity;

    /// Remembers its state between two cycles, instead of what it remembered before.
    fn remember(&mut self) {}

    /// Whether its state is the one that it remembers, to the last bit. If the inputs were the same
    /// in all cycles since, what came between comes again as long as they stay. A scheduler that
    /// cannot tell says no, which is the default.
    fn is_back(&self) -> bool {
        false
    }

    /// What a report of a stuck run should say of the scheduler's state: lines of text without a
    /// newline at the end, or nothing.
    fn explain(&self) -> String {
        String::new()
    }
}
