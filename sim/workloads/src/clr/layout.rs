//! Where the arrays are in global memory.

use crate::graph::Csr;
use crate::vertex::{Allocator, GraphArrays};

/// Base addresses in bytes, in the order of memory, each a multiple of 256:
///
/// | array | elements of 4 bytes |
/// | --- | --- |
/// | row offsets | vertices + 1 |
/// | columns | edges |
/// | priorities | vertices |
/// | colours | vertices |
/// | blocked | vertices |
/// | left flag | 1 |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Row offsets and columns.
    pub graph: GraphArrays,
    /// Priority of each vertex.
    pub priorities: u64,
    /// Colour of each vertex.
    pub colours: u64,
    /// The last round in which each vertex had an uncoloured neighbour of higher priority;
    /// `u32::MAX`: none yet.
    pub blocked: u64,
    /// The flag that a thread sets when its vertex stays without a colour.
    pub left: u64,
    /// The first byte behind all arrays.
    pub end: u64,
}

impl Layout {
    /// The arrays for `csr`, one behind the other.
    pub fn of(csr: &Csr) -> Self {
        let mut memory = Allocator::new();
        Self {
            graph: GraphArrays::place(csr, &mut memory),
            priorities: memory.array(csr.vertices()),
            colours: memory.array(csr.vertices()),
            blocked: memory.array(csr.vertices()),
            left: memory.array(1),
            end: memory.end(),
        }
    }
}
