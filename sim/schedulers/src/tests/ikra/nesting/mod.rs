//! `ikra/steal` with nesting levels: rules 20 to 28 over whole runs.

mod homes;
mod host_kernels;
mod machine;
mod properties;
mod thieves;

use super::*;
use crate::port::QueuePlace;
use machine::{Plan, Run};

/// Cycles from a pool to the scheduler.
const DISPATCH: u64 = 5;

/// Every cycle is simulated.
fn run(name: &str, smx: usize, limits: SmxLimits, plans: &[Plan]) -> Run {
    machine::run(name, smx, limits, plans, DISPATCH, false)
}

const TWO: &str = "ikra/steal(nesting=2)";
const FOUR: &str = "ikra/steal(nesting=4)";
