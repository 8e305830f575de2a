//! Where the arrays are in global memory.

use crate::graph::Csr;
use crate::vertex::{Allocator, GraphArrays};

/// Base addresses in bytes, in the order of memory, each a multiple of 256:
///
/// | array | elements of 4 bytes |
/// | --- | --- |
/// | row offsets | vertices + 1 |
/// | columns | edges |
/// | weights | edges |
/// | distances | vertices |
/// | due | vertices |
/// | changed flag | 1 |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Row offsets and columns.
    pub graph: GraphArrays,
    /// Weight of each edge.
    pub weights: u64,
    /// Distance of each vertex from the source.
    pub distances: u64,
    /// The round in which the edges of each vertex are to be relaxed; `u32::MAX`: none yet.
    pub due: u64,
    /// The flag that a thread sets when it has lowered a distance.
    pub changed: u64,
    /// The first byte behind all arrays.
    pub end: u64,
}

impl Layout {
    /// The arrays for `csr`, one behind the other.
    pub fn of(csr: &Csr) -> Self {
        let mut memory = Allocator::new();
        Self {
            graph: GraphArrays::place(csr, &mut memory),
            weights: memory.array(csr.edges()),
            distances: memory.array(csr.vertices()),
            due: memory.array(csr.vertices()),
            changed: memory.array(1),
            end: memory.end(),
        }
    }
}
