//! The baseline SMX scheduler of current GPUs: DTBL sections 2.2, 2.3 and 4.2, LaPerm II-B.
//!
//! ```text
//!  launch --> [kernel_table] --head--> [resource_table] --room--> (gates) --allow--> [round_robin] --> dispatch
//!                 |   ^                     ^                                             |
//!               mark  unmark                +------------------- take --------------------+
//!                 v   |
//!            [fcfs_control]         finished[s] --> resource_table, kernel_table
//! ```

mod block_ahead;
mod block_sequence;
mod dispatcher;
mod doubled_stride;
mod fcfs_control;
mod gated;
mod kernel_entries;
mod kernel_table;
mod last_finisher;
mod next_block;
mod resource_table;
mod round_robin;
mod scheduler;
mod scheduler_pair;

pub use block_ahead::BlockAhead;
pub use block_sequence::BlockSequence;
pub use dispatcher::Dispatcher;
pub use doubled_stride::{DoubledStride, Stride};
pub use fcfs_control::FcfsControl;
pub(crate) use gated::gated_scheduler;
pub use kernel_entries::{KernelEntries, Move};
pub use kernel_table::KernelTable;
pub use last_finisher::LastFinisher;
pub use next_block::NextBlock;
pub use resource_table::{ResourceTable, SmxResources};
pub use round_robin::RoundRobin;
pub use scheduler::{RoundRobinCdpScheduler, RoundRobinScheduler};
pub(crate) use scheduler_pair::SchedulerPair;
