//! Twin of `clusters/sequence` (`docs/clusters.md`, rule 3): the next block of a kernel in
//! clusters.
//!
//! Undefined, and not to be compared: everything when `cluster` is none, or `place` is outside it;
//! `beyond` and `ends` also when `at` is outside a grid that is not empty. Combinational: there is
//! no clock edge.

use crate::port::{Cluster, Dim3};

/// Input ports of [`Sequence`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SequenceInputs {
    /// The first block of the kernel's next, or open, cluster.
    pub at: Dim3,
    /// The place of the next block within that cluster; 4 bits in each dimension.
    pub place: Dim3,
    /// The extent of the grid, a multiple of the cluster's.
    pub grid: Dim3,
    /// The extent of a cluster.
    pub cluster: Cluster,
}

/// Output ports of [`Sequence`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SequenceOutputs {
    /// The next block.
    pub block: Dim3,
    /// The place after it; zero after the last one of the cluster.
    pub next_place: Dim3,
    /// The block is the last one of its cluster.
    pub closes: bool,
    /// `beyond` and `ends`: the first block of the cluster after it; `None` (`ends`) when there is
    /// none.
    pub beyond: Option<Dim3>,
    /// The grid holds no block.
    pub empty: bool,
}

/// It has no state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequence;

impl Sequence {
    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &SequenceInputs) -> SequenceOutputs {
        let SequenceInputs { at, place, grid, cluster } = *inputs;
        let one = Dim3::new(1, 1, 1);
        let next_place = step(place, one, cluster.extent());
        SequenceOutputs {
            block: Dim3::new(at.x + place.x, at.y + place.y, at.z + place.z),
            next_place: next_place.unwrap_or_default(),
            closes: next_place.is_none(),
            beyond: step(at, cluster.extent(), grid).filter(|_| grid.volume() > 0),
            empty: grid.volume() == 0,
        }
    }
}

/// The point `by` further than `at` in `extent`, x fastest, then y, then z; none after the last
/// one.
fn step(at: Dim3, by: Dim3, extent: Dim3) -> Option<Dim3> {
    if at.x + by.x < extent.x {
        Some(Dim3::new(at.x + by.x, at.y, at.z))
    } else if at.y + by.y < extent.y {
        Some(Dim3::new(0, at.y + by.y, at.z))
    } else if at.z + by.z < extent.z {
        Some(Dim3::new(0, 0, at.z + by.z))
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
