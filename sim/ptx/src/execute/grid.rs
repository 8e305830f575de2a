//! A kernel with its parameters, ready to run.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::values::threads;
use super::{Block, Warp};
use crate::machine::Machine;
use crate::program::{Code, Kernel};
use crate::semantics::Lanes;
use blockyard_contract::diagnostic::InputError;
use blockyard_contract::port::{Cluster, Dim3};
use blockyard_gpu::program::{KernelCode, WarpProgram, WARP_LANES};

/// What a launch says beside the kernel's name.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Extent of the grid in blocks.
    pub grid: Dim3,
    /// Extent of a block in threads.
    pub block: Dim3,
    /// Bytes of shared memory beyond those that the kernel has itself.
    pub shared_memory: u32,
    /// Its parameters, as they lie one behind the other.
    pub parameters: Vec<u8>,
}

/// See the module.
pub(crate) struct Grid {
    pub machine: Rc<Machine>,
    /// The kernel's name, and its number among the functions.
    pub name: Rc<str>,
    pub function: u32,
    pub launch: Launch,
    /// Which of its blocks are clusters, if the launch has said so; else each is one of its own.
    pub stated_cluster: Option<Cluster>,
    /// Whether the blocks of a cluster use its barrier, or each other's shared memory.
    pub works_in_cluster: bool,
    /// Whether there are clusters of several blocks that do.
    pub works_together: bool,
    /// Its blocks by their index, if so: those that have ended are gone.
    pub blocks: RefCell<FxHashMap<Dim3, Weak<Block>>>,
    /// Where in global memory its parameters are, if it was launched from the device and has some.
    pub buffer: Option<u64>,
    /// Bytes of shared memory of a block.
    pub shared: u64,
    /// Where in it what the launch adds begins.
    pub added_shared: u64,
    /// x, y and z of the threads of each warp of a block.
    pub threads: Vec<Rc<[Lanes; 3]>>,
    /// Its number among the grids of the run.
    pub number: u64,
}

impl Grid {
    /// The kernel `kernel` of the machine's module with `launch`, whose parameters are in `buffer`
    /// in global memory if it was launched from the device; `stated_cluster` is what it says of
    /// clusters.
    pub fn new(
        machine: &Rc<Machine>,
        kernel: &Kernel,
        launch: Launch,
        buffer: Option<u64>,
        stated_cluster: Option<Cluster>,
    ) -> Rc<Self> {
        let added_shared = kernel.shared_memory.next_multiple_of(machine.program.added_align);
        let added = u64::from(launch.shared_memory);
        let blocks = stated_cluster.unwrap_or_default().blocks();
        Rc::new(Self {
            machine: Rc::clone(machine),
            name: Rc::clone(&kernel.name),
            function: kernel.function,
            shared: if added == 0 { kernel.shared_memory } else { added_shared + added },
            added_shared,
            threads: threads(launch.block),
            launch,
            buffer,
            works_in_cluster: kernel.works_in_cluster,
            works_together: kernel.works_in_cluster && blocks > 1,
            blocks: RefCell::default(),
            stated_cluster,
            number: machine.next_grid(),
        })
    }

    /// The extent of a cluster.
    pub fn cluster(&self) -> Dim3 {
        self.stated_cluster.unwrap_or_default().extent()
    }

    /// The index of the cluster of the block `block`; of the grid's extent that in clusters.
    pub fn cluster_of(&self, block: Dim3) -> Dim3 {
        let extent = self.cluster();
        Dim3::new(block.x / extent.x, block.y / extent.y, block.z / extent.z)
    }

    /// The place of the block `block` in its cluster.
    pub fn place_in_cluster(&self, block: Dim3) -> Dim3 {
        let extent = self.cluster();
        Dim3::new(block.x % extent.x, block.y % extent.y, block.z % extent.z)
    }

    /// The function with this number.
    pub fn code(&self, number: u32) -> &Rc<Code> {
        &self.machine.program.functions[number as usize]
    }
}

/// A grid as the GPU runs it.
pub(crate) struct GridCode(pub Rc<Grid>);

impl KernelCode for GridCode {
    fn block(
        &self,
        block: Dim3,
        warps: u32,
        programs: &mut Vec<Box<dyn WarpProgram>>,
    ) -> Result<(), InputError> {
        let grid = &self.0;
        let checked = grid.machine.checks_shared();
        let shared = Rc::new(Block::new(block, (warps, grid.shared), checked));
        grid.begins(&shared);
        if let Some(checks) = shared.checks.as_ref().filter(|_| grid.works_in_cluster) {
            checks.is_ordered_otherwise();
        }
        let threads = grid.launch.block.volume() as u32;
        for warp in 0..warps {
            let lanes = threads.saturating_sub(warp * WARP_LANES as u32).min(WARP_LANES as u32);
            programs.push(Box::new(Warp::new(grid, &shared, warp, lanes)));
        }
        Ok(())
    }

    fn works_in_cluster(&self) -> bool {
        self.0.works_in_cluster
    }
}
