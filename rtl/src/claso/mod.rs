//! CLASO: credits that balance the load of the SMXs.
//!
//! Yu, He, Guo, Wang, Chen, IJPP 2014, section 3 and Algorithm 1. An admission gate over any
//! dispatcher that has a gate port.
//!
//! ```text
//!   launch --> [allocator] --> [consumer 0 .. n-1] --free, needs_global--> [budget arbiter] --> allow
//!                         \--> [global_credits] ------- available -----------^
//! ```

mod allocator;
mod consumer;
mod gate;
mod global_credits;

pub use allocator::{Allocator, Levels};
pub use consumer::Consumer;
pub use gate::Gate;
pub use global_credits::GlobalCredits;
