//! Where arrays are in global memory.

/// First byte of the first array. What is below belongs to the driver: parameters, code.
const BASE: u64 = 0x1000_0000;

/// `cudaMalloc` aligns to this many bytes.
const ALIGNMENT: u64 = 256;

/// Bytes of an element: all arrays hold 32-bit words.
const WORD: u64 = 4;

/// The address in bytes of element `index` of the array of words at `base`.
pub(super) fn word(base: u64, index: u32) -> u64 {
    base + u64::from(index) * WORD
}

/// Places arrays one behind the other, each at a multiple of 256 bytes.
pub(super) struct Allocator {
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
}
