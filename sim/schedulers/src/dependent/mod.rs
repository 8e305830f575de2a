//! `dependent`: kernels that begin before their predecessors have ended, `docs/dependent.md`.

pub(crate) mod cover;
mod family;
pub mod waiting;

pub use family::{DependentConfig, FAMILY};
pub use waiting::{Waiting, WaitingInputs, WaitingOutputs};
