//! `domains`: dispatch in two levels, `docs/domains.md`.

pub(crate) mod cover;
mod domain;
mod family;
mod scheduler;
pub mod share;
pub mod walk;

pub use family::{DomainsConfig, FAMILY};
pub use scheduler::DomainsScheduler;
pub use share::{Share, ShareInputs, ShareOutputs};
pub use walk::{Walk, WalkInputs, WalkOutputs};
