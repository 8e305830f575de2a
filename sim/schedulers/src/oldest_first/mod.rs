//! `oldest-first`: the baseline with another placement, `docs/oldest-first.md`. An example of a
//! family.

mod family;
mod order;

pub use family::{OldestFirstConfig, FAMILY};
pub use order::Order;
