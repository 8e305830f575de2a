//! Clusters of thread blocks, each on one GPC: `docs/clusters.md`.
//!
//! ```text
//!  launch, cluster --> [kernel_table] --head_block, head_closes--------------------------------+
//!                        |   ^  | head_cluster                                                  v
//!                      mark unmark                       vacant, free                       dispatch[]
//!                        v   |                           |                                      ^
//!                     [fcfs_control]   [resource_table] -+- room --> (gates) --ready--> [spread | balance]
//! ```
//!
//! `spread` and `balance` have in common on which GPC a cluster is (`home`) and whose turn it is
//! there (`turns`).

mod balance;
mod home;
mod kernel_table;
mod plan;
mod ports;
mod scheduler;
mod sequence;
mod spread;
mod turns;
mod whole;

pub use balance::Balance;
use home::Home;
pub use kernel_table::ClusterTable;
pub use ports::{ClusterExtent, Place};
pub use scheduler::{ClusterCdpScheduler, ClusterScheduler, Policy};
pub use sequence::ClusterSequence;
pub use spread::Spread;
pub(crate) use turns::Turns;
