//! What the GPU's host runs: a program that launches kernels and learns when they have finished.
//!
//! Scenario files and programs that compute (breadth-first search) both stand behind
//! [`HostProgram`], so that the GPU need not know which one it serves.

use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::contention::Contention;
use crate::port::{BlockNeeds, Cluster, Dim3, Relation, MAX_BLOCKS};
use crate::program::KernelCode;

/// How long the blocks of a kernel run, where that is stated instead of computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Durations {
    /// Every block runs for this many cycles; at least 1.
    Uniform(u64),
    /// One entry a block in order of linear id, in cycles; each at least 1.
    Each(Rc<[u64]>),
}

impl Durations {
    /// Whether every duration is at least one cycle.
    pub fn all_positive(&self) -> bool {
        match self {
            Durations::Uniform(cycles) => *cycles > 0,
            Durations::Each(list) => list.iter().all(|&cycles| cycles > 0),
        }
    }

    /// The duration in cycles of the block with linear id `block`, before the SMX's slowdown.
    ///
    /// # Panics
    /// When a list has no such entry.
    pub fn of(&self, block: u64) -> u64 {
        match self {
            Durations::Uniform(cycles) => *cycles,
            Durations::Each(list) => list[usize::try_from(block).expect("a block id in range")],
        }
    }
}

/// What the blocks of a kernel do.
#[derive(Clone)]
pub enum Body {
    /// They hold their SMX for a stated time.
    Durations(Durations),
    /// They hold their SMX for a time that depends on what runs beside them.
    Contended(Durations, Contention),
    /// They hold their SMX for a stated time, and launch from the device meanwhile.
    Launching(Durations, Rc<dyn StatedLaunches>),
    /// Their warps execute instructions.
    Code(Rc<dyn KernelCode>),
}

impl Body {
    /// The file that its code is read from, for messages.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Body::Code(code) => code.file(),
            _ => None,
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Body::Durations(durations) => f.debug_tuple("Durations").field(durations).finish(),
            Body::Contended(durations, _) => f.debug_tuple("Contended").field(durations).finish(),
            Body::Launching(durations, _) => f.debug_tuple("Launching").field(durations).finish(),
            Body::Code(_) => f.write_str("Code(..)"),
        }
    }
}

/// What blocks of stated durations launch from the device.
pub trait StatedLaunches {
    /// The launches of the block with linear id `block`.
    fn of_block(&self, block: u64) -> Vec<StatedLaunch>;

    /// What [`StatedLaunch::number`] stands for. Asked once, in the cycle of the API call; in order
    /// of SMX and hardware thread within a cycle.
    fn launch(&self, number: usize) -> DeviceLaunch;
}

/// When a thread of a block of stated duration launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedLaunch {
    /// Cycles after the block's dispatch. One beyond the block's last cycle counts as that.
    pub at: u64,
    /// The launching thread's linear number in its block.
    pub thread: u32,
    /// Launches of equal numbers are of the same kernel: threads of a warp make them in one call.
    pub kernel: usize,
    /// Which launch it is, for [`StatedLaunches::launch`].
    pub number: usize,
}

/// Bytes that the host copies to the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostCopy {
    /// Where in global memory they begin.
    pub address: u64,
    /// How many.
    pub bytes: u64,
}

/// How blocks of stated duration overlap with those of the kernels before and after theirs in its
/// stream (`docs/dependent.md`). Both times are cycles of the stated duration: an SMX's slowdown
/// holds for them as for that, and one beyond a block's end counts as its end. Blocks that run
/// instructions trigger at their ends. The default is what a launch that states none has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlap {
    /// Whether it may begin before the kernel before it in its stream has finished: a programmatic
    /// dependent.
    pub dependent: bool,
    /// When a block triggers, at least 1; `None`: at its end.
    pub trigger: Option<u64>,
    /// How long a block of a dependent runs before it waits for the end of the kernel before;
    /// `None`: to its end.
    pub prologue: Option<u64>,
}

/// How blocks of stated duration stay when their work is done, where the scheduler answers them
/// (`docs/launch-control.md`); under other schedulers they end then. The default is what a launch
/// that states nothing has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Persistence {
    /// Cycles of a block's duration that are spared when another block runs it; an SMX's slowdown
    /// holds for them as for that.
    pub setup: u64,
    /// Whether a block asks for another one when its work is done.
    pub cancels: bool,
}

/// A kernel that the host launches.
#[derive(Clone, Debug)]
pub struct HostLaunch {
    /// The kernel's name; launches of one name are its instances, counted from 0.
    pub name: Rc<str>,
    /// Kernels of one stream run in order of launch, those of different streams concurrently.
    pub stream: u32,
    /// The cycle at which the host launches it. One that has passed counts as now.
    pub arrive: u64,
    /// Extent of the grid in thread blocks; a dimension of zero makes an empty grid.
    pub grid: Dim3,
    /// Extent of a block in threads.
    pub block: Dim3,
    /// 32-bit registers of each thread.
    pub registers_per_thread: u32,
    /// Bytes of shared memory of each block.
    pub shared_memory: u32,
    /// What the host copies to the GPU before this launch, in order.
    pub copies: Vec<HostCopy>,
    /// Where its blocks' data come from.
    pub relation: Relation,
    /// Which of its blocks run together; the grid is a multiple of it.
    pub cluster: Cluster,
    /// How urgent it is, 0 to 7, more is more urgent.
    pub priority: u8,
    /// Which partition of the SMXs it is for, 0 to 7.
    pub partition: u8,
    /// How its blocks overlap with those of the kernels before and after it in its stream.
    pub overlap: Overlap,
    /// How its blocks stay when their work is done.
    pub persistence: Persistence,
    /// Whether it stays in the Kernel Distributor under `--launch dtbl` until nothing else is left,
    /// so that groups find it (DTBL, section 4.1: a native kernel that was launched before). Under
    /// other modes a resident kernel is like any other, and one without blocks is left out: it
    /// finishes unseen.
    pub resident: bool,
    /// What its blocks do.
    pub body: Body,
}

impl HostLaunch {
    /// A launch in cycle 0 of a kernel that takes no registers or shared memory and has nothing to
    /// do with others, in stream 0; `grid` in thread blocks, `block` in threads.
    pub fn new(name: impl Into<Rc<str>>, (grid, block): (Dim3, Dim3), body: Body) -> Self {
        Self {
            name: name.into(),
            stream: 0,
            arrive: 0,
            grid,
            block,
            registers_per_thread: 0,
            shared_memory: 0,
            copies: Vec::new(),
            relation: Relation::default(),
            cluster: Cluster::default(),
            priority: 0,
            partition: 0,
            overlap: Overlap::default(),
            persistence: Persistence::default(),
            resident: false,
            body,
        }
    }

    /// What each block takes of its SMX: threads rounded up to whole warps, and registers for all
    /// of these.
    pub fn needs(&self) -> BlockNeeds {
        BlockNeeds::of(self.block, self.registers_per_thread, self.shared_memory)
    }

    /// Thread blocks in all, or `None` when there are more than [`MAX_BLOCKS`].
    pub fn blocks(&self) -> Option<u32> {
        u32::try_from(self.grid.volume()).ok().filter(|&blocks| blocks <= MAX_BLOCKS)
    }
}

/// A kernel or an aggregated group that a thread launches.
#[derive(Clone, Debug)]
pub struct DeviceLaunch {
    /// The launching thread's linear number in its block.
    pub thread: u32,
    /// The kernel's name; launches of one name are its instances, counted from 0 together with the
    /// host's. A group that is coalesced is no instance.
    pub name: Rc<str>,
    /// Extent of the grid, or of the group, in thread blocks; no dimension is zero.
    pub grid: Dim3,
    /// Extent of a block in threads.
    pub block: Dim3,
    /// 32-bit registers of each thread.
    pub registers_per_thread: u32,
    /// Bytes of shared memory of each block.
    pub shared_memory: u32,
    /// Which of its blocks run together; the grid is a multiple of it. A group's run alone.
    pub cluster: Cluster,
    /// What its blocks do.
    pub body: Body,
}

/// What a run leaves for the user beside its figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Products {
    /// What threads have printed.
    pub printed: String,
    /// Files to write, each with its contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

/// A host program: it launches kernels, and more of them as earlier ones finish.
pub trait HostProgram {
    /// The launches with which the program starts, at cycle 0. Launches of one stream are queued
    /// in the order of the list.
    fn start(&mut self) -> Vec<HostLaunch>;

    /// The kernel `name`, launch ordinal `instance` of that name, has finished in `cycle`: a kernel
    /// of the host, or one that a block launched. The groups that were coalesced to it have
    /// finished with it; what its blocks launched may not have. Returns what the host launches in
    /// answer; it reaches the launch port in `cycle + 1` at the earliest.
    fn kernel_finished(&mut self, name: &str, instance: u32, cycle: u64) -> Vec<HostLaunch>;

    /// Everything has finished that the host and blocks have launched, the last of it in `cycle`:
    /// what `cudaDeviceSynchronize` waits for. Asked after [`HostProgram::kernel_finished`], unless
    /// that has launched something. Returns what the host launches in answer, as that does.
    fn all_finished(&mut self, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    /// What threads have printed and what the program would write, so far; taken once.
    fn products(&mut self) -> Products {
        Products::default()
    }

    /// What the user should know of a run that ended well.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Whether the results are right, once everything has finished. The message of an error says
    /// which value is wrong, with expected and got.
    ///
    /// # Errors
    /// When a result differs from the program's own reference.
    fn verify(&mut self) -> Result<(), String>;
}

/// A list of launches is a program that makes them all at cycle 0, in this order, and no others. It
/// has no results.
impl HostProgram for Vec<HostLaunch> {
    fn start(&mut self) -> Vec<HostLaunch> {
        std::mem::take(self)
    }

    fn kernel_finished(&mut self, _name: &str, _instance: u32, _cycle: u64) -> Vec<HostLaunch> {
        Vec::new()
    }

    fn verify(&mut self) -> Result<(), String> {
        Ok(())
    }
}
