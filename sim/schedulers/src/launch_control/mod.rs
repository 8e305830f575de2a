//! `launch-control`: running blocks take blocks that have not started, `docs/launch-control.md`. The twin of the whole
//! is a [`crate::dispatch::Dispatcher`] that answers.

pub(crate) mod cover;
mod family;

pub use family::{LaunchControlConfig, FAMILY};
