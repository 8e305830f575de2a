//! Breadth-first search as a host program and the kernel that it launches once a level.
//!
//! **Algorithm.** One thread a vertex, level by level, driven by topology (Harish and Narayanan,
//! HiPC 2007; Rodinia's `bfs` is of that family): each launch covers all vertices, and those on the
//! frontier look at their edges. The host launches the next level when a kernel has finished and
//! has set the flag; the launch that finds nothing new is the last one.
//!
//! **Kernel `bfs`**, for one thread (`kernel.rs` and `vertex/code.rs` have its instructions):
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
//! Unless nothing is launched from the device, the loop over more than `bfs.threshold` edges is a child
//! instead, `bfs_expand`, with one thread an edge; the next level waits for the children too.
//!
//! **Memory** is as [`Layout`] says. Values are read and written when the GPU pulls the instruction,
//! so what a warp sees depends on what others have issued before. The result does not: during one
//! launch only `depth + 1` is ever written, and only over `UNVISITED`.

mod host;
mod kernel;
mod layout;
mod options;
mod state;

#[cfg(test)]
mod host_tests;
#[cfg(test)]
mod kernel_tests;
#[cfg(test)]
mod options_tests;

pub use super::graph::{reference_bfs, UNVISITED};
#[cfg(test)]
use super::vertex::interpreter;
pub use super::vertex::DEFAULT_BLOCK;
pub use host::Bfs;
pub use layout::Layout;
pub use options::BfsOptions;

/// The name of the kernel in logs and statistics; the instance is the level.
pub const KERNEL_NAME: &str = "bfs";

/// The name of the child kernel that expands one vertex.
pub const CHILD_NAME: &str = "bfs_expand";

/// 32-bit registers of a thread, of the child's too. The kernel names 14, and the compiler would take
/// two more for the 64-bit addresses; hardware allocates in steps of eight.
pub const REGISTERS_PER_THREAD: u32 = 16;
