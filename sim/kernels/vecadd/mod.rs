//! `vecadd`: the sum of two arrays of floats, one launch.

mod options;

use crate::sum::{Sum, SumOptions};
pub use options::VecaddOptions;

/// The host program.
pub type Vecadd = Sum<VecaddOptions>;

impl SumOptions for VecaddOptions {
    const KERNEL: &'static str = "vecadd";
    const PTX: &'static str = include_str!("vecadd.ptx");

    fn count(&self) -> u32 {
        self.count
    }

    fn block(&self) -> u32 {
        self.block
    }
}
