//! `oldest-first`: the baseline with another placement, `docs/oldest-first.md`. An example of a
//! family.

mod order;
mod scheduler;

pub use order::Order;
pub use scheduler::{OldestFirstCdpScheduler, OldestFirstScheduler};
