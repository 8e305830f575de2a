//! SRTF's schedulers for numbers of SMXs that are known at run time.

#[cfg(doc)]
use super::PAPER_SMX;
use super::{boxed, SchedulerModule};
use crate::dispatch::Limits;
use crate::srtf::{AdaptiveScheduler, MpmaxScheduler, Shortest, ShortestScheduler};

/// `mpmax`, connected; `None` unless `smx` is one of [`PAPER_SMX`].
pub fn mpmax(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_paper_count!(smx, N => boxed(MpmaxScheduler::<N>::new(limits)))
}

/// `srtf/adaptive`, or `srtf` unless it is `adaptive`, connected; `None` unless `smx` is one of
/// [`PAPER_SMX`].
pub fn srtf(
    smx: usize,
    limits: Limits,
    parameters: Shortest,
    adaptive: bool,
) -> Option<Box<dyn SchedulerModule>> {
    if adaptive {
        with_paper_count!(smx, N => boxed(AdaptiveScheduler::<N>::new(limits, parameters)))
    } else {
        with_paper_count!(smx, N => boxed(ShortestScheduler::<N>::new(limits, parameters)))
    }
}
