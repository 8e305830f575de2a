//! How many faults of a scheduler's hardware its random lockstep finds.
//!
//! ```text
//!   [export] -- Verilog --> Yosys mutate --> all faults, one of them on --> Verilator ----> first difference
//!   random lockstep of `quick` and `full` -- inputs, and outputs that mean something --------/
//!                           Yosys, ABC: survivors that no inputs show are equivalent
//! ```
//!
//! Twin and hardware agree in lockstep, so that a fault that changes a compared output of the hardware is a difference
//! that lockstep on the same inputs finds.

mod compared;
mod design;
mod equivalence;
mod fault;
mod faulty;
mod harness;
pub mod kept;
mod product;
mod report;
mod score;

pub use design::{Design, Fate, Fates};
pub use fault::Fault;
pub use faulty::Sample;
pub use report::{json, table};
pub use score::{per_cent, Score};

use crate::regress::few;
use std::collections::BTreeSet;

/// All designs: each scheduler of the suites, in each launch mode that it takes. Their traffic is that of suites with
/// this seed.
pub fn every_design(seed: u64) -> Vec<Design> {
    few(seed).into_iter().map(Design::new).collect()
}

/// Those of them whose score is kept: of each variant of each family, whatever its parameters, the first one without
/// gates in each launch mode, and the first one with each list of gates.
pub fn designs(seed: u64) -> Vec<Design> {
    let mut known = BTreeSet::new();
    let mut all = every_design(seed);
    all.retain(|design| known.insert(design.kind()));
    all
}

/// The families of these designs, in order.
pub fn families(designs: &[Design]) -> Vec<&'static str> {
    let mut families: Vec<_> = designs.iter().map(|design| design.family).collect();
    families.dedup();
    families
}
