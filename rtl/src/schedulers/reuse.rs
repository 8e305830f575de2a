//! IKRA's schedulers for numbers of SMXs that are known at run time.

use super::{boxed, SchedulerModule};
use crate::dispatch::Limits;
use crate::ikra::{ChunkScheduler, StaticScheduler, StealScheduler, Stealing};

/// Numbers of SMXs for which IKRA is built.
pub const IKRA_SMX: [usize; 9] = [1, 2, 3, 4, 8, 13, 14, 15, 16];

/// `ikra/chunk`, connected; `None` unless `smx` is one of [`IKRA_SMX`].
pub fn ikra_chunk(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(ChunkScheduler::<N>::new(limits)); 1 2 3 4 8 13 14 15 16)
}

/// `ikra/flip`, or `ikra/reset` unless it `flips`, connected; `None` unless `smx` is one of [`IKRA_SMX`].
pub fn ikra_static(smx: usize, limits: Limits, flips: bool) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(StaticScheduler::<N>::new(limits, flips)); 1 2 3 4 8 13 14 15 16)
}

/// `ikra/steal`, connected; `None` unless `smx` is one of [`IKRA_SMX`].
pub fn ikra_steal(
    smx: usize,
    limits: Limits,
    stealing: Stealing,
) -> Option<Box<dyn SchedulerModule>> {
    with_smx_count!(smx, N => boxed(StealScheduler::<N>::new(limits, stealing)); 1 2 3 4 8 13 14 15 16)
}
