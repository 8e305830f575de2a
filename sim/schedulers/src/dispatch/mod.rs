//! The baseline dispatcher, `docs/baseline.md`: DTBL sections 2.2, 2.3 and 4.2, LaPerm section
//! II-B. Modules that other schedulers share with it are here too.

pub mod block_sequence;
pub(crate) mod cover;
pub mod dispatcher;
mod divided;
pub mod entry;
mod family;
pub mod fcfs_control;
pub mod kernel_entries;
pub mod kernel_table;
pub mod last_finisher;
pub mod residents;
pub mod resource_table;
pub mod round_robin;

pub use block_sequence::{BlockSequence, BlockSequenceInputs, BlockSequenceOutputs};
pub use dispatcher::Dispatcher;
pub use entry::{Entry, FieldTooWide};
pub use family::{RoundRobinConfig, FAMILY};
pub use fcfs_control::{FcfsControl, FcfsControlInputs, FcfsControlOutputs};
pub use kernel_entries::{KernelEntries, KernelEntriesInputs, KernelEntriesOutputs};
pub use kernel_table::{KernelTable, KernelTableInputs, KernelTableOutputs};
pub use last_finisher::{LastFinisher, LastFinisherInputs, LastFinisherOutputs};
pub use residents::{Residents, ResidentsInputs, ResidentsOutputs};
pub use resource_table::{ResourceTable, ResourceTableInputs, ResourceTableOutputs};
pub use round_robin::{RoundRobin, RoundRobinInputs, RoundRobinOutputs};
