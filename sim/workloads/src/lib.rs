//! What the GPU runs: kernels, scenarios, graphs, microbenchmarks.

pub mod bfs;
pub mod clr;
pub mod erc;
pub mod graph;
pub mod ikra;
pub mod kernel_file;
pub mod scenario;
pub mod sssp;
pub mod trace;
pub mod vertex;

// Known here as `crate::diagnostic` and so on.
use blockyard_contract::{diagnostic, port};
use blockyard_gpu::{self as gpu, program};
