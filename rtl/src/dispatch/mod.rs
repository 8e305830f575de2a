//! The baseline SMX scheduler of current GPUs: DTBL sections 2.2, 2.3 and 4.2, LaPerm II-B.
//!
//! ```text
//!  launch --> [kernel_table] --head--> [resource_table] --room--> (gates) --allow--> [round_robin] --> dispatch
//!                 |   ^                     ^                                             |
//!               mark  unmark                +------------------- take --------------------+
//!                 v   |
//!            [fcfs_control]         finished[s] --> resource_table, kernel_table
//! ```

mod block_sequence;
mod dispatcher;
mod fcfs_control;
mod kernel_entries;
mod kernel_table;
mod open_gate;
mod ports;
mod residents;
mod resource_table;
mod restarting_scheduler;
mod round_robin;
mod scheduler;

pub use block_sequence::BlockSequence;
pub use dispatcher::Dispatcher;
pub use fcfs_control::FcfsControl;
pub use kernel_entries::KernelEntries;
pub use kernel_table::KernelTable;
pub use open_gate::OpenGate;
pub use ports::{BlockId, Context, Dispatch, Extent, InUse, Launch, Limits, Needs};
pub use residents::Residents;
pub use resource_table::{ResourceTable, SmxResources};
pub use restarting_scheduler::RestartingScheduler;
pub use round_robin::RoundRobin;
pub use scheduler::RoundRobinScheduler;
