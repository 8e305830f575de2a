//! The kernels of ERCBench as SRTF's Tables 2 and 3 state them, alone and in pairs, and what that paper
//! measures with them (`docs/srtf.md`, "Workloads").

mod accuracy;
mod evaluation;
mod kernels;
mod program;

pub use accuracy::{Accuracy, Spread};
pub use evaluation::{Evaluation, Figures, Pair, Scheduling};
pub use kernels::{ErcKernel, KERNELS};
pub use program::{ErcOptions, ErcProgram, ErcWorkload};
