//! `priority`: urgent kernels first, `docs/priority.md`.

mod scheduler;

pub use scheduler::{PriorityCdpScheduler, PriorityScheduler};
