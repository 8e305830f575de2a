//! `launch-control`: running blocks take blocks that have not started, `docs/launch-control.md`.
//! The twin of the whole is a [`crate::dispatch::Dispatcher`] that answers, with a policy a
//! [`crate::clusters::Clusters`] that does.

pub(crate) mod cover;
mod family;

pub use family::{LaunchControlConfig, FAMILY};
