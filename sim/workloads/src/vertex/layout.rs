//! Where arrays are in global memory.

use crate::graph::Csr;

/// First byte of the first array. What is below belongs to the driver: parameters, code.
const BASE: u64 = 0x1000_0000;

/// `cudaMalloc` aligns to this many bytes.
const ALIGNMENT: u64 = 256;

/// Bytes of an element: all arrays hold 32-bit words.
pub(super) const WORD: u64 = 4;

/// The address in bytes of element `index` of the array of words at `base`.
pub(crate) fn word(base: u64, index: u32) -> u64 {
    base + u64::from(index) * WORD
}

/// Places arrays one behind the other, each at a multiple of 256 bytes.
pub(crate) struct Allocator {
    end: u64,
}

impl Allocator {
    /// Before the first array.
    pub fn new() -> Self {
        Self { end: BASE }
    }

    /// Base address in bytes of an array of `words` elements.
    pub fn array(&mut self, words: u32) -> u64 {
        let base = self.end.next_multiple_of(ALIGNMENT);
        self.end = word(base, words);
        base
    }

    /// The first byte behind all arrays.
    pub fn end(&self) -> u64 {
        self.end
    }
}

/// Base addresses in bytes of a graph's compressed rows, which come first in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphArrays {
    /// Row offsets: vertices + 1 words.
    pub offsets: u64,
    /// Columns: the target of each edge.
    pub columns: u64,
}

impl GraphArrays {
    /// Places the arrays of `csr`.
    pub(crate) fn place(csr: &Csr, allocator: &mut Allocator) -> Self {
        let offsets = allocator.array(csr.vertices() + 1);
        Self { offsets, columns: allocator.array(csr.edges()) }
    }

    /// Address of the row offset with index `vertex`.
    pub fn offset(&self, vertex: u32) -> u64 {
        word(self.offsets, vertex)
    }

    /// Address of the target of edge number `edge`.
    pub fn column(&self, edge: u32) -> u64 {
        word(self.columns, edge)
    }
}
