//! GPGPU-Sim's block issue: one kernel after another, up to one block an SMX and cycle.
//!
//! For comparison with cycle counts of GPGPU-Sim 4.2 and Accel-Sim; the rules are in
//! `docs/gpgpusim.md`.
//!
//! ```text
//!  launch --> [kernel_entries] --head--> [block_sequence] --block[], count--+
//!                 |   ^                                                     v
//!               mark unmark   [resource_table] room & [residents] below --> [placement] --> dispatch[]
//!                 v   |                                      ^
//!            [fcfs_control]             [cap_table] ---------+
//! ```

mod cap_table;
mod placement;
mod scheduler;

pub use cap_table::CapTable;
pub use placement::Placement;
pub use scheduler::{GpgpuSimCdpScheduler, GpgpuSimScheduler};
