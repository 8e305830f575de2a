//! Densities for what the usual ones hardly have: grids as long as can be counted to their end, or
//! so vast that a reset ends them, and full tables of brief kernels; lockstep on two to five SMXs,
//! in stretches from reset.

use super::few::{composition_of, kinds, smx_of, variant};
use super::random::{run_stretches, STRETCH};
use super::schedulers::Subject;
use super::Extent;
use crate::regress::{Case, CaseContext};
use crate::traffic::Intensity;
use blockyard_sim::port::LaunchMode;
use std::collections::BTreeSet;

/// One of them.
#[derive(Debug)]
pub(super) struct Particular {
    name: &'static str,
    pub(super) intensity: Intensity,
    /// Of a stretch.
    cycles: u64,
    /// Stretches in the quick suite, the first ones, and in the full one.
    stretches: [u64; 2],
    /// Whether the quick suite takes each kind of scheduler in every launch mode, not just in one.
    every_mode: bool,
    /// Whose it is.
    subjects: fn(Subject) -> bool,
}

pub(super) const ALL: [Particular; 6] = [
    // Much of what only a long search finds is found here, of SRTF above all.
    Particular {
        name: "dense",
        intensity: Intensity::DENSE,
        cycles: STRETCH,
        stretches: [6, 24],
        every_mode: true,
        subjects: all,
    },
    // In this time grids of each dimension are dispatched to their end, at a block a cycle.
    Particular {
        name: "long",
        intensity: Intensity::LONG,
        cycles: 205_000,
        stretches: [1, 3],
        every_mode: false,
        subjects: all,
    },
    Particular {
        name: "vast",
        intensity: Intensity::VAST,
        cycles: 24_000,
        stretches: [3, 30],
        every_mode: true,
        subjects: all,
    },
    Particular {
        name: "crowd",
        intensity: Intensity::CROWD,
        cycles: 24_000,
        stretches: [1, 5],
        every_mode: true,
        subjects: all,
    },
    Particular {
        name: "deep",
        intensity: Intensity::DEEP,
        cycles: 400_000,
        stretches: [0, 4],
        every_mode: true,
        subjects: launches,
    },
    Particular {
        name: "ranks",
        intensity: Intensity::RANKS,
        cycles: 205_000,
        stretches: [0, 5],
        every_mode: true,
        subjects: measures_time,
    },
];

/// Everyone's.
fn all(_: Subject) -> bool {
    true
}

/// Whose blocks launch from the device.
fn launches(subject: Subject) -> bool {
    subject.mode.launch != LaunchMode::Flat
}

/// Who measures time, and so ranks kernels by what is left of them.
fn measures_time(subject: Subject) -> bool {
    composition_of(subject).source.base().family().name == "srtf"
}

impl Particular {
    /// Those of the quick suite, with the place in the list of the suites.
    pub(super) fn quick(&self) -> Vec<(usize, Subject)> {
        let mut known = BTreeSet::new();
        let mut all = if self.stretches[0] > 0 { self.full() } else { Vec::new() };
        all.retain(|&(_, subject)| self.every_mode || known.insert(variant(subject)));
        all
    }

    /// Those of the full suite, with the place in the list of the suites.
    pub(super) fn full(&self) -> Vec<(usize, Subject)> {
        let mut all = kinds();
        all.retain(|&(_, subject)| (self.subjects)(subject));
        all
    }

    /// The seed and the cycles of each stretch in the full suite, or in the quick one.
    pub(super) fn stretches(&self, seed: u64, whole: bool) -> impl Iterator<Item = (u64, u64)> {
        let (stretches, cycles) = (self.stretches[usize::from(whole)], self.cycles);
        (0..stretches).map(move |place| (seed.wrapping_add(place), cycles))
    }

    /// The id of a case.
    pub(super) fn id(&self, Subject { scheduler, mode }: Subject, smx: usize) -> String {
        format!("{}/{}/{scheduler}/n{smx}", self.name, mode.name)
    }
}

/// One of each density for each kind of scheduler.
pub fn cases(extent: Extent) -> Vec<Case> {
    let case = |density: &'static Particular, (place, subject): (usize, Subject)| {
        let (composition, smx) = (composition_of(subject), smx_of(place));
        let run = move |context: &CaseContext<'_>| {
            let stretches = density.stretches(context.seed, extent.whole);
            run_stretches(context, &composition, subject.mode, smx, density.intensity, stretches)
        };
        let cycles = density.stretches(0, extent.whole).map(|(_, cycles)| cycles).sum::<u64>();
        let weight = cycles * smx as u64 / 5_000 + 1;
        Case::new(density.id(subject, smx), weight as u32, run).taking(cycles)
    };
    let cases = |density: &'static Particular| {
        let all = if extent.whole { density.full() } else { density.quick() };
        all.into_iter().map(move |one| case(density, one))
    };
    ALL.iter().flat_map(cases).collect()
}
