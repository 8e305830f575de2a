//! IKRA's schedulers for numbers of SMXs that are known at run time.

#[cfg(doc)]
use super::PAPER_SMX;
use super::{boxed, SchedulerModule};
use crate::dispatch::Limits;
use crate::ikra::{ChunkScheduler, RelatedScheduler, StaticScheduler, StealScheduler, Stealing};

/// Numbers of SMXs for which `ikra/steal(relations=on)` is built.
pub const RELATED_SMX: &[usize] = &[1, 3, 4, 15, 16];

/// `ikra/chunk`, connected; `None` unless `smx` is one of [`PAPER_SMX`].
pub fn ikra_chunk(smx: usize, limits: Limits) -> Option<Box<dyn SchedulerModule>> {
    with_paper_count!(smx, N => boxed(ChunkScheduler::<N>::new(limits)))
}

/// `ikra/flip`, or `ikra/reset` unless it `flips`, connected; `None` unless `smx` is one of [`PAPER_SMX`].
pub fn ikra_static(smx: usize, limits: Limits, flips: bool) -> Option<Box<dyn SchedulerModule>> {
    with_paper_count!(smx, N => boxed(StaticScheduler::<N>::new(limits, flips)))
}

/// `ikra/steal`, connected; `None` unless `smx` is one of [`PAPER_SMX`].
pub fn ikra_steal(
    smx: usize,
    limits: Limits,
    stealing: Stealing,
) -> Option<Box<dyn SchedulerModule>> {
    with_paper_count!(smx, N => boxed(StealScheduler::<N>::new(limits, stealing)))
}

/// `ikra/steal(relations=on)`, connected; `None` unless `smx` is one of [`RELATED_SMX`].
pub fn ikra_related(
    smx: usize,
    limits: Limits,
    stealing: Stealing,
) -> Option<Box<dyn SchedulerModule>> {
    with_count!(smx, N => boxed(RelatedScheduler::<N>::new(limits, stealing)); 1 3 4 15 16)
}
