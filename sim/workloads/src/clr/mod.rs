//! Graph colouring as a host program and the two kernels that it launches each round.
//!
//! **Algorithm.** Jones and Plassmann's (A Parallel Graph Coloring Heuristic, SIAM J. Sci. Comput. 14,
//! 1993) in the independent-set form of GPUs (Luby's rounds; Naumov, Castonguay and Cohen, Parallel Graph
//! Coloring with Applications to the Incomplete-LU Factorization on the GPU, NVIDIA NVR-2015-001): every
//! vertex has a random priority, and in each round those vertices take the round's number as colour whose
//! priority is the highest among themselves and their uncoloured neighbours. The two kernels of a round,
//! one that finds conflicts and one that colours, are those of Pannotia's colouring (Che, Beckmann,
//! Reinhardt and Skadron, IISWC 2013).
//!
//! **Kernel `clr`**, for one thread (`kernel.rs` and `vertex/code.rs` have its instructions):
//!
//! ```text
//! v = block * threads + thread;    if (v >= vertices) return;
//! if (colour[v] != UNCOLOURED) return;
//! p = priority[v];
//! for (e = offset[v]; e < offset[v + 1]; e++) {
//!     u = column[e];
//!     if (colour[u] == UNCOLOURED && priority[u] > p) blocked[v] = round;
//! }
//! ```
//!
//! Unless nothing is launched from the device, the loop over more than `clr.threshold` edges is a child
//! instead, `clr_expand`, with one thread an edge. **Kernel `clr_assign`** follows when all of them have
//! finished, and launches none:
//!
//! ```text
//! v = block * threads + thread;    if (v >= vertices) return;
//! if (colour[v] != UNCOLOURED) return;
//! if (blocked[v] == round) { left = 1; return; }
//! colour[v] = round;
//! ```
//!
//! The host launches the next round when the flag is set.
//!
//! **Any order of issue gives the same colours**: `clr` writes nothing that it reads, nor does
//! `clr_assign` but to its own vertex. The loop does not end at the first conflict, as in Naumov's: the
//! child could not either, and both do the same work.
//!
//! **The graph is coloured as an undirected one**: edges that are listed in one direction count in
//! both. Self loops are no conflict.

mod assign;
mod host;
mod kernel;
mod layout;
mod options;
mod reference;
mod state;

#[cfg(test)]
mod tests;

pub use host::Clr;
pub use layout::Layout;
pub use options::ClrOptions;
pub use reference::{priority, reference_clr};

/// The colour of a vertex that has none yet.
pub const UNCOLOURED: u32 = u32::MAX;

/// The name of the kernel that finds conflicts; the instance is the round.
pub const KERNEL_NAME: &str = "clr";

/// The name of the kernel that colours; the instance is the round.
pub const ASSIGN_NAME: &str = "clr_assign";

/// The name of the child kernel that expands one vertex.
pub const CHILD_NAME: &str = "clr_expand";

/// 32-bit registers of a thread of `clr` and its child. They name 20, and the compiler would take two
/// more for the 64-bit addresses; hardware allocates in steps of eight.
pub const REGISTERS_PER_THREAD: u32 = 24;

/// 32-bit registers of a thread of `clr_assign`. It names 8.
pub const ASSIGN_REGISTERS_PER_THREAD: u32 = 16;
