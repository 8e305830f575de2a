//! DTBL: thread blocks launched from the GPU, coalesced to kernels that are already distributed.
//!
//! Wang, Rubin, Sidelnik, Yalamanchili, ISCA 2015, section 4.
//!
//! ```text
//!   command, group --> [coalescer] --coalesce--> [group_lists] --next_group--> [group_sequence] --block--+
//!                        | probe                    | link                     ^ known             v
//!                 [kernel_entries]              [group_table]     [group_fetch]        [dispatcher] --> dispatch
//!                        ^ mark, head               ^ served         | fetch, fetched              |
//!                        |                    [ended_blocks]                                       |
//!                        |                          ^ finished                                     |
//!                 [fcfs_control]              [block_control] <------- finished, slot -------------+
//! ```

mod block_control;
mod coalescer;
mod dispatcher;
mod ended_blocks;
mod fcfs_control;
mod group_fetch;
mod group_lists;
mod group_sequence;
mod group_table;
mod held_groups;
mod ports;
mod ring_counts;
mod scheduler;
mod state;

pub use block_control::{BlockControl, SlotControl};
pub use coalescer::Coalescer;
pub use dispatcher::GroupDispatcher;
pub use ended_blocks::EndedBlocks;
pub use fcfs_control::GroupFcfsControl;
pub use group_fetch::GroupFetch;
pub use group_lists::GroupLists;
pub use group_sequence::GroupSequence;
pub use group_table::GroupTable;
pub use held_groups::{HeldGroups, MOST_AHEAD};
pub use ports::{
    BlockRegister, Command, FetchedGroup, Group, GroupBlock, GroupDispatch, GroupMemoryPorts,
    GroupPorts, LinkWrite, Outcome, RingPlace, Served,
};
pub use ring_counts::RingCounts;
pub use scheduler::DtblScheduler;
pub use state::GroupState;
