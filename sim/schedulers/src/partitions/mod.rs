//! `partitions`: kernels on a part of the SMXs, `docs/partitions.md`.

pub mod control;
pub(crate) mod cover;
mod family;
pub mod placement;

pub use control::{Control, ControlInputs, ControlOutputs};
pub use family::{PartitionsConfig, FAMILY};
pub use placement::{Placement, PlacementInputs, PlacementOutputs};
