//! DYNCTA: a limit of resident blocks for each SMX that follows how much it waits.
//!
//! Kayiran, Jog, Kandemir, Das, PACT 2013. An admission gate over any dispatcher that has a gate
//! port; the rules are in `docs/dyncta.md`.
//!
//! ```text
//!   sample, idle[s], memory[s] --> [limit 0 .. n-1] --> [residents] --> allow
//! ```

mod limit;
mod throttle;

pub use limit::{Limit, Thresholds};
pub use throttle::Throttle;
