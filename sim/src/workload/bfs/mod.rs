//! Breadth-first search as a host program and the kernel that it launches once a level.
//!
//! **Algorithm.** One thread a vertex, level by level, driven by topology (Harish and Narayanan,
//! HiPC 2007; Rodinia's `bfs` is of that family): each launch covers all vertices, and those on the
//! frontier look at their edges. The host launches the next level when a kernel has finished and
//! has set the flag; the launch that finds nothing new is the last one.
//!
//! **Kernel `bfs`**, for one thread (`kernel.rs` has its instructions):
//!
//! ```text
//! v = block * threads + thread;    if (v >= vertices) return;
//! if (level[v] != depth) return;
//! for (e = offset[v]; e < offset[v + 1]; e++) {
//!     u = column[e];
//!     if (level[u] == UNVISITED) { level[u] = depth + 1; changed = 1; }
//! }
//! ```
//!
//! **Memory** is as [`Layout`] says. Values are read and written when the GPU pulls the instruction,
//! so what a warp sees depends on what others have issued before. The result does not: during one
//! launch only `depth + 1` is ever written, and only over `UNVISITED`.

mod host;
mod kernel;
mod layout;
mod memory;
mod options;
mod reference;
mod registers;
mod state;
mod warp;

#[cfg(test)]
mod host_tests;
#[cfg(test)]
mod interpreter;
#[cfg(test)]
mod kernel_tests;
#[cfg(test)]
mod options_tests;

pub use host::Bfs;
pub use layout::Layout;
pub use options::BfsOptions;
pub use reference::reference_bfs;

/// The level of a vertex that the search has not reached.
pub const UNVISITED: u32 = u32::MAX;

/// The name of the kernel in logs and statistics; the instance is the level.
pub const KERNEL_NAME: &str = "bfs";

/// 32-bit registers of a thread. The kernel names 14, and the compiler would take two more for the
/// 64-bit addresses; hardware allocates in steps of eight.
pub const REGISTERS_PER_THREAD: u32 = 16;

/// Bytes of shared memory of a block: threads do not share anything.
pub const SHARED_MEMORY: u32 = 0;

/// Threads of a block unless `bfs.block` says otherwise.
pub const DEFAULT_BLOCK: u32 = 256;
