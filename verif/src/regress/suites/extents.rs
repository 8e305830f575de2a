//! Grids as long as can be counted to their end: lockstep on few kernels, whose blocks end at once.

use super::few::{composition_of, kinds, smx_of, variant};
use super::random::run_stretches;
use super::schedulers::Subject;
use super::Extent;
use crate::regress::{Case, CaseContext};
use crate::traffic::Intensity;
use std::collections::BTreeSet;

/// Cycles in which grids of each dimension are dispatched, at a block a cycle.
pub(super) const CYCLES: u64 = 155_000;

/// One for each kind of scheduler, with two to five SMXs; the quick suite takes each in one launch
/// mode.
pub fn cases(extent: Extent) -> Vec<Case> {
    let case = |(place, subject): (usize, Subject)| {
        let (composition, smx) = (composition_of(subject), smx_of(place));
        let run = move |context: &CaseContext<'_>| {
            let once = [(context.seed, CYCLES)];
            run_stretches(context, &composition, subject.mode, smx, Intensity::LONG, once)
        };
        Case::new(id(subject, smx), (CYCLES * smx as u64 / 5_000) as u32, run).taking(CYCLES)
    };
    let quick = quick();
    let is_in = |one: &(usize, Subject)| extent.whole || quick.contains(one);
    kinds().into_iter().filter(is_in).map(case).collect()
}

/// Those of the quick suite, with the place in the list of the suites.
pub(super) fn quick() -> Vec<(usize, Subject)> {
    let mut known = BTreeSet::new();
    let mut all = kinds();
    all.retain(|&(_, subject)| known.insert(variant(subject)));
    all
}

/// The id of a case.
pub(super) fn id(Subject { scheduler, mode }: Subject, smx: usize) -> String {
    format!("long/{}/{scheduler}/n{smx}", mode.name)
}
