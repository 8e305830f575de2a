//! What the blocks work on, and where it is in global memory.

use std::cell::RefCell;

use super::memory::{word, Allocator};
use super::{Benchmark, IkraOptions};
use crate::hash::{mix, permute};

/// See the module.
pub(super) struct Data {
    /// Threads of a block.
    pub threads: u32,
    /// For each block the word where its locations begin, and the end of the last one's.
    first: Vec<u32>,
    /// Base address of `first` in memory, where threads load it.
    offsets: Option<u64>,
    /// Base address of the data.
    base: u64,
    /// The data, as the kernels have left them.
    words: RefCell<Vec<u32>>,
}

impl Data {
    /// The data of `benchmark`; `seed` decides on numbers of locations that are drawn.
    pub fn new(benchmark: Benchmark, options: &IkraOptions, seed: u64) -> Self {
        let (threads, most) = (options.block(), options.locations(benchmark));
        let blocks = options.blocks(benchmark);
        let locations = |block: u32| {
            if !benchmark.is_irregular() {
                return most;
            }
            let drawn = mix(mix(seed) ^ u64::from(block / options.run())) % u64::from(most);
            1 + drawn as u32
        };
        let mut first = vec![0];
        let mut words = 0u32;
        for block in 0..blocks {
            words = words.saturating_add(threads * locations(block));
            first.push(words);
        }
        let mut memory = Allocator::new();
        let offsets = benchmark.is_irregular().then(|| memory.array(blocks + 1));
        let base = memory.array(words);
        let words = RefCell::new((0..words).map(permute).collect());
        Self { threads, first, offsets, base, words }
    }

    /// Blocks of a kernel.
    pub fn blocks(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// Whether threads load where their block's locations begin and end.
    pub fn loads_offsets(&self) -> bool {
        self.offsets.is_some()
    }

    /// Address of the word in memory that says where `block` begins.
    pub fn offset(&self, block: u32) -> u64 {
        word(self.offsets.unwrap_or_default(), block)
    }

    /// Locations of each thread of `block`.
    pub fn locations(&self, block: u32) -> u32 {
        let block = block as usize;
        (self.first[block + 1] - self.first[block]) / self.threads
    }

    /// The number of location `i` of thread `thread` of `block`.
    pub fn location(&self, block: u32, thread: u32, i: u32) -> u32 {
        self.first[block as usize] + i * self.threads + thread
    }

    /// Address of a location.
    pub fn address(&self, location: u32) -> u64 {
        word(self.base, location)
    }

    pub fn load(&self, location: u32) -> u32 {
        self.words.borrow()[location as usize]
    }

    pub fn store(&self, location: u32, value: u32) {
        self.words.borrow_mut()[location as usize] = value;
    }

    /// Whether every location has been added to `kernels` times.
    ///
    /// # Errors
    /// The first location that has not, with expected and got.
    pub fn verify(&self, kernels: u32) -> Result<(), String> {
        for (location, &got) in (0..).zip(self.words.borrow().iter()) {
            let expected = permute(location).wrapping_add(kernels);
            if got != expected {
                return Err(format!(
                    "after {kernels} kernels location {location} is {got}, expected {expected}"
                ));
            }
        }
        Ok(())
    }
}
