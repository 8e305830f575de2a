//! What the GPU runs: kernels, scenarios, graphs, microbenchmarks.

pub mod erc;
pub mod graph;
pub mod hash;
pub mod ikra;
#[cfg(test)]
mod interleaved;
pub mod kernel_file;
pub mod scenario;
pub mod trace;

// Known here as `crate::diagnostic` and so on.
use blockyard_contract::{diagnostic, input, key, plain, port};
use blockyard_gpu::{self as gpu, program};
