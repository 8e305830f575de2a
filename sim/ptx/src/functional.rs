//! Running kernels without a GPU's timing: block after block, each warp up to its next barrier.
//! Warps and blocks that wait for others in a loop see them go on, as on a GPU on which all of them
//! are resident.
//!
//! A block that asks for one that has not started gets the next one of its grid; a kernel that
//! depends on the one before it in its stream starts behind that, so that nobody waits for it.
//! Where the blocks of a cluster have something to do with each other, blocks start cluster after
//! cluster.
//!
//! What blocks launch runs when the grid is done, in order of launch, or when a thread waits for it
//! (`cudaDeviceSynchronize`).

mod block;
mod cluster;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::{Cluster, Dim3};
use blockyard_gpu::host::{Body, DeviceLaunch, HostLaunch, HostProgram};
use blockyard_gpu::program::{Instruction, KernelCode, WARP_LANES};

use block::Block;
use cluster::Clusters;

/// Instructions of a block before another one runs beside it.
const PATIENCE: u64 = 1 << 18;
/// The same where blocks of a cluster may wait for each other in loops.
const PATIENCE_IN_CLUSTER: u64 = 1 << 12;
/// Blocks of a grid that run beside each other.
const MOST_RESIDENT: usize = 512;

/// What was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Kernels, of the host and of the device.
    pub kernels: u64,
    /// Thread blocks, those included that others have taken.
    pub blocks: u64,
    /// Instructions, one a warp.
    pub warp_instructions: u64,
    /// Instructions times the lanes that take part.
    pub thread_instructions: u64,
}

/// How far a program was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// To its end.
    Whole(Counts),
    /// Until whoever was shown an instruction had seen enough.
    Stopped(Counts),
}

/// Runs `program` to its end.
///
/// # Errors
/// When a thread cannot go on, or warps of a block wait for one another for ever.
pub fn run(program: &mut dyn HostProgram) -> Result<Counts, InputError> {
    let ended = run_while(program, &mut |_| ControlFlow::Continue(()))?;
    let (Ended::Whole(counts) | Ended::Stopped(counts)) = ended;
    Ok(counts)
}

/// As [`run`]; `see` is shown every instruction, and may stop.
///
/// # Errors
/// As there.
pub fn run_while(
    program: &mut dyn HostProgram,
    see: &mut dyn FnMut(&Instruction) -> ControlFlow<()>,
) -> Result<Ended, InputError> {
    let mut counts = Counts::default();
    match run_counting(program, see, &mut counts) {
        Ok(()) => Ok(Ended::Whole(counts)),
        Err(Why::Seen) => Ok(Ended::Stopped(counts)),
        Err(Why::Fault(error)) => Err(error),
    }
}

/// Why not all was executed.
enum Why {
    /// Whoever watches has seen enough.
    Seen,
    Fault(InputError),
}

impl From<InputError> for Why {
    fn from(error: InputError) -> Self {
        Self::Fault(error)
    }
}

fn run_counting(
    program: &mut dyn HostProgram,
    see: &mut dyn FnMut(&Instruction) -> ControlFlow<()>,
    counts: &mut Counts,
) -> Result<(), Why> {
    let mut instances = rustc_hash::FxHashMap::default();
    let mut waiting: VecDeque<HostLaunch> = program.start().into();
    let mut time = 0;
    loop {
        while let Some(launch) = waiting.pop_front() {
            // Nothing is coalesced here.
            if launch.resident && launch.grid.volume() == 0 {
                continue;
            }
            time += 1;
            if let Body::Code(code) = &launch.body {
                let blocks = Blocks::default();
                let mut runner = Runner { blocks, counts, see, children: VecDeque::new() };
                runner.grid(&**code, (launch.grid, launch.cluster), launch.block)?;
                runner.drain()?;
            }
            let instance = instances.entry(launch.name.to_string()).or_insert(0);
            waiting.extend(program.kernel_finished(&launch.name, *instance, time));
            *instance += 1;
        }
        waiting.extend(program.all_finished(time));
        if waiting.is_empty() {
            return Ok(());
        }
    }
}

struct Runner<'a> {
    /// Blocks of the grid at hand that have not started, in order.
    blocks: Blocks,
    counts: &'a mut Counts,
    see: &'a mut dyn FnMut(&Instruction) -> ControlFlow<()>,
    /// What was launched and has not run.
    children: VecDeque<DeviceLaunch>,
}

impl Runner<'_> {
    /// Runs everything that was launched.
    fn drain(&mut self) -> Result<(), Why> {
        while let Some(child) = self.children.pop_front() {
            if let Body::Code(code) = &child.body {
                self.grid(&**code, (child.grid, Cluster::default()), child.block)?;
            }
        }
        Ok(())
    }

    /// Runs the blocks of a grid in order. One that takes long runs beside those that follow, since
    /// it may wait for what they write.
    fn grid(
        &mut self,
        code: &dyn KernelCode,
        (grid, cluster): (Dim3, Cluster),
        block: Dim3,
    ) -> Result<(), Why> {
        self.counts.kernels += 1;
        let warps = (block.volume() as u64).div_ceil(WARP_LANES as u64) as u32;
        let together = if code.works_in_cluster() { cluster } else { Cluster::default() };
        // A block may wait for another grid, which runs meanwhile.
        let outer = std::mem::replace(&mut self.blocks, Blocks::of(grid, together));
        let clusters = code.works_in_cluster().then(|| Clusters::new(together, warps));
        let ended = self.rest_of_grid(code, warps, clusters);
        self.blocks = outer;
        ended
    }

    fn rest_of_grid(
        &mut self,
        code: &dyn KernelCode,
        warps: u32,
        mut clusters: Option<Clusters>,
    ) -> Result<(), Why> {
        let mut resident: Vec<Block> = Vec::new();
        let patience = if clusters.is_some() { PATIENCE_IN_CLUSTER } else { PATIENCE };
        loop {
            let before = (self.counts.warp_instructions, self.counts.blocks);
            if resident.len() < MOST_RESIDENT {
                if let Some(index) = self.blocks.next() {
                    self.counts.blocks += 1;
                    let mut programs = Vec::new();
                    code.block(index, warps, &mut programs)?;
                    let place = clusters.as_mut().map(|clusters| clusters.join(index));
                    resident.push(Block::new(programs, place));
                }
            }
            if resident.is_empty() {
                return Ok(());
            }
            let mut at = 0;
            while at < resident.len() {
                if resident[at].run(self, patience)? {
                    resident.remove(at);
                } else {
                    at += 1;
                }
            }
            if before == (self.counts.warp_instructions, self.counts.blocks) {
                let reports = resident.iter().filter_map(Block::report);
                return Err(block::stuck(reports.collect::<Vec<_>>().join("; ")).into());
            }
        }
    }
}

/// The indices of the blocks of a grid, cluster after cluster, x first.
#[derive(Default)]
struct Blocks {
    grid: Dim3,
    cluster: Cluster,
    next: u64,
    /// Where the clusters begin of which no block has started and that nobody has taken.
    beyond: u64,
}

impl Blocks {
    /// All of `grid`.
    fn of(grid: Dim3, cluster: Cluster) -> Self {
        Self { grid, cluster, next: 0, beyond: 0 }
    }
}

impl Blocks {
    /// How many a cluster has.
    fn of_cluster(&self) -> u64 {
        self.cluster.blocks().into()
    }

    /// Takes the next cluster of which no block has started; its first block.
    fn take_cluster(&mut self) -> Option<Dim3> {
        let taken = self.index(self.beyond)?;
        self.beyond += self.of_cluster();
        Some(taken)
    }

    /// The index of the block with number `at`.
    fn index(&self, at: u64) -> Option<Dim3> {
        if u128::from(at) >= self.grid.volume() {
            return None;
        }
        let (blocks, extent) = (self.of_cluster(), self.cluster.extent());
        let clusters = Dim3::new(self.grid.x / extent.x, self.grid.y / extent.y, self.grid.z);
        let (cluster, place) = (within(at / blocks, clusters), within(at % blocks, extent));
        Some(Dim3::new(
            cluster.x * extent.x + place.x,
            cluster.y * extent.y + place.y,
            cluster.z * extent.z + place.z,
        ))
    }
}

impl Iterator for Blocks {
    type Item = Dim3;

    fn next(&mut self) -> Option<Dim3> {
        if self.next.is_multiple_of(self.of_cluster()) {
            self.next = self.beyond;
        }
        let next = self.index(self.next)?;
        if self.next.is_multiple_of(self.of_cluster()) {
            self.beyond += self.of_cluster();
        }
        self.next += 1;
        Some(next)
    }
}

/// The place with number `at` in `extent`, x first.
fn within(at: u64, extent: Dim3) -> Dim3 {
    let (x, y) = (u64::from(extent.x), u64::from(extent.y));
    Dim3::new((at % x) as u32, (at / x % y) as u32, (at / x / y) as u32)
}
