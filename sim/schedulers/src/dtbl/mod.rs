//! Dynamic Thread Block Launch, `docs/dtbl.md`: groups of thread blocks that blocks launch are
//! coalesced to kernels in the Kernel Distributor (Wang et al., ISCA 2015, section 4.2).

pub mod block_control;
pub mod coalescer;
pub(crate) mod cover;
pub mod dispatcher;
pub mod ended_blocks;
pub mod fcfs_control;
pub mod group_fetch;
pub mod group_lists;
pub mod group_sequence;
pub mod group_table;
pub mod scheduler;

pub use block_control::{BlockControl, BlockControlInputs, BlockControlOutputs};
pub use coalescer::{Coalescer, CoalescerInputs, CoalescerOutputs};
pub use dispatcher::Dispatcher;
pub use ended_blocks::{EndedBlocks, EndedBlocksInputs, EndedBlocksOutputs};
pub use fcfs_control::{FcfsControl, FcfsControlInputs, FcfsControlOutputs};
pub use group_fetch::{GroupFetch, GroupFetchInputs, GroupFetchOutputs};
pub use group_lists::{GroupLists, GroupListsInputs, GroupListsOutputs};
pub use group_sequence::{GroupSequence, GroupSequenceInputs, GroupSequenceOutputs};
pub use group_table::{GroupTable, GroupTableInputs, GroupTableOutputs, MAX_GROUP_ENTRIES};
