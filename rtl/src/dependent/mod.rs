//! Kernels that begin before their predecessor has ended: `docs/dependent.md`.
//!
//! ```text
//!  launch --> [dispatcher] -- request --> (gates) --allow--> [dispatcher] --> dispatch
//!               |      ^
//!            accepted  | mark, waits
//!               v      |
//!  follows --> [waiting] <-- triggered[s]
//! ```

mod ports;
mod scheduler;
mod waiting;

pub use ports::DependentPorts;
pub use scheduler::{DependentCdpScheduler, DependentScheduler};
pub use waiting::Waiting;
