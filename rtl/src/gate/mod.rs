//! The place where admission gates stand: between the SMXs that have room and the one that gets the
//! block.
//!
//! A base scheduler has one [`GateChain`], filled by a list of [`GateKind`]s; a gate knows nothing
//! of the base that it stands over.

mod chain;
mod samples;

pub use chain::{GateChain, GateKind, GatePorts};
pub use samples::SamplePorts;
