//! Single-source shortest paths as a host program and the kernel that it launches once a round.
//!
//! **Algorithm.** Bellman and Ford's: one thread a vertex relaxes the edges of those vertices whose
//! distance has become less, with an atomic minimum, until a round lowers none. Topology-driven, with the
//! frontier in memory beside the distances (Harish and Narayanan, HiPC 2007; the `sssp` of LonestarGPU:
//! Burtscher, Nasre and Pingali, A Quantitative Study of Irregular Programs on GPUs, IISWC 2012).
//!
//! **Kernel `sssp`**, for one thread (`kernel.rs` and `vertex/code.rs` have its instructions):
//!
//! ```text
//! v = block * threads + thread;    if (v >= vertices) return;
//! if (due[v] != round) return;
//! d = distance[v];
//! for (e = offset[v]; e < offset[v + 1]; e++) {
//!     u = column[e];  new = d + weight[e];
//!     if (new < distance[u] && new < atomicMin(&distance[u], new)) { due[u] = round + 1; changed = 1; }
//! }
//! ```
//!
//! Unless nothing is launched from the device, the loop over more than `sssp.threshold` edges is a child
//! instead, `sssp_expand`, with one thread an edge; the next round waits for the children too.
//!
//! **Any order of issue gives the same distances.** Whoever lowers a distance then marks the vertex for
//! the next round, in which every thread sees all that was written in this one; a vertex that is marked
//! anew before its own thread looks is relaxed in the next round alone. The number of rounds does depend
//! on the order: a distance that is lowered early enough is relaxed on in the same round.
//!
//! **Weights** are words of 32 bits, those of the graph or generated ones ([`SsspOptions`]). Distances
//! stop at [`FARTHEST`].

mod host;
mod kernel;
mod layout;
mod options;
mod reference;
mod state;
mod weights;

#[cfg(test)]
mod tests;

pub use super::vertex::DEFAULT_BLOCK;
pub use host::Sssp;
pub use layout::Layout;
pub use options::{SsspOptions, DEFAULT_MAX_WEIGHT};
pub use reference::reference_sssp;

/// The distance of a vertex that no path reaches.
pub const UNREACHED: u32 = u32::MAX;

/// The largest distance: longer paths count as this long.
pub const FARTHEST: u32 = UNREACHED - 1;

/// The name of the kernel in logs and statistics; the instance is the round.
pub const KERNEL_NAME: &str = "sssp";

/// The name of the child kernel that expands one vertex.
pub const CHILD_NAME: &str = "sssp_expand";

/// 32-bit registers of a thread, of the child's too. The kernel names 22, and the compiler would take
/// two more for the 64-bit addresses; hardware allocates in steps of eight.
pub const REGISTERS_PER_THREAD: u32 = 24;

/// The length of a path of length `distance` and one more edge of `weight`.
fn extended(distance: u32, weight: u32) -> u32 {
    distance.saturating_add(weight).min(FARTHEST)
}
