//! Kernels on a part of the SMXs: `docs/partitions.md`.
//!
//! ```text
//!  launch, partition --> [dispatcher] -- request within the mask --> (gates) --allow--> [placement] --> dispatch
//!                           |    ^                   ^                                       ^
//!                         mark  head                 +----------------- turn ----------------+
//!                           v    |                                       |
//!                         [control]--------------------------------------+
//! ```

mod control;
mod placement;
mod scheduler;

pub use control::PartitionControl;
pub use placement::PartitionPlacement;
pub use scheduler::{PartitionCdpScheduler, PartitionScheduler};
