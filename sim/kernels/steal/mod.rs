//! `steal`: the sum of two arrays of floats by blocks that take others that have not started, one
//! launch.

mod options;

use crate::sum::{Sum, SumOptions};
pub use options::StealOptions;

/// The host program.
pub type Steal = Sum<StealOptions>;

impl SumOptions for StealOptions {
    const KERNEL: &'static str = "steal";
    const PTX: &'static str = include_str!("steal.ptx");

    fn count(&self) -> u32 {
        self.count
    }

    fn block(&self) -> u32 {
        self.block
    }
}
