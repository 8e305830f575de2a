//! LaPerm: child blocks first, on their parent's SMX.
//!
//! Wang, Rubin, Sidelnik, Yalamanchili, ISCA 2016, section IV.
//!
//! ```text
//!   device_launch --> [management_unit] --offer--> [dispatcher] <--heads, head-- [queue_bank] <--> memory
//!                      [bound_pools]                [choice]                      [queue_slice] of each queue
//!                       [level_rings]                [selector]                    [linked_queue], [shifting_queue]
//!                                                     [backups]                     [unit_progress], [entry_banks]
//!                                                   [placement]                    [overflow_queues]
//!                                                                                   [level_rings]
//! ```

mod backups;
mod bound_pools;
mod choice;
mod dispatcher;
mod entry_banks;
mod level_rings;
mod linked_queue;
mod management_unit;
mod overflow_queues;
mod placement;
mod ports;
mod queue_bank;
mod queue_pair;
mod queue_slice;
mod scheduler;
mod selector;
mod shifting_queue;
mod unit_progress;

use backups::Backups;
pub use bound_pools::BoundPools;
use choice::Choice;
use dispatcher::PriorityDispatcher;
use entry_banks::EntryBanks;
pub(crate) use level_rings::LevelRings;
pub use linked_queue::LinkedQueue;
pub use management_unit::BoundManagementUnit;
use overflow_queues::OverflowQueues;
pub use placement::{Division, Placement};
use ports::queue_bits;
pub use ports::{
    Backup, EntryFetch, HeadBlock, Parent, ParentPorts, Place, QueueEntry, QueueHead, QueuePorts,
    QueueStatus, Refill, SelectorPorts, Spill,
};
pub use queue_bank::{LinkedBank, ShiftingBank};
pub(crate) use queue_pair::QueuePair;
use queue_slice::{LinkedSlice, ShiftingSlice};
pub use scheduler::{LinkedScheduler, PriorityScheduler, ShiftingScheduler};
pub use selector::{Selection, Selector};
pub use shifting_queue::ShiftingQueue;
use unit_progress::UnitProgress;
