//! What is in a trace: counts, and the memory it touches. Reads all of it, and so checks it.

use std::io::Read;
use std::path::Path;

use serde::Serialize;

use super::addresses::Addresses;
use super::block::{self, Seen, Sink};
use super::blocks::Blocks;
use super::footprint::Footprint;
use super::header::{self, Header};
use super::instruction::Traced;
use super::kernel::missing;
use super::lines::{Lines, Place};
use super::list::{self, Command};
use super::opcode::{Architecture, Decoder};
use super::repeats::Repeats;
use crate::diagnostic::InputError;
use crate::program::{Access, Operation, Space};

/// What is in a trace.
#[derive(Clone, Debug, Serialize)]
pub struct TraceInfo {
    /// Its kernels, in the order of the list.
    pub kernels: Vec<KernelInfo>,
    /// All of them together.
    pub total: Counts,
    /// `MemcpyHtoD` lines.
    pub copies: u64,
    /// Bytes that they copy.
    pub copied_bytes: u64,
}

/// What is in the trace of a kernel.
#[derive(Clone, Debug, Serialize)]
pub struct KernelInfo {
    /// Its (mangled) name.
    pub name: String,
    /// Number of the launch in the traced program.
    pub id: u64,
    /// The CUDA stream, as the tracer saw it.
    pub stream: u64,
    /// The traced GPU's architecture.
    pub architecture: Architecture,
    /// Version of the tracer.
    pub tracer_version: u32,
    /// Extent of the grid in thread blocks.
    pub grid: [u32; 3],
    /// Extent of a block in threads.
    pub block: [u32; 3],
    /// 32-bit registers of a thread.
    pub registers_per_thread: u32,
    /// Bytes of shared memory of a block.
    pub shared_memory: u32,
    /// What its blocks do.
    #[serde(flatten)]
    pub counts: Counts,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Thread blocks.
    pub blocks: u64,
    /// Warps of all blocks.
    pub warps: u64,
    /// Lines with an instruction.
    pub warp_instructions: u64,
    /// Active lanes of these.
    pub thread_instructions: u64,
    /// Instructions that load from global or local memory.
    pub global_loads: u64,
    /// Instructions that store there.
    pub global_stores: u64,
    /// Atomic instructions and reductions there.
    pub global_atomics: u64,
    /// Instructions that access shared memory.
    pub shared: u64,
    /// Instructions that load from constant memory.
    pub constant: u64,
    /// Instructions that wait at a barrier.
    pub barriers: u64,
    /// Instructions whose opcode is in no table; they run as integer instructions.
    pub unknown_opcodes: u64,
    /// Copies, prefetches and reductions of the Tensor Memory Accelerator; they run as integer
    /// instructions too, and move nothing.
    pub bulk_copies: u64,
    /// Bytes of the distinct pieces of global and local memory that are touched.
    pub footprint: u64,
    /// Bytes of such a piece: 128, or more where there were too many to count (see
    /// [`super::Footprint`]).
    pub footprint_grain: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.blocks, other.blocks),
            (&mut self.warps, other.warps),
            (&mut self.warp_instructions, other.warp_instructions),
            (&mut self.thread_instructions, other.thread_instructions),
            (&mut self.global_loads, other.global_loads),
            (&mut self.global_stores, other.global_stores),
            (&mut self.global_atomics, other.global_atomics),
            (&mut self.shared, other.shared),
            (&mut self.constant, other.constant),
            (&mut self.barriers, other.barriers),
            (&mut self.unknown_opcodes, other.unknown_opcodes),
            (&mut self.bulk_copies, other.bulk_copies),
        ] {
            *sum += more;
        }
    }

    fn measure(&mut self, footprint: &Footprint) {
        self.footprint = footprint.bytes();
        self.footprint_grain = footprint.grain();
    }
}

/// Reads the whole trace that the list `path` names (see [`super::open`]).
///
/// # Errors
/// When a file cannot be read or anything in it is wrong: with the file, the line and what was
/// expected.
pub fn info(path: &Path) -> Result<TraceInfo, InputError> {
    let mut all = Footprint::default();
    let mut result =
        TraceInfo { kernels: Vec::new(), total: Counts::default(), copies: 0, copied_bytes: 0 };
    for command in list::read(path)? {
        match command {
            Command::Copy(copy) => {
                result.copies += 1;
                result.copied_bytes = result.copied_bytes.saturating_add(copy.bytes);
            }
            Command::Kernel(file) => {
                let (header, blocks) = Blocks::open(&file.into())?;
                let kernel = kernel(&header, blocks, &mut all)?;
                result.total.add(&kernel.counts);
                result.kernels.push(kernel);
            }
        }
    }
    result.total.measure(&all);
    Ok(result)
}

/// Reads the whole trace of one kernel, which `reader` gives; `name` is what diagnostics call it.
///
/// # Errors
/// Those of [`info`].
pub fn kernel_info(reader: Box<dyn Read>, name: &Path) -> Result<KernelInfo, InputError> {
    let mut lines = Lines::new(reader, name.into(), Place::START);
    let header = header::read(&mut lines)?;
    kernel(&header, Blocks::Plain(lines), &mut Footprint::default())
}

fn kernel(
    header: &Header,
    mut blocks: Blocks,
    all: &mut Footprint,
) -> Result<KernelInfo, InputError> {
    let mut decoder = Decoder::new(header.architecture, Default::default());
    let mut repeats = Repeats::default();
    let mut seen = Seen::default();
    let mut own = Footprint::default();
    let mut count = Count { counts: Counts::default(), own: &mut own, all };
    while blocks.next(header, &mut seen)?.is_some() {
        block::read(blocks.lines(), header, (&mut decoder, &mut repeats), &mut count)?;
    }
    let first_missing = (0..header.blocks()).find(|&block| !seen.contains(block));
    if let Some(block) = first_missing {
        return Err(missing(blocks.lines(), header, block, &seen));
    }
    let mut counts = count.counts;
    counts.blocks = u64::from(header.blocks());
    counts.measure(&own);
    Ok(describe(header, counts))
}

fn describe(header: &Header, counts: Counts) -> KernelInfo {
    let (grid, block) = (header.grid, header.block);
    KernelInfo {
        name: header.name.to_string(),
        id: header.id,
        stream: header.stream,
        architecture: header.architecture,
        tracer_version: header.version,
        grid: [grid.x, grid.y, grid.z],
        block: [block.x, block.y, block.z],
        registers_per_thread: header.registers,
        shared_memory: header.shared_memory,
        counts,
    }
}

/// Counts instructions instead of keeping them.
struct Count<'a> {
    counts: Counts,
    own: &'a mut Footprint,
    all: &'a mut Footprint,
}

impl Count<'_> {
    fn touch(&mut self, traced: &Traced, bytes: u8) {
        let mut touch = |address| {
            self.own.touch(address, u64::from(bytes));
            self.all.touch(address, u64::from(bytes));
        };
        match traced.addresses {
            Addresses::None => {}
            Addresses::List => traced.listed().iter().copied().for_each(touch),
            Addresses::Stride { base, stride } => {
                for lane in (0..32).filter(|lane| traced.active >> lane & 1 == 1) {
                    touch(base.wrapping_add(stride.wrapping_mul(lane)));
                }
            }
        }
    }
}

impl Sink for Count<'_> {
    fn warp(&mut self, _warp: u32) {
        self.counts.warps += 1;
    }

    fn instruction(&mut self, traced: &Traced) -> Result<(), InputError> {
        if traced.added {
            return Ok(());
        }
        let counts = &mut self.counts;
        counts.warp_instructions += 1;
        counts.thread_instructions += u64::from(traced.active.count_ones());
        counts.unknown_opcodes += u64::from(traced.unknown);
        counts.bulk_copies += u64::from(traced.bulk);
        match traced.operation {
            Operation::Memory { space: Space::Global, access, bytes } => {
                *match access {
                    Access::Load => &mut counts.global_loads,
                    Access::Store => &mut counts.global_stores,
                    Access::Atomic => &mut counts.global_atomics,
                } += 1;
                self.touch(traced, bytes);
            }
            Operation::Memory { space: Space::Shared | Space::Cluster, .. } => counts.shared += 1,
            Operation::Memory {
                space: Space::Constant | Space::Unplaced | Space::Parameter,
                ..
            } => counts.constant += 1,
            Operation::Barrier | Operation::NamedBarrier(_) => counts.barriers += 1,
            Operation::Compute(_)
            | Operation::Memory { space: Space::Texture, .. }
            | Operation::ClusterArrive
            | Operation::ClusterWait
            | Operation::Launch
            | Operation::Synchronize
            | Operation::Trigger
            | Operation::AwaitPredecessor
            | Operation::Cancel
            | Operation::Fault
            | Operation::Exit => {}
        }
        Ok(())
    }
}
