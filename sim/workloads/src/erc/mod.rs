//! The kernels of ERCBench as SRTF's Tables 2 and 3 state them, alone and in pairs (`docs/srtf.md`,
//! "Workloads").

mod kernels;
mod program;

pub use kernels::{ErcKernel, KERNELS};
pub use program::{ErcOptions, ErcProgram, ErcWorkload};
