//! SRTF: pairs of kernels under each policy, as code and by stated durations.

pub mod durations;
mod effects;
pub mod pairs;
mod stated;

/// The unit of throughput, turnaround and fairness: by the kernels alone.
const TIMES: &str = "times";
