//! How many faults of a scheduler's hardware its random lockstep finds.
//!
//! ```text
//!   [export] -- Verilog --> Yosys mutate --> all faults, one of them on --> Verilator ----> first difference
//!   random lockstep of `quick` and `full` -- inputs, and outputs that mean something --------/
//!                           Yosys, ABC: survivors that no inputs show are equivalent
//! ```
//!
//! Twin and hardware agree in lockstep, so that a fault that changes a compared output of the
//! hardware is a difference that lockstep on the same inputs finds.

mod alone;
mod bounds;
mod compared;
mod design;
mod equivalence;
mod fault;
mod faulty;
mod harness;
pub mod kept;
mod product;
mod promises;
mod report;
mod score;

pub use alone::{Alone, Caught};
pub use design::{Design, Fate, Fates};
pub use fault::Fault;
pub use faulty::Sample;
pub use report::{alone_table, json, table};
pub use score::{per_cent, Score};

use crate::regress::{few, few_of_each_kind};

/// All designs: each scheduler of the suites, in each launch mode that it takes. Their traffic is
/// that of suites with this seed.
pub fn every_design(seed: u64) -> Vec<Design> {
    few(seed).into_iter().map(Design::new).collect()
}

/// Those of them whose score is kept: [`few_of_each_kind`].
pub fn designs(seed: u64) -> Vec<Design> {
    few_of_each_kind(seed).into_iter().map(Design::new).collect()
}

/// The families of these designs, in order.
pub fn families(designs: &[Design]) -> Vec<&'static str> {
    let mut families: Vec<_> = designs.iter().map(|design| design.family).collect();
    families.dedup();
    families
}
