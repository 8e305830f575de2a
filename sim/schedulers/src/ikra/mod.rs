//! IKRA, `docs/ikra.md`: the same block on the same SMX, kernel after kernel (Huzaifa, Alsop,
//! Mahmoud, Salvador, Sinclair and Adve, ACM TACO 2020, sections 3, 4 and 8).

pub mod affine_bound;
pub mod child_level;
pub mod chunk_entry;
pub mod chunk_start;
mod config;
pub(crate) mod cover;
mod family;
mod host_level;
pub mod kernel_before;
pub mod kernel_control;
pub mod kernel_history;
pub mod kernel_queue;
mod layout;
mod loot;
pub mod nested_kernels;
pub mod nested_scheduler;
mod nested_steps;
pub mod nested_thief;
mod predecessors;
pub mod scheduler;
pub mod steal_arbiter;
pub mod steal_queue;
mod stealing;
pub mod thief;

pub use affine_bound::{AffineBound, AffineBoundInputs, AffineBoundOutputs};
pub use child_level::{ChildLevel, ChildLevelInputs, ChildLevelOutputs};
pub use chunk_entry::{ChunkEntry, ChunkEntryInputs, ChunkEntryOutputs};
pub use chunk_start::{ChunkStart, ChunkStartInputs, ChunkStartOutputs};
pub use config::{IkraConfig, Nesting, OwnWork, StealConfig, WhenFull};
pub use family::FAMILY;
pub use kernel_before::{KernelBefore, KernelBeforeInputs, KernelBeforeOutputs};
pub use kernel_control::{KernelControl, KernelControlInputs, KernelControlOutputs};
pub use kernel_history::{KernelHistory, KernelHistoryInputs, KernelHistoryOutputs};
pub use kernel_queue::{KernelQueue, KernelQueueInputs, KernelQueueOutputs};
pub use loot::Loot;
pub use nested_kernels::{NestedKernels, NestedKernelsInputs, NestedKernelsOutputs};
pub use nested_scheduler::NestedScheduler;
pub use nested_thief::{NestedThief, NestedThiefInputs, NestedThiefOutputs};
pub use scheduler::IkraScheduler;
pub use steal_arbiter::{StealArbiter, StealArbiterInputs, StealArbiterOutputs};
pub use steal_queue::{StealQueue, StealQueueInputs, StealQueueOutputs};
pub use thief::{Thief, ThiefInputs, ThiefOutputs};

use crate::port::Dim3;

/// The block of linear id `id`; the id after the last one gives (0, 0, grid z). A grid without
/// blocks is taken for one with them.
fn block_of(id: u64, grid: Dim3) -> Dim3 {
    let (x, y) = (u64::from(grid.x.max(1)), u64::from(grid.y.max(1)));
    Dim3::new((id % x) as u32, (id / x % y) as u32, (id / x / y) as u32)
}
