//! Running clusters whose blocks have something to do with each other (`docs/ptx.md`): their
//! barrier, and who waits there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::cluster_barrier::{ClusterBarrier, Member};
use super::diagnostic::InputError;
use super::kernel::Kernel;
use super::port::{Cluster, Dim3};
use super::Gpu;

/// A cluster, at least one block of which runs.
#[derive(Debug)]
pub struct RunningCluster {
    pub(super) barrier: ClusterBarrier,
    /// SMX and slot of each warp that waits, in the order in which they came.
    pub(super) waiting: Vec<(u8, usize)>,
    /// Blocks that have not started.
    missing: u32,
}

/// The place of a block in a running cluster.
#[derive(Clone, Debug)]
pub struct PlaceInCluster {
    pub(super) cluster: Rc<RefCell<RunningCluster>>,
    place: usize,
}

impl PlaceInCluster {
    /// The warp with this number in the block.
    pub(super) fn member(&self, warp: u8) -> Member {
        (self.place, warp.into())
    }

    /// Who keeps the block's warps waiting, if some wait.
    pub fn report(&self) -> Option<String> {
        let cluster = self.cluster.borrow();
        (cluster.barrier.waiting(self.place) != 0).then(|| cluster.barrier.report())
    }
}

/// By the number of their kernel and the index of their first block: clusters of which not all
/// blocks have started.
pub(super) type Open = BTreeMap<(usize, Dim3), Rc<RefCell<RunningCluster>>>;

impl Gpu {
    /// The scheduler places the blocks of a cluster together; at first it knows of none. To be
    /// called before the first cycle.
    pub fn place_clusters(&mut self) {
        self.places_clusters = true;
    }
}

/// The place of `block`, of `warps` warps, which starts, in its cluster of the kernel with this
/// number; one that is `alone` is a cluster of its own.
///
/// # Errors
/// When there are others in it, and the scheduler does not place them together, which is `placed`.
pub(super) fn join(
    open: &mut Open,
    (number, kernel, placed): (usize, &Kernel, bool),
    (block, warps, alone): (Dim3, u32, bool),
) -> Result<PlaceInCluster, InputError> {
    let cluster = if alone { Cluster::default() } else { kernel.launch.cluster };
    let blocks = cluster.blocks();
    if blocks > 1 && !placed {
        let message = format!(
            "kernel `{}`: the {blocks} blocks of a cluster use its barrier or each other's shared memory, and the \
             scheduler does not place them together",
            kernel.name
        );
        let help = "use --scheduler clusters, or launch-control with a policy";
        return Err(InputError::new(message).help(help));
    }
    let first = cluster.first_of(block);
    let begin = || {
        let barrier = ClusterBarrier::new(blocks, warps);
        Rc::new(RefCell::new(RunningCluster { barrier, waiting: Vec::new(), missing: blocks }))
    };
    let place = cluster.place_of(block).linear(cluster.extent()) as usize;
    if blocks == 1 {
        return Ok(PlaceInCluster { cluster: begin(), place });
    }
    let shared = Rc::clone(open.entry((number, first)).or_insert_with(begin));
    let missing = {
        let mut running = shared.borrow_mut();
        running.missing -= 1;
        running.missing
    };
    if missing == 0 {
        open.remove(&(number, first));
    }
    Ok(PlaceInCluster { cluster: shared, place })
}
