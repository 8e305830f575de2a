//! Clusters whose blocks have something to do with each other: their barrier.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use blockyard_contract::port::{Cluster, Dim3};
use blockyard_gpu::cluster_barrier::ClusterBarrier;

/// Clusters of a grid of which not all blocks have started, by the index of their first block, with
/// how many have not.
pub(super) struct Clusters {
    extent: Cluster,
    warps: u32,
    open: BTreeMap<Dim3, (Rc<RefCell<ClusterBarrier>>, u32)>,
}

impl Clusters {
    /// Of blocks of `warps` warps, none of which has started.
    pub fn new(extent: Cluster, warps: u32) -> Self {
        Self { extent, warps, open: BTreeMap::new() }
    }

    /// The block with this index starts.
    pub fn join(&mut self, block: Dim3) -> Place {
        let (first, blocks) = (self.extent.first_of(block), self.extent.blocks());
        let begin = || (Rc::new(RefCell::new(ClusterBarrier::new(blocks, self.warps))), blocks);
        let (barrier, missing) = self.open.entry(first).or_insert_with(begin);
        let barrier = Rc::clone(barrier);
        *missing -= 1;
        if *missing == 0 {
            self.open.remove(&first);
        }
        let place = self.extent.place_of(block);
        Place { barrier, rank: place.linear(self.extent.extent()) as usize }
    }
}

/// The place of a block in its cluster.
pub(super) struct Place {
    barrier: Rc<RefCell<ClusterBarrier>>,
    rank: usize,
}

impl Place {
    /// A warp arrives at the barrier, or waits there; whether it has to.
    pub fn come(&self, warp: usize, waits: bool) -> bool {
        let mut barrier = self.barrier.borrow_mut();
        if waits {
            return barrier.wait((self.rank, warp));
        }
        barrier.arrive((self.rank, warp));
        barrier.open();
        false
    }

    /// A warp has exited.
    pub fn exited(&self, warp: usize) {
        let mut barrier = self.barrier.borrow_mut();
        barrier.exited((self.rank, warp));
        barrier.open();
    }

    /// The warps of the block that wait.
    pub fn waiting(&self) -> u64 {
        self.barrier.borrow().waiting(self.rank)
    }

    /// Who is awaited.
    pub fn report(&self) -> String {
        self.barrier.borrow().report()
    }
}
