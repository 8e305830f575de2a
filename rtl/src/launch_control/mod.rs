//! Running blocks take blocks that have not started: `docs/launch-control.md`.
//!
//! ```text
//!  launch --> [dispatcher] -- request --> (gates) --allow--> [dispatcher] --> dispatch
//!               ^      |
//!        cancel |      v cancelled
//! ```

mod scheduler;

pub use scheduler::{LaunchControlCdpScheduler, LaunchControlScheduler};
