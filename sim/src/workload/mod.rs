//! What the GPU runs: kernels, scenarios, graphs, microbenchmarks.

pub mod bfs;
pub mod clr;
pub mod erc;
pub mod graph;
pub mod ikra;
pub mod scenario;
pub mod sssp;
pub mod trace;
pub mod vertex;
