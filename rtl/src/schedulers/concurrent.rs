//! SRTF's schedulers for numbers of SMXs that are known at run time.

use super::{boxed, SchedulerModule};
use crate::dispatch::Limits;
use crate::srtf::{AdaptiveScheduler, MpmaxScheduler, Shortest, ShortestScheduler};

/// Numbers of SMXs for which SRTF is built.
pub const SRTF_SMX: [usize; 8] = [1, 2, 3, 4, 13, 14, 15, 16];

/// `mpmax`, connected; `None` unless `smx` is one of [`SRTF_SMX`].
pub fn mpmax(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(MpmaxScheduler::<N>::new(limits)); 1 2 3 4 13 14 15 16)
}

/// `srtf/adaptive`, or `srtf` unless it is `adaptive`, connected; `None` unless `smx` is one of
/// [`SRTF_SMX`].
pub fn srtf(
    smx: usize,
    limits: Limits,
    parameters: Shortest,
    adaptive: bool,
) -> Option<Box<dyn SchedulerModule>> {
    if adaptive {
        with_smx_count!(smx, N => boxed(AdaptiveScheduler::<N>::new(limits, parameters)); 1 2 3 4 13 14 15 16)
    } else {
        with_smx_count!(smx, N => boxed(ShortestScheduler::<N>::new(limits, parameters)); 1 2 3 4 13 14 15 16)
    }
}
