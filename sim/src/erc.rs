//! What the SRTF paper measures with the kernels of ERCBench (`docs/srtf.md`, "Workloads").

mod accuracy;
mod evaluation;

pub use accuracy::{Accuracy, Spread};
pub use evaluation::{Evaluation, Figures, Pair, Scheduling};
