//! Schedulers that keep a block on its SMX from kernel to kernel: IKRA, sections 3 and 4.
//!
//! ```text
//!  launch --> [kernel_queue] --head--> [kernel_control] --begins, load--+
//!                                        ^ done                         v
//!                                        |       +----------------------------------------+
//!                                        +-------| unit of each SMX: chunk_start,         |--> dispatch
//!                       finished[s] ------------>| chunk_entry, steal_queue, thief,       |
//!                                                | resources                              |
//!                                                +----------------------------------------+
//!                                                  | asks, what is left       ^ granted, refused, stolen
//!                                                  +----> [steal_arbiter] ----+
//! ```
//!
//! With nesting levels (section 8) `nested_kernels` takes the place of the kernel queue, a
//! `child_level` beside the units holds the chunks and queues of each level of device kernels, and
//! `nested_thief` asks at every level.

mod affine_bound;
mod block_step;
mod child_answer;
mod child_home;
mod child_level;
mod child_queue;
mod chunk_bank;
mod chunk_entry;
mod chunk_scheduler;
mod chunk_start;
mod first_ids;
mod kernel_before;
mod kernel_control;
mod kernel_history;
mod kernel_queue;
mod nested_kernels;
mod nested_scheduler;
mod nested_smxs;
mod nested_thief;
mod nested_unit;
mod one_kernel;
mod own_choice;
mod own_chunk;
mod own_work;
mod ports;
mod queue_bank;
mod related_kernels;
mod related_scheduler;
mod running_kernels;
mod static_dispatcher;
mod static_scheduler;
mod static_unit;
mod steal_arbiter;
mod steal_queue;
mod steal_scheduler;
mod steal_unit;
mod stealing_smxs;
mod thief;
mod victim_order;

pub use affine_bound::AffineBound;
pub(crate) use block_step::BlockStep;
pub use child_level::ChildLevel;
pub use chunk_entry::ChunkEntry;
pub use chunk_scheduler::ChunkScheduler;
pub use chunk_start::ChunkStart;
pub use kernel_before::KernelBefore;
pub use kernel_control::KernelControl;
pub use kernel_history::KernelHistory;
pub use kernel_queue::KernelQueue;
pub use nested_kernels::NestedKernels;
pub use nested_scheduler::{FourLevelScheduler, TwoLevelScheduler};
pub use nested_thief::NestedThief;
pub use own_work::OwnWork;
pub use ports::{
    ChildKernel, Choice, DerivedChunk, Home, Kernel, Layouts, Loot, Relation, Stake, Stealing,
    Tenancy, Ticket, WhenFull,
};
pub use related_scheduler::RelatedScheduler;
pub use static_dispatcher::StaticDispatcher;
pub use static_scheduler::StaticScheduler;
pub use steal_arbiter::StealArbiter;
pub use steal_queue::StealQueue;
pub use steal_scheduler::StealScheduler;
pub use thief::Thief;
