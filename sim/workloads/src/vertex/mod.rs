//! What kernels over the vertices of a graph have in common: one thread a vertex, whose edges it walks
//! itself or hands to a child.
//!
//! A kernel is a table of `Line`s, one an instruction: which lanes it takes, which registers,
//! what it does to data and addresses, and where the warp goes on. `Code` puts the lines that
//! every such kernel has around those of the workload; `VertexWarp` runs them.
//!
//! ```text
//! v = block * threads + thread;             if (v >= vertices) return;       code
//! if (state[v] != frontier) return;         own values of v                  workload
//! begin = offset[v], end = offset[v + 1]                                     code
//! if (end - begin > threshold) { launch a child over begin .. end; return; } code, not under flat
//! for (e = begin; e < end; e++) {                                            code
//!     u = column[e];                                                         code
//!     what the edge asks for                                                 workload
//! }
//! ```
//!
//! The child has one thread an edge: its lanes load consecutive columns, and do for their edge what
//! the loop does (Wang et al., Dynamic Thread Block Launch, ISCA 2015, section 3.1).

pub(super) mod code;
pub(super) mod grid;
pub mod hash;
mod host;
mod kernel;
mod layout;
pub(super) mod line;
mod options;
pub(super) mod registers;
mod threads;
mod warp;

#[cfg(test)]
pub(super) mod interpreter;
#[cfg(test)]
mod tests;

pub(super) use host::{compare, VertexLaunch};
pub(super) use kernel::{Expand, Kernel};
pub use layout::GraphArrays;
pub(super) use layout::{word, Allocator};
pub(super) use options::{SourceOption, VertexOptions};
pub use options::{DEFAULT_BLOCK, DEFAULT_CHILD_BLOCK, DEFAULT_THRESHOLD};
pub(super) use threads::{each, which, Addresses, Threads};
