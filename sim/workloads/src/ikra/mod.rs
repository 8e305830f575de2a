//! The microbenchmarks of IKRA (Huzaifa et al., ACM TACO 2020, section 5.4.1): one kernel, launched
//! 16 times, in which every thread loads, adds to and stores a number of memory locations of its
//! own.
//!
//! **Kernel `load_add_store`**, for one thread (`kernel.rs` has its instructions):
//!
//! ```text
//! a = &data[first[block] + thread];
//! for (i = 0; i < locations[block]; i++) {
//!     *a = *a + 1;
//!     a += threads;
//! }
//! ```
//!
//! A block's locations lie together, and the lanes of a warp access consecutive words. A block
//! touches in every kernel what the block of the same id touched in the one before (a
//! *self-dependency*, section 3), and nothing else. How many locations a thread has is fixed, 8,
//! but in [`Benchmark::WorkStealing`], where each block's number is drawn from 1 to 64 and its
//! threads load where they begin and end.
//!
//! **Memory** holds, under `work-stealing`, the word offsets of the blocks' data (blocks + 1
//! words), then the data. Values are read and written when the GPU pulls the instruction; at the
//! end of the run every location must have been added to once a kernel.

mod data;
mod host;
mod kernel;
mod memory;
mod options;

#[cfg(test)]
mod tests;

pub use host::Ikra;
pub use options::{Benchmark, IkraOptions};

/// The name of the kernel in logs and statistics; the instance is the round.
pub const KERNEL_NAME: &str = "load_add_store";

/// 32-bit registers of a thread. The kernel names up to eight, and the compiler would take a few
/// more for 64-bit addresses; hardware allocates in steps of eight.
pub const REGISTERS_PER_THREAD: u32 = 16;
