//! What the GPU runs: kernels, scenarios, graphs.

pub mod program;
