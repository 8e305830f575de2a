//! Lockstep on random traffic.
//!
//! The full suite runs the whole product of schedulers, numbers of SMXs and densities. The quick
//! one runs every scheduler in each of its modes once in every class of numbers; which number of
//! the class and which density turns with the scheduler's place in the list, so that every number
//! meets every density, and every scheduler meets all densities.

use super::schedulers::{subjects, Mode, Subject};
use super::{differs, Extent};
use crate::engine::MAX_SLOTS;
use crate::random_lockstep::{RandomFailure, RandomLockstep};
use crate::regress::{Case, CaseContext, Outcome};
use crate::traffic::Intensity;
use blockyard_sim::port::{FloorPlan, LaunchMode, SmxLimits};
use blockyard_sim::sched::Composition;

/// Numbers of SMXs by what is special about them: one, a few, the papers', powers of two and their
/// neighbours, and masks of more than 32, 64 and 128 bits.
const CLASSES: [&[usize]; 6] =
    [&[1], &[2, 3, 4, 5], &[13, 14, 15, 16], &[30, 31, 32], &[33, 64, 65, 80], &[108, 132, 144]];

const DENSITIES: [(&str, Intensity); 4] = [
    ("dense", Intensity::DENSE),
    ("mixed", Intensity::MIXED),
    ("sparse", Intensity::SPARSE),
    ("packed", Intensity::PACKED),
];

/// Thread-block slots of an SMX by what is special about them: one, two, the papers', and both sides of
/// what five and six bits hold.
const SLOTS: [u32; 6] = [1, 2, 8, 16, 31, 63];

/// What else an SMX holds: the C2050's, the K20c's, and all that the ports can say.
const HOLDS: [[u32; 3]; 3] =
    [[1536, 32_768, 49_152], [2048, 65_536, 49_152], [4095, 131_071, 131_071]];

/// Up to so many SMXs a case has all its cycles; with more each takes longer, and it has fewer.
const FEW: usize = 8;

/// Cycles between two looks at the stop flag, each time from reset: on a few SMXs what is launched
/// piles up, and cycles take longer and longer.
const STRETCH: u64 = 16_000;

/// A number of SMXs, and the place of a density.
type Cell = (usize, usize);

/// See the module.
pub fn cases(extent: Extent) -> Vec<Case> {
    let case = |subject: Subject, (smx, density): Cell| {
        let (name, intensity) = DENSITIES[density];
        let Subject { scheduler, mode } = subject;
        let cycles = extent.random_cycles * FEW as u64 / smx.max(FEW) as u64;
        let id = format!("lockstep/{}/{scheduler}/n{smx}/{name}", mode.name);
        let weight = cycles * smx as u64 / 5_000 + 1;
        let run = move |context: &CaseContext<'_>| {
            let composition = scheduler.parse().expect("the suite names known schedulers");
            run(context, &composition, mode, smx, intensity, cycles)
        };
        Case::new(id, weight as u32, run).taking(cycles)
    };
    let mut cases = Vec::new();
    for (place, subject) in subjects().enumerate() {
        let cells = if extent.whole { every_cell() } else { chosen_cells(place) };
        cases.extend(cells.into_iter().map(|cell| case(subject, cell)));
    }
    cases
}

fn every_cell() -> Vec<Cell> {
    let of = |&smx| (0..DENSITIES.len()).map(move |density| (smx, density));
    CLASSES.into_iter().flatten().flat_map(of).collect()
}

/// The cells of the scheduler at that place, one a class.
fn chosen_cells(place: usize) -> Vec<Cell> {
    let round = place / DENSITIES.len();
    let cell = |(class, counts): (usize, &&[usize])| {
        (counts[round % counts.len()], (place + class) % DENSITIES.len())
    };
    CLASSES.iter().enumerate().map(cell).collect()
}

/// A case of one of the suites.
pub(super) fn run(
    context: &CaseContext<'_>,
    composition: &Composition,
    Mode { launch, storage, .. }: Mode,
    smx: usize,
    intensity: Intensity,
    cycles: u64,
) -> Outcome {
    let mut case = RandomLockstep {
        composition: composition.clone(),
        plan: FloorPlan::uneven(smx),
        limits: limits(context.seed, composition, launch),
        launch,
        storage,
        intensity,
        seed: context.seed,
        cycles,
    };
    let mut done = 0;
    while done < cycles {
        if context.stop.is_raised() {
            return Outcome::not_run();
        }
        case.cycles = STRETCH.min(cycles - done);
        match case.run() {
            Ok(_) => done += case.cycles,
            Err(RandomFailure::Mismatch(found)) => return differs(&found, done),
            Err(RandomFailure::Invariant { cycle, message }) => {
                return Outcome::failed(format!("invariant broken\ncycle {cycle}: {message}"), done)
            }
            Err(error) => return Outcome::failed(error.to_string(), done),
        }
        case.seed = case.seed.wrapping_add(1);
        case.limits = limits(case.seed, composition, launch);
    }
    Outcome::passed(done)
}

/// The SMXs of a stretch: consecutive seeds go through all numbers of slots.
fn limits(seed: u64, composition: &Composition, launch: LaunchMode) -> SmxLimits {
    let slots = SLOTS[(seed % SLOTS.len() as u64) as usize];
    let [threads, registers, shared_memory] =
        HOLDS[(seed / SLOTS.len() as u64 % HOLDS.len() as u64) as usize];
    let most = match composition.device_ports(launch).names_slots() {
        true => MAX_SLOTS,
        false => slots,
    };
    SmxLimits { threads, registers, shared_memory, thread_block_slots: slots.min(most) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn six_seeds_that_follow_each_other_have_every_number_of_slots_that_the_hardware_can_name() {
        let slots = |name: &str, launch| -> BTreeSet<u32> {
            let composition = name.parse().expect("a scheduler");
            (100..106).map(|seed| limits(seed, &composition, launch).thread_block_slots).collect()
        };
        assert_eq!(slots("rr", LaunchMode::Flat), BTreeSet::from(SLOTS));
        assert_eq!(slots("rr", LaunchMode::Dtbl), BTreeSet::from([1, 2, 8, 16, 31, 32]));
        assert_eq!(slots("srtf", LaunchMode::Flat), BTreeSet::from([1, 2, 8, 16, 31, 32]));
    }

    #[test]
    fn the_choice_pairs_every_number_of_smxs_with_every_density() {
        let mut pairs = BTreeSet::new();
        for (place, subject) in subjects().enumerate() {
            let cells = chosen_cells(place);
            let densities: BTreeSet<usize> = cells.iter().map(|&(_, density)| density).collect();
            assert_eq!(densities.len(), DENSITIES.len(), "{subject:?}");
            pairs.extend(cells);
        }
        assert_eq!(pairs, every_cell().into_iter().collect());
    }
}
