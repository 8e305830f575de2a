//! Choosing among the points of a study, instead of running all of them.

mod admission;
mod candidates;
mod choose;
mod model;
mod process;

pub use choose::{Runs, Tried};

use std::ops::Range;

/// `[search]`: which candidate, a choice of values on some axes, is best over all of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The axes whose values are chosen.
    pub axes: Vec<String>,
    /// The figure by which candidates are compared.
    pub goal: String,
    /// Whether more of it is better.
    pub maximise: bool,
    /// How candidates are chosen.
    pub method: Method,
    /// Candidates that are tried.
    pub budget: u64,
    /// Decides which candidates are drawn.
    pub seed: u64,
    /// Most bits that the hardware of a candidate may store, if there is a limit.
    pub max_storage_bits: Option<u64>,
    /// Where it stands in the study, in bytes.
    pub place: Range<usize>,
}

/// How candidates are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Drawn, each of them run on every case.
    Random,
    /// Drawn; all run on one case, the better half of them on two, the better half of those on
    /// four, and so on (successive halving).
    Halving,
    /// A quarter of them drawn, the others chosen by what is known of those that were tried; each
    /// runs every case.
    Bayesian,
}
