//! A cluster is whole or absent, by the rules of `docs/clusters.md`.

use std::ops::Range;

use super::issue::Issued;
use super::occupant::Occupant;
use crate::clusters::Policy;
use crate::port::{Cluster, Dim3, FloorPlan, KernelEntry, KernelLaunch};
use crate::SmxMask;

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct ClusterRules {
    policy: Policy,
    /// Whether a gate may hold a block of an open cluster back.
    gated: bool,
    gpcs: Vec<Range<usize>>,
    open: Option<Open>,
}

/// A cluster of which some blocks have been dispatched, and not all.
#[derive(Clone, PartialEq)]
struct Open {
    kernel: KernelEntry,
    gpc: usize,
    served: SmxMask,
    left: u32,
}

impl ClusterRules {
    /// No cluster is open on the SMXs of `plan`.
    pub(super) fn new(policy: Policy, gated: bool, plan: &FloorPlan) -> Self {
        Self { policy, gated, gpcs: plan.ranges().collect(), open: None }
    }

    /// The same on another plan.
    pub(super) fn on(self, plan: &FloorPlan) -> Self {
        Self { gpcs: plan.ranges().collect(), ..self }
    }

    /// The kernel of which a cluster was open at the start of the cycle.
    pub(super) fn open(&self) -> Option<KernelEntry> {
        self.open.as_ref().map(|open| open.kernel)
    }

    /// Checks the blocks of one cycle, at most one.
    pub(super) fn check<'a>(
        &mut self,
        issued: &[Issued],
        occupant: impl Fn(KernelEntry) -> Option<&'a Occupant>,
    ) -> Result<(), String> {
        if let (Some(open), [], false) = (&self.open, issued, self.gated) {
            let Open { kernel, left, .. } = open;
            return Err(format!(
                "nothing is dispatched although {left} blocks of an open cluster of entry {} are left",
                kernel.0
            ));
        }
        for block in issued {
            if let Some(occupant) = occupant(block.kernel) {
                in_order(block, occupant)?;
                self.place(block, occupant.launch.cluster)?;
            }
        }
        Ok(())
    }

    /// Rules 5, 7 and 8: where the block goes, and that it is its cluster's turn.
    fn place(&mut self, block: &Issued, cluster: Cluster) -> Result<(), String> {
        let Issued { smx, kernel, .. } = *block;
        let Some(gpc) = self.gpcs.iter().position(|gpc| gpc.contains(&smx)) else {
            return Err(format!("SMX {smx} receives a block, but is in no GPC"));
        };
        let fresh = Open { kernel, gpc, served: SmxMask::ZERO, left: cluster.blocks() };
        let mut open = self.open.take().unwrap_or(fresh);
        if open.kernel != kernel {
            let (entry, of) = (kernel.0, open.kernel.0);
            return Err(format!("entry {entry} dispatches while a cluster of entry {of} is open"));
        }
        if open.gpc != gpc {
            let first = open.gpc;
            return Err(format!(
                "SMX {smx} of GPC {gpc} receives a block of a cluster that is open in GPC {first}"
            ));
        }
        if self.policy == Policy::Spread && open.served[smx] {
            return Err(format!("SMX {smx} receives a second block of one cluster"));
        }
        open.served.set(smx, true);
        open.left -= 1;
        self.open = (open.left > 0).then_some(open);
        Ok(())
    }
}

/// Rule 3: the block is the one whose turn it is when all blocks before it have gone.
pub(super) fn in_order(block: &Issued, occupant: &Occupant) -> Result<(), String> {
    let KernelLaunch { grid, cluster, .. } = occupant.launch;
    let went = occupant.blocks() - occupant.left() - 1;
    let expected = at(went, grid, cluster).linear(grid);
    if block.id != expected {
        let (entry, id) = (block.kernel.0, block.id);
        return Err(format!(
            "entry {entry} dispatched block {id} out of order: in clusters of {cluster}, {expected} \
            comes after {went} others"
        ));
    }
    Ok(())
}

/// The block of a grid of clusters after which `went` others have gone.
fn at(went: u64, grid: Dim3, cluster: Cluster) -> Dim3 {
    let extent = cluster.extent();
    let clusters = Dim3::new(grid.x / extent.x, grid.y / extent.y, grid.z / extent.z);
    let blocks = u64::from(cluster.blocks());
    let (of, place) = (point(went / blocks, clusters), point(went % blocks, extent));
    let along = |of, extent, place| of * extent + place;
    Dim3::new(
        along(of.x, extent.x, place.x),
        along(of.y, extent.y, place.y),
        along(of.z, extent.z, place.z),
    )
}

/// The blocks of the cluster of which `first` is the first one, in order.
pub(super) fn blocks_of(first: Dim3, cluster: Cluster) -> impl Iterator<Item = Dim3> {
    (0..u64::from(cluster.blocks())).map(move |id| {
        let Dim3 { x, y, z } = point(id, cluster.extent());
        Dim3::new(first.x + x, first.y + y, first.z + z)
    })
}

/// The point of linear id `id` in an extent that is not empty.
fn point(id: u64, extent: Dim3) -> Dim3 {
    let (x, y) = (u64::from(extent.x), u64::from(extent.y));
    Dim3::new((id % x) as u32, (id / x % y) as u32, (id / x / y) as u32)
}
