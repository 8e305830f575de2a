//! GPGPU-Sim's way of issuing blocks, `docs/gpgpusim.md`: one kernel after another, and up to one
//! block an SMX and cycle.

pub mod cap_table;
pub(crate) mod cover;
mod family;
pub mod placement;
pub mod scheduler;

pub use cap_table::{CapTable, CapTableInputs, CapTableOutputs};
pub use family::{GpgpuSimConfig, FAMILY};
pub use placement::{Placement, PlacementInputs, PlacementOutputs};
pub use scheduler::GpgpuSim;
