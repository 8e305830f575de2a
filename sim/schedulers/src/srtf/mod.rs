//! SRTF: the shortest kernel first, by prediction (`docs/srtf.md`; Pai, Govindarajan,
//! Thazhuthaveetil 2014).

mod block_starts;
mod choice_room;
mod config;
mod core;
pub(crate) mod cover;
mod divider;
mod fairness;
mod family;
mod kernel_set;
mod mpmax_scheduler;
mod oldest_below;
mod oracle;
mod predictor;
mod reserve;
mod residents;
mod sampler;
mod scheduler;
mod shortest_first;

pub use block_starts::{BlockStarts, BlockStartsInputs, BlockStartsOutputs};
pub use choice_room::{ChoiceRoom, ChoiceRoomInputs};
pub use config::{OracleConfig, OracleKind, Policy, RuntimeList, SrtfConfig};
pub use divider::{Divider, DividerInputs, DividerOutputs, DividerRequest};
pub use fairness::{Fairness, FairnessInputs, FairnessOutputs};
pub use family::{MpmaxConfig, FAMILY};
pub use kernel_set::{KernelSet, KernelSetInputs, KernelSetOutputs};
pub use mpmax_scheduler::MpmaxScheduler;
pub use oldest_below::{OldestBelow, OldestBelowInputs};
pub use oracle::Oracle;
pub use predictor::{Copied, Predictor, PredictorInputs, PredictorOutputs};
pub use reserve::{Reserve, ReserveInputs, ReserveOutputs};
pub use residents::{KernelResidents, KernelResidentsInputs, KernelResidentsOutputs};
pub use sampler::{Sampler, SamplerInputs, SamplerOutputs};
pub use scheduler::SrtfScheduler;
pub use shortest_first::{ShortestFirst, ShortestFirstInputs, ShortestFirstOutputs};

use crate::port::KernelEntry;

/// Kernels that run at once: entries of the kernel table that are used (rule 1).
pub const KERNELS: usize = 8;

/// The mask of a clock: 40 bits.
const CLOCK: u64 = (1 << 40) - 1;

/// The largest time that a register holds: 40 bits.
const MOST_TIME: u64 = (1 << 40) - 1;

/// The kernels of a set, by increasing number.
fn members(set: u8) -> impl Iterator<Item = usize> {
    (0..KERNELS).filter(move |k| set >> k & 1 == 1)
}

/// The number of an entry that runs.
fn entry(k: usize) -> KernelEntry {
    KernelEntry(k as u8)
}

/// The oldest kernel of a set.
fn oldest(set: u8, older: &[u8; KERNELS]) -> Option<usize> {
    members(set).find(|&k| older[k] & set == 0)
}

/// The kernel of a set with the least number of these; the older one of equals.
fn least(set: u8, numbers: &[u64; KERNELS], older: &[u8; KERNELS]) -> Option<usize> {
    let fewest = members(set).map(|k| numbers[k]).min()?;
    let equals = members(set).filter(|&k| numbers[k] == fewest).fold(0, |set, k| set | 1 << k);
    oldest(equals, older)
}
