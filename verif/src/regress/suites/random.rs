//! Lockstep on random traffic.
//!
//! The full suite runs the whole product of schedulers, numbers of SMXs and densities. The quick
//! one runs each kind of scheduler once in every class of numbers, and one that differs from it in
//! parameters or sizes alone in three classes; which number of the class and which density turns
//! with the scheduler's place in the list, so that every number meets every density.

use super::few::kinds;
use super::schedulers::{subjects, Mode, Subject};
use super::{differs, Extent};
use crate::cli::launch::Launch;
use crate::cli::traffic_spec::TrafficSpec;
use crate::engine::MAX_SLOTS;
use crate::mismatch::Part;
use crate::random_lockstep::{RandomFailure, RandomLockstep};
use crate::regress::{quoted, Case, CaseContext, Outcome};
use crate::traffic::Intensity;
use blockyard_sim::port::{FloorPlan, GroupStorage, LaunchMode, SmxLimits};
use blockyard_sim::sched::{domains, partitions, Composition, SmxMask};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Numbers of SMXs by what is special about them: one, a few, the papers', powers of two and their
/// neighbours, and masks of more than 32, 64 and 128 bits.
pub(super) const CLASSES: [&[usize]; 6] =
    [&[1], &[2, 3, 4, 5], &[13, 14, 15, 16], &[30, 31, 32], &[33, 64, 65, 80], &[108, 132, 144]];

pub(super) const DENSITIES: [(&str, Intensity); 4] = [
    ("dense", Intensity::DENSE),
    ("mixed", Intensity::MIXED),
    ("sparse", Intensity::SPARSE),
    ("packed", Intensity::PACKED),
];

/// Thread-block slots of an SMX by what is special about them: one, two, the papers', and both
/// sides of what five and six bits hold.
const SLOTS: [u32; 6] = [1, 2, 8, 16, 31, 63];

/// What else an SMX holds: the C2050's, the K20c's, and the most that a GPU can be given.
const HOLDS: [[u32; 3]; 3] =
    [[1536, 32_768, 49_152], [2048, 65_536, 49_152], [2048, 131_071, 131_071]];

/// The class of two to five SMXs.
const A_FEW: usize = 1;

/// Classes beside that one in which what differs in parameters or sizes alone is run.
const OTHERS: usize = 1;

/// Up to so many SMXs a case has all its cycles; with more each takes longer, and it has fewer.
const FEW: usize = 5;

/// Cycles between two looks at the stop flag, each time from reset: on a few SMXs what is launched
/// piles up, and cycles take longer and longer.
pub(super) const STRETCH: u64 = 16_000;

/// Cases of each suite that have three more stretches, with the first one's seed, whatever the seed
/// of the suite: something happens in them that hardly happens elsewhere. A head waits for a
/// broadcast (IKRA, section 4.4); more than 1,024 kernels wait; a record is asked for as samples
/// arrive; a backup is refused for want of others (LaPerm, section IV-C).
const RARE: [(&str, u64); 4] = [
    ("lockstep/flat/ikra/steal(queue=2,latency=16)/n2/mixed", 1_945_831_206),
    ("lockstep/cdp/oldest-first/n1/packed", 2_490_203_327),
    (
        "lockstep/cdp/priority(levels=8)+dyncta(period=64,idle=3,low=8,high=16)/n1/sparse",
        122_814_257,
    ),
    ("lockstep/dtbl/laperm/adaptive-bind(entries=2)+claso/n14/mixed", 3_574_887_707),
];

/// The GPU that is given what else a stretch has.
const PRESET: &str = "c2050";

/// A number of SMXs, and the place of a density.
pub(super) type Cell = (usize, usize);

/// See the module.
pub fn cases(extent: Extent) -> Vec<Case> {
    let case = |subject: Subject, (smx, density): Cell| {
        let intensity = DENSITIES[density].1;
        let Subject { scheduler, mode } = subject;
        let (id, cycles) = (id(subject, (smx, density)), cycles_of(extent, smx));
        let rare = rare(&id).map(|seed| (seed, 3 * STRETCH));
        let all = cycles + rare.map_or(0, |(_, cycles)| cycles);
        let weight = all * smx as u64 / 5_000 + 1;
        let run = move |context: &CaseContext<'_>| {
            let composition = scheduler.parse().expect("the suite names known schedulers");
            let rare = rare.into_iter().flat_map(|(seed, cycles)| stretches(seed, cycles));
            let all = stretches(context.seed, cycles).chain(rare);
            run_stretches(context, &composition, mode, smx, intensity, all)
        };
        Case::new(id, weight as u32, run).taking(all)
    };
    let mut cases = Vec::new();
    let kinds = places_of_kinds();
    for (place, subject) in subjects().enumerate() {
        let own = if extent.whole { every_cell() } else { quick_cells(place, &kinds) };
        let is_met = |cell: &Cell| own.contains(cell) || rare(&id(subject, *cell)).is_some();
        cases.extend(every_cell().into_iter().filter(is_met).map(|cell| case(subject, cell)));
    }
    cases
}

/// The seed of the further stretches of a case that has some.
fn rare(id: &str) -> Option<u64> {
    RARE.iter().find(|(of, _)| *of == id).map(|&(_, seed)| seed)
}

/// The id of a case.
pub(super) fn id(Subject { scheduler, mode }: Subject, (smx, density): Cell) -> String {
    format!("lockstep/{}/{scheduler}/n{smx}/{}", mode.name, DENSITIES[density].0)
}

/// The cycles of a case with so many SMXs; one has half of them, as nothing is chosen there.
pub(super) fn cycles_of(extent: Extent, smx: usize) -> u64 {
    match smx {
        1 => extent.random_cycles / 2,
        _ => extent.random_cycles * FEW as u64 / smx.max(FEW) as u64,
    }
}

fn every_cell() -> Vec<Cell> {
    let of = |&smx| (0..DENSITIES.len()).map(move |density| (smx, density));
    CLASSES.into_iter().flatten().flat_map(of).collect()
}

/// The cells of the scheduler at that place in the quick suite, a class each: that of two to five
/// SMXs comes first.
pub(super) fn quick_cells(place: usize, kinds: &BTreeSet<usize>) -> Vec<Cell> {
    let mut classes: Vec<usize> = (0..CLASSES.len()).filter(|&class| class != A_FEW).collect();
    if !kinds.contains(&place) {
        let turn = place % classes.len();
        classes.rotate_left(turn);
        classes.truncate(OTHERS);
    }
    classes.insert(0, A_FEW);
    let round = place / DENSITIES.len();
    let cell = |class: usize| {
        let counts = CLASSES[class];
        (counts[round % counts.len()], (place + class) % DENSITIES.len())
    };
    classes.into_iter().map(cell).collect()
}

/// The places of those that are the first of their kind.
pub(super) fn places_of_kinds() -> BTreeSet<usize> {
    kinds().into_iter().map(|(place, _)| place).collect()
}

/// A case of one of the suites, in stretches.
pub(super) fn run(
    context: &CaseContext<'_>,
    composition: &Composition,
    mode: Mode,
    smx: usize,
    intensity: Intensity,
    cycles: u64,
) -> Outcome {
    run_stretches(context, composition, mode, smx, intensity, stretches(context.seed, cycles))
}

/// A case of stretches with these seeds and cycles.
pub(super) fn run_stretches(
    context: &CaseContext<'_>,
    composition: &Composition,
    Mode { launch, storage, .. }: Mode,
    smx: usize,
    intensity: Intensity,
    stretches: impl IntoIterator<Item = (u64, u64)>,
) -> Outcome {
    let mut case = RandomLockstep {
        composition: composition.clone(),
        plan: FloorPlan::uneven(smx),
        limits: limits(context.seed, composition, launch),
        launch,
        storage,
        intensity,
        seed: context.seed,
        cycles: 0,
    };
    let mut done = 0;
    for (place, (seed, stretch)) in stretches.into_iter().enumerate() {
        if context.stop.is_raised() {
            return Outcome::not_run();
        }
        context.cycles.set(done);
        (case.seed, case.cycles) = (seed, stretch);
        case.limits = limits(seed, composition, launch);
        let name = format!(
            "stretch {}, cycles {done} to {} of the case, with seed {}",
            place + 1,
            done + case.cycles - 1,
            case.seed
        );
        let part = Part { name, command: command(&case) };
        match case.run() {
            Ok(_) => done += case.cycles,
            Err(RandomFailure::Mismatch(found)) => {
                return differs(context, &case, &found, done, Some(&part));
            }
            Err(RandomFailure::Invariant { cycle, message }) => {
                let Part { name, command } = part;
                let message =
                    format!("invariant broken: {message}\ncycle {cycle}\n{name}\nalone: {command}");
                return Outcome::failed(message, done + cycle + 1);
            }
            Err(error) => return Outcome::failed(error.to_string(), done),
        }
    }
    Outcome::passed(done)
}

/// The seed and the cycles of each stretch of a case.
pub(super) fn stretches(seed: u64, cycles: u64) -> impl Iterator<Item = (u64, u64)> {
    (0..cycles.div_ceil(STRETCH))
        .map(move |place| (seed.wrapping_add(place), STRETCH.min(cycles - place * STRETCH)))
}

/// The SMXs of a stretch: consecutive seeds go through all numbers of slots.
pub(super) fn limits(seed: u64, composition: &Composition, launch: LaunchMode) -> SmxLimits {
    let slots = SLOTS[(seed % SLOTS.len() as u64) as usize];
    let [threads, registers, shared_memory] =
        HOLDS[(seed / SLOTS.len() as u64 % HOLDS.len() as u64) as usize];
    let most = match composition.ports(launch).names_slots() {
        true => MAX_SLOTS,
        false => slots,
    };
    SmxLimits { threads, registers, shared_memory, thread_block_slots: slots.min(most) }
}

/// The command that runs a stretch alone.
fn command(case: &RandomLockstep) -> String {
    let RandomLockstep { composition, plan, limits, launch, storage, intensity, seed, cycles } =
        case;
    let traffic = TrafficSpec { cycles: *cycles, seed: *seed, intensity: *intensity };
    let mut words = format!("blockyard run --scheduler {}", quoted(&composition.brief()));
    let launch = Launch::from(*launch);
    words += &format!(" --launch {} --gpu {PRESET}", launch.name());
    let SmxLimits { threads, registers, shared_memory, thread_block_slots } = limits;
    let gpcs: Vec<String> = plan.gpcs().iter().map(usize::to_string).collect();
    for (key, value) in [
        ("smx.count", plan.smx().to_string()),
        ("smx.gpcs", format!("[{}]", gpcs.join(","))),
        ("smx.threads", threads.to_string()),
        ("smx.registers", registers.to_string()),
        ("smx.shared_memory", shared_memory.to_string()),
        ("smx.thread_block_slots", thread_block_slots.to_string()),
    ] {
        words += &format!(" --set {key}={value}");
    }
    if composition.source.base().family().name == partitions::FAMILY.name {
        let sets: Vec<_> =
            plan.partitions().iter().map(|smxs| format!("\"{}\"", ranges(*smxs))).collect();
        let setting = format!("smx.partitions=[{}]", sets.join(","));
        words += &format!(" --set {}", quoted(&setting));
    }
    if composition.source.base().family().name == domains::FAMILY.name {
        let sizes: Vec<String> = plan.domains().iter().map(usize::to_string).collect();
        let setting = format!("smx.domains=[{}]", sizes.join(","));
        words += &format!(" --set {}", quoted(&setting));
    }
    if launch == Launch::Dtbl {
        let GroupStorage { table, ahead } = storage;
        words += &format!(" --set launch.table={table} --set launch.ahead={ahead}");
    }
    words + &format!(" --traffic {traffic}")
}

/// A set of SMXs as ranges: `0-3,5`.
fn ranges(smxs: SmxMask) -> String {
    let mut ranges: Vec<RangeInclusive<usize>> = Vec::new();
    for smx in smxs.iter_ones() {
        match ranges.last_mut() {
            Some(last) if last.end() + 1 == smx => *last = *last.start()..=smx,
            _ => ranges.push(smx..=smx),
        }
    }
    let text = |range: &RangeInclusive<usize>| match (range.start(), range.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::settings::GpuArgs;
    use blockyard_sim::port::LaunchMode;

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
    fn the_command_of_a_stretch_names_a_gpu_that_holds_as_much() {
        for smx in CLASSES.into_iter().flatten() {
            for (table, ahead) in [(1, 1), (8, 5), (1024, 32)] {
                let composition: Composition = "rr+claso(pa=2,pl=0)".parse().expect("a scheduler");
                let case = RandomLockstep {
                    composition: composition.clone(),
                    plan: FloorPlan::uneven(*smx),
                    limits: limits(*smx as u64, &composition, LaunchMode::Dtbl),
                    launch: LaunchMode::Dtbl,
                    storage: GroupStorage { table, ahead },
                    intensity: Intensity::DENSE,
                    seed: 3,
                    cycles: 5,
                };
                let command = command(&case);
                let set = command.split(" --set ").skip(1);
                let set = set.map(|set| set.split(' ').next().expect("a word").to_owned());
                let gpu = GpuArgs { gpu: PRESET.to_owned(), set: set.collect() };
                let (mut config, _) = gpu.preset().expect("a GPU");
                gpu.override_gpu(&mut config).expect("a sound GPU");
                assert_eq!(config.floor_plan().gpcs(), case.plan.gpcs());
                assert_eq!((config.limits(), config.launch.storage()), (case.limits, case.storage));
                let (_, traffic) = command.split_once(" --traffic ").expect("traffic");
                let traffic = TrafficSpec::read(traffic, 9).expect("it is read");
                assert_eq!((traffic.cycles, traffic.seed), (5, 3));
            }
        }
    }

    #[test]
    fn the_command_of_a_stretch_with_partitions_says_which_smxs_each_has() {
        let composition: Composition = "partitions".parse().expect("a scheduler");
        let case = RandomLockstep {
            plan: FloorPlan::uneven(8),
            limits: limits(1, &composition, LaunchMode::Flat),
            composition,
            launch: LaunchMode::Flat,
            storage: GroupStorage { table: 1, ahead: 1 },
            intensity: Intensity::DENSE,
            seed: 3,
            cycles: 5,
        };
        let command = command(&case);
        let partitions = "smx.partitions=[\"0-2\",\"2-3,5\",\"0-1,5-7\"]";
        assert!(command.contains(&format!("--set '{partitions}'")), "{command}");
        let set = vec!["smx.count=8".to_owned(), partitions.to_owned()];
        let gpu = GpuArgs { gpu: PRESET.to_owned(), set };
        let (config, _) = gpu.preset().expect("a GPU");
        assert_eq!(config.floor_plan().partitions(), case.plan.partitions());
    }

    #[test]
    fn the_choice_pairs_every_number_of_smxs_with_every_density() {
        let mut pairs = BTreeSet::new();
        let kinds = places_of_kinds();
        for (place, subject) in subjects().enumerate() {
            let cells = quick_cells(place, &kinds);
            let densities: BTreeSet<usize> = cells.iter().map(|&(_, density)| density).collect();
            let classes = match kinds.contains(&place) {
                true => CLASSES.len(),
                false => 1 + OTHERS,
            };
            assert_eq!(cells.len(), classes, "{subject:?}");
            let all = classes < CLASSES.len() || densities.len() == DENSITIES.len();
            assert!(all, "{subject:?}");
            assert!(CLASSES[A_FEW].contains(&cells[0].0), "{subject:?}");
            pairs.extend(cells);
        }
        assert_eq!(pairs, every_cell().into_iter().collect());
    }
}
