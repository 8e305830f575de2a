//! What the kernels over the vertices of a graph have in common: one thread a vertex, whose edges
//! it walks itself or, under CDP and DTBL, leaves to a child. The host launches them round after
//! round, as long as a flag is set.

mod catalog;
mod flag;
mod options;
mod priority;
mod vertices;

pub use catalog::{GraphSettings, GraphWorkload, Refused, WORKLOADS};
pub(crate) use flag::Flag;
pub(crate) use options::{block, child_block, source, threshold, SourceOption, VertexOptions};
pub use priority::priority;
pub(crate) use vertices::Vertices;
