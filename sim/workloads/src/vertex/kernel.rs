//! What a workload says of its kernels.

use super::{line::Line, Addresses, GraphArrays, Threads};
use crate::graph::Csr;

/// One launch of a kernel with a thread a vertex: the data that its instructions work on.
pub(crate) trait Kernel: Sized + 'static {
    /// What a warp keeps for its lanes beside vertex, edge and target.
    type Own: Clone + Default;

    /// The graph.
    fn csr(&self) -> &Csr;

    /// Where the graph is in memory.
    fn arrays(&self) -> &GraphArrays;

    /// Loads what decides whether the vertices of the active lanes are on the frontier, and chooses
    /// the lanes whose vertices are.
    fn frontier(&self, threads: &mut Threads<Self::Own>, to: &mut Addresses);
}

/// A kernel whose threads walk the edges of their vertices, or launch a child that does.
pub(crate) trait Expand: Kernel {
    /// After the frontier test: what a thread loads of its own vertex.
    const OWN: &'static [Line<Self>];

    /// The same values for a child's thread, which gets them with its launch.
    const ARGUMENTS: &'static [Line<Self>];

    /// Between the column and its use: what the edge itself says.
    const EDGE: &'static [Line<Self>];

    /// What the edge's target is asked for, and what is done then. Ends by falling through.
    const TARGET: &'static [Line<Self>];

    /// What the child that the thread in `lane` launches gets for every lane.
    fn argument(own: &Self::Own, lane: usize) -> Self::Own;
}
