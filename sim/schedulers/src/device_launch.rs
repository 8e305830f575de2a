//! Schedulers for every [`LaunchMode`].

use super::dtbl::MAX_GROUP_ENTRIES;
use super::family::Build;
use super::{Composition, Twin};
use crate::port::{FloorPlan, GroupStorage, LaunchMode, Scheduler, SmxLimits};

/// The scheduler cannot be combined with the launch mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum LaunchModeError {
    /// A kernel that waits for another one that it launched keeps that one from beginning.
    #[error("the scheduler {0} takes no launches from the device")]
    #[diagnostic(help(
        "kernels run one at a time: a child would wait for its parent, which waits for it; use rr, \
        most-room or laperm, ikra/steal(nesting=2) under --launch cdp, or --launch flat"
    ))]
    OneAtATime(Composition),
    /// With levels of kernels a kernel belongs to one SMX with all its blocks.
    #[error("the scheduler {0} takes no aggregated groups")]
    #[diagnostic(help(
        "a kernel belongs to the SMX of the block that launched it, but a group would join a kernel of any \
        SMX; use --launch cdp"
    ))]
    NestedGroups(Composition),
    /// Only the Kernel Distributors of `rr`, `most-room` and LaPerm have lists of groups.
    #[error("the scheduler {0} takes no aggregated groups")]
    #[diagnostic(help(
        "its Kernel Distributor has no lists of groups; use rr, most-room or laperm, or --launch \
        cdp"
    ))]
    Groups(Composition),
    /// The policies for concurrent kernels know a kernel's blocks at its launch, or run eight
    /// kernels.
    #[error("the scheduler {0} takes no launches from the device")]
    #[diagnostic(help(
        "it decides by what is known of a kernel at the host's launch: blocks that are launched later would \
        change that; use rr, most-room or laperm, or --launch flat"
    ))]
    Concurrent(Composition),
    /// The hash of the Aggregated Group Table is a mask.
    #[error("the Aggregated Group Table cannot have {0} entries")]
    #[diagnostic(help("expected a power of two from 1 to {MAX_GROUP_ENTRIES}"))]
    GroupEntries(u32),
    /// They are numbered on chip.
    #[error("{0} groups in memory cannot be asked for ahead")]
    #[diagnostic(help("expected 1 to {}", GroupStorage::MOST_AHEAD))]
    GroupsAhead(u32),
}

/// The golden engine: the twin of the scheduler that `composition` names, for the SMXs of `plan` (a
/// number of them has no shape) that can each hold what `limits` says, under `launch`.
///
/// `storage` matters under [`LaunchMode::Dtbl`] alone, and not to LaPerm, whose queues take its
/// place.
///
/// # Errors
/// When the composition or the size of the table cannot be used under that launch mode.
///
/// # Panics
/// When `plan` has not 1 to [`crate::port::MAX_SMX`] SMXs; a GPU preset is checked before it gets
/// here.
pub fn build_for(
    composition: &Composition,
    launch: LaunchMode,
    storage: impl Into<GroupStorage>,
    plan: impl Into<FloorPlan>,
    limits: SmxLimits,
) -> Result<Box<dyn Scheduler>, LaunchModeError> {
    Ok(twin_for(composition, launch, storage.into(), &plan.into(), limits)?)
}

/// [`build_for`], open to fault injection.
pub(super) fn twin_for(
    composition: &Composition,
    launch: LaunchMode,
    storage: GroupStorage,
    plan: &FloorPlan,
    limits: SmxLimits,
) -> Result<Box<dyn Twin>, LaunchModeError> {
    let build = Build { composition, launch, storage, smx: plan.smx(), plan, limits };
    composition.source.base().twin(&build)
}

#[cfg(test)]
mod tests;
