//! Clusters of thread blocks, which run together on one GPC: `docs/clusters.md`.

pub mod balance;
mod family;
pub mod kernel_table;
mod pointers;
pub mod scheduler;
pub mod sequence;
pub mod spread;

pub use balance::{Balance, BalanceInputs, BalanceOutputs};
pub use family::{ClustersConfig, Policy, FAMILY};
pub use kernel_table::{KernelTable, KernelTableInputs, KernelTableOutputs};
pub use scheduler::Clusters;
pub use sequence::{Sequence, SequenceInputs, SequenceOutputs};
pub use spread::{Spread, SpreadInputs, SpreadOutputs};
