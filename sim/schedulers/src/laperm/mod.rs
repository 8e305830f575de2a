//! LaPerm, `docs/laperm.md`: child blocks first, on their parent's SMX (Wang, Rubin, Sidelnik and
//! Yalamanchili, ISCA 2016, section IV).

pub mod bound_pools;
mod config;
pub(crate) mod cover;
pub mod dispatcher;
mod family;
pub mod management_unit;
pub mod overflow_queues;
pub mod priority_queue;
pub mod queue_bank;
pub mod scheduler;
pub mod selector;
pub mod unit_counts;

pub use bound_pools::{BoundPools, BoundPoolsInputs, BoundPoolsOutputs};
pub use config::{Binding, LapermConfig, QueueKind};
pub use dispatcher::Dispatcher;
pub use family::FAMILY;
pub use management_unit::{ManagementUnit, ManagementUnitInputs, ManagementUnitOutputs};
pub use overflow_queues::{OverflowQueues, OverflowQueuesInputs, OverflowQueuesOutputs};
pub use priority_queue::{Head, PriorityQueue, PriorityQueueInputs, PriorityQueueOutputs};
pub use queue_bank::{QueueBank, QueueBankInputs, QueueBankOutputs};
pub use scheduler::LapermScheduler;
pub use selector::{Candidate, Selector, SelectorInputs, SelectorOutputs};
pub use unit_counts::{UnitCounts, UnitCountsInputs, UnitCountsOutputs};
