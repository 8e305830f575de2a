//! The random lockstep of a scheduler on two to five SMXs: what its hardware with faults is run on.

use super::particular;
use super::random::{
    cycles_of, id, limits, places_of_kinds, quick_cells, stretches, Cell, DENSITIES,
};
use super::schedulers::{subjects, Subject};
use super::{Extent, FULL, QUICK};
use crate::random_lockstep::RandomLockstep;
use crate::regress::case_seed;
use blockyard_sim::port::FloorPlan;
use blockyard_sim::sched::Composition;
use std::collections::BTreeSet;

/// The table of groups that is taken where there are several: it fills, and what is in memory
/// waits.
const TABLE: u32 = 8;

/// Traffic of the suites on one piece of hardware, in stretches from reset.
#[derive(Clone, Debug)]
pub struct Few {
    /// `flat`, `cdp`, `dtbl8`.
    pub mode: &'static str,
    /// All of `quick`: first what it has for just this hardware, then what it has for other numbers
    /// of SMXs and other limits, on this one.
    pub quick: Vec<RandomLockstep>,
    /// What `full` has beside that with as many SMXs.
    pub full: Vec<RandomLockstep>,
}

/// Each scheduler of the suites in each launch mode that it takes, as `quick` has it on two to five
/// SMXs with this seed. Those that differ in the size of their table alone are there once.
pub fn few(seed: u64) -> Vec<Few> {
    let kinds = places_of_kinds();
    chosen().into_iter().map(|(place, subject)| of(place, subject, &kinds, seed)).collect()
}

/// Those of them that differ in more than parameters, sizes and what is under gates: of each
/// variant of each family the first one without gates in each launch mode, and the first one with
/// each list of gates.
pub fn few_of_each_kind(seed: u64) -> Vec<Few> {
    let kinds = places_of_kinds();
    self::kinds().into_iter().map(|(place, subject)| of(place, subject, &kinds, seed)).collect()
}

/// What [`few`] has, with the place in the list of the suites.
fn chosen() -> Vec<(usize, Subject)> {
    let all: Vec<(usize, Subject)> = subjects().enumerate().collect();
    let is_chosen = |subject: &Subject| {
        let same = |other: &&(usize, Subject)| {
            (other.1.scheduler, other.1.mode.launch) == (subject.scheduler, subject.mode.launch)
        };
        let table = |(_, other): &(usize, Subject)| other.mode.storage.table == TABLE;
        match all.iter().filter(same).any(table) {
            true => subject.mode.storage.table == TABLE,
            false => true,
        }
    };
    all.iter().filter(|(_, subject)| is_chosen(subject)).copied().collect()
}

/// What [`few_of_each_kind`] has, with the place in the list of the suites.
pub(super) fn kinds() -> Vec<(usize, Subject)> {
    let mut known = BTreeSet::new();
    let mut all = chosen();
    all.retain(|&(_, subject)| known.insert(kind(subject)));
    all
}

/// What is the same of subjects that differ in parameters, sizes and what is under gates.
fn kind(subject: Subject) -> String {
    match composition_of(subject).gates.is_empty() {
        true => format!("{:?} {}", subject.mode.launch, variant(subject)),
        false => variant(subject),
    }
}

/// The name of its scheduler, or of what gates are over it, without parameters.
pub(super) fn variant(subject: Subject) -> String {
    let scheduler = composition_of(subject).brief();
    let plain = |part: &str| part.split('(').next().unwrap_or(part).to_owned();
    match scheduler.split_once('+') {
        None => plain(&scheduler),
        Some((_, gates)) => gates.split('+').map(plain).collect::<Vec<_>>().join("+"),
    }
}

/// The scheduler of a subject.
pub(super) fn composition_of(subject: Subject) -> Composition {
    subject.scheduler.parse().expect("the suite names known schedulers")
}

/// SMXs of the hardware of the subject at that place.
pub(super) fn smx_of(place: usize) -> usize {
    quick_cells(place, &BTreeSet::new())[0].0
}

fn of(place: usize, subject: Subject, kinds: &BTreeSet<usize>, seed: u64) -> Few {
    let mode = subject.mode;
    let cells = quick_cells(place, kinds);
    let (smx, _) = cells[0];
    let composition = composition_of(subject);
    let seeds = |cell: Cell, extent: Extent| {
        stretches(case_seed(seed, &id(subject, cell)), cycles_of(extent, cell.0))
    };
    let (first, _) = seeds(cells[0], QUICK).next().expect("a case has cycles");
    let hardware = RandomLockstep {
        limits: limits(first, &composition, mode.launch),
        composition,
        plan: FloorPlan::uneven(smx),
        launch: mode.launch,
        storage: mode.storage,
        intensity: DENSITIES[0].1,
        seed: 0,
        cycles: 0,
    };
    let runs = |cell: Cell, extent: Extent| -> Vec<RandomLockstep> {
        let intensity = DENSITIES[cell.1].1;
        let run = |(seed, cycles)| RandomLockstep { intensity, seed, cycles, ..hardware.clone() };
        seeds(cell, extent).map(run).collect()
    };
    let mut quick: Vec<_> = cells.iter().flat_map(|&cell| runs(cell, QUICK)).collect();
    let known: BTreeSet<u64> = quick.iter().map(|run| run.seed).collect();
    let all = (0..DENSITIES.len()).flat_map(|density| runs((smx, density), FULL));
    let mut full: Vec<_> = all.filter(|run| !known.contains(&run.seed)).collect();
    for density in &particular::ALL {
        let seed = case_seed(seed, &density.id(subject, smx));
        let intensity = density.intensity;
        let run = |(seed, cycles)| RandomLockstep { intensity, seed, cycles, ..hardware.clone() };
        let mut runs = density.stretches(seed, true).map(run);
        if density.quick().contains(&(place, subject)) {
            quick.extend(runs.by_ref().take(density.stretches(seed, false).count()));
        }
        if density.full().contains(&(place, subject)) {
            full.extend(runs);
        }
    }
    Few { mode: mode.name, quick, full }
}

#[cfg(test)]
mod tests {
    use super::super::random::CLASSES;
    use super::*;
    use blockyard_sim::port::LaunchMode;

    #[test]
    fn every_scheduler_of_the_suites_is_there_once_in_each_launch_mode() {
        let seen: Vec<(String, LaunchMode)> = few(1)
            .iter()
            .map(|few| (few.quick[0].composition.to_string(), few.quick[0].launch))
            .collect();
        let name = |subject: &Subject| {
            let composition: Composition = subject.scheduler.parse().expect("a scheduler");
            (composition.to_string(), subject.mode.launch)
        };
        let mut expected: Vec<_> = subjects().map(|subject| name(&subject)).collect();
        expected.dedup();
        assert_eq!(seen, expected);
    }

    #[test]
    fn each_particular_density_is_there_in_either_suite_for_those_whose_it_is_and_no_other() {
        let kinds = places_of_kinds();
        for density in &particular::ALL {
            let (quick, full) = (density.quick(), density.full());
            for one in chosen() {
                let (place, subject) = one;
                let few = of(place, subject, &kinds, 1);
                let seed = case_seed(1, &density.id(subject, smx_of(place)));
                let seeds: Vec<u64> = density.stretches(seed, true).map(|(seed, _)| seed).collect();
                let count = |runs: &[RandomLockstep]| {
                    let is_one = |run: &&RandomLockstep| {
                        run.intensity == density.intensity && seeds.contains(&run.seed)
                    };
                    runs.iter().filter(is_one).count()
                };
                let of_suite = |suite: &[(usize, Subject)], whole| match suite.contains(&one) {
                    true => density.stretches(0, whole).count(),
                    false => 0,
                };
                let counts = (count(&few.quick), count(&few.quick) + count(&few.full));
                let expected = (of_suite(&quick, false), of_suite(&full, true));
                assert_eq!(counts, expected, "{density:?} of {subject:?}");
            }
        }
    }

    #[test]
    fn the_first_stretch_is_that_of_the_case_of_quick_and_all_densities_follow() {
        for few in few(1) {
            let first = &few.quick[0];
            let smx = first.plan.smx();
            assert!(CLASSES[1].contains(&smx));
            let scheduler = super::super::schedulers::schedulers()
                .into_iter()
                .map(|scheduler| scheduler.name)
                .find(|name| name.parse::<Composition>().expect("it") == first.composition)
                .expect("one of the suites");
            let seeds: Vec<u64> = DENSITIES
                .iter()
                .map(|(name, _)| {
                    case_seed(1, &format!("lockstep/{}/{scheduler}/n{smx}/{name}", few.mode))
                })
                .collect();
            assert!(seeds.contains(&first.seed), "{scheduler}");
            assert_eq!(first.limits, limits(first.seed, &first.composition, first.launch));
            assert_eq!(
                few.quick.iter().chain(&few.full).filter(|run| seeds.contains(&run.seed)).count(),
                4
            );
            let is_usual = |run: &&RandomLockstep| {
                seeds.iter().any(|seed| (0..15).contains(&run.seed.wrapping_sub(*seed)))
            };
            let full = few.full.iter().filter(is_usual);
            assert_eq!(full.map(|run| run.cycles).sum::<u64>(), 4 * 240_000 - 48_000);
            for run in few.quick.iter().chain(&few.full) {
                assert_eq!((run.limits, run.plan.smx()), (first.limits, smx));
            }
        }
    }
}
