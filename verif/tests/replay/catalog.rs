//! Every module of the catalog.

use super::{cache, workdir};
use blockyard::replay::{cases, unexercised, Check, ReplayCase, ReplayOutcome};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const CYCLES: usize = 2_000;
const SEED: u64 = 1;

/// All but the widest, which the full suite replays.
pub fn of(check: Check) -> Vec<ReplayCase> {
    cases().into_iter().filter(|case| case.check == check && !case.wide).collect()
}

/// Work on all cores, on stacks that hold the largest module while it is built.
pub fn wide<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(64 << 20).build();
    pool.expect("threads").install(work)
}

/// Runs the cases; fails with everything that failed.
fn run_all(cases: &[ReplayCase]) {
    let run = |case: &ReplayCase| case.run(SEED, CYCLES, &workdir(), &cache());
    let outcomes: Vec<ReplayOutcome> = wide(|| cases.par_iter().map(run).collect());
    let mut failures = Vec::new();
    for (ReplayCase { id, check, .. }, outcome) in cases.iter().zip(&outcomes) {
        match outcome {
            ReplayOutcome::Skipped(why) => println!("{id}: {why}"),
            ReplayOutcome::Failed { message, .. } => failures.push(message.clone()),
            ReplayOutcome::Passed { cycles } => {
                let replayed = matches!(check, Check::Icarus | Check::Verilator);
                if replayed && *cycles < CYCLES / 4 {
                    failures.push(format!("{id} compares only {cycles} cycles"));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        outcomes.len(),
        failures.join("\n")
    );
}

/// Each module's last small configuration, and every other one.
fn last_small_and_others(check: Check) -> (Vec<ReplayCase>, Vec<ReplayCase>) {
    let all = of(check);
    let module = |case: &ReplayCase| case.id.rsplit_once('/').expect("a path").0.to_owned();
    let small = all.iter().filter(|case| case.small);
    // Each takes the place of the one before.
    let lasts: BTreeMap<String, String> =
        small.map(|case| (module(case), case.id.clone())).collect();
    all.into_iter().partition(|case| lasts.get(&module(case)) == Some(&case.id))
}

// The quick regression replays the other small configurations as well.
#[test]
fn icarus_agrees_with_the_simulation_of_every_module() {
    let first = of(Check::Icarus).into_iter().filter(|case| case.first);
    run_all(&first.collect::<Vec<_>>());
}

// This refuses what lint warns of (`faults.rs`).
#[test]
fn verilator_agrees_with_the_simulation_of_every_module() {
    run_all(&last_small_and_others(Check::Verilator).0);
}

#[test]
#[ignore = "one configuration of each module is replayed above; CI does the others"]
fn verilator_agrees_with_the_simulation_of_every_other_configuration() {
    run_all(&last_small_and_others(Check::Verilator).1);
}

#[test]
fn yosys_finds_no_latch_no_undriven_wire_and_the_declared_storage_in_every_module() {
    run_all(&last_small_and_others(Check::Yosys).0);
}

#[test]
#[ignore = "one configuration of each module is read above; CI does the others"]
fn yosys_finds_no_latch_no_undriven_wire_and_the_declared_storage_in_every_other_configuration() {
    run_all(&last_small_and_others(Check::Yosys).1);
}

#[test]
fn one_configuration_of_each_module_is_its_last_small_one() {
    let (lasts, others) = last_small_and_others(Check::Verilator);
    assert_eq!(lasts.len(), of(Check::Icarus).iter().filter(|case| case.first).count());
    assert_eq!(lasts.len() + others.len(), of(Check::Verilator).len());
    let has = |cases: &[ReplayCase], end: &str| cases.iter().any(|case| case.id.ends_with(end));
    assert!(has(&lasts, "round_robin_arbiter/n5") && has(&others, "round_robin_arbiter/n1"));
}

#[test]
fn every_handshake_is_exercised() {
    let modules = [
        "prim/fifo/",
        "dispatch/dispatcher/",
        "dispatch/scheduler/",
        "gpgpusim/scheduler/",
        "kmu/scheduler/",
        "dtbl/scheduler/",
    ];
    let chosen: Vec<ReplayCase> = of(Check::Verilator)
        .into_iter()
        .filter(|case| modules.iter().any(|module| case.id.contains(module)))
        // A trace is too short for every SMX of a GPU with more than 32.
        .filter(|case| !["/n33", "/n65", "/n132"].iter().any(|wide| case.id.contains(wide)))
        .collect();
    assert!(chosen.len() >= modules.len());
    let of_case = |case: &ReplayCase| {
        // Under a limit of resident blocks, behind floods of launches, and with one entry for
        // groups, kernels end more slowly.
        let found = unexercised(&case.trace(SEED, 8 * CYCLES));
        found.into_iter().map(|what| format!("{}: {what}", case.id)).collect::<Vec<_>>()
    };
    let missing: Vec<String> = wide(|| chosen.par_iter().flat_map_iter(of_case).collect());
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn traces_hold_resets_in_mid_run_and_runs_of_idle_cycles() {
    for module in ["prim/register/", "dispatch/scheduler/"] {
        let case = of(Check::Verilator).into_iter().find(|case| case.id.contains(module));
        let trace = case.expect("it is in the catalog").trace(SEED, CYCLES);
        assert_eq!(trace.ports[0].name, "reset");
        assert!(trace.cycles[..2].iter().all(|cycle| cycle.inputs[0] == 1), "{module}");
        assert!(trace.cycles[10..].iter().any(|cycle| cycle.inputs[0] == 1), "{module}");
        let idle = trace
            .cycles
            .windows(8)
            .any(|run| run.windows(2).all(|pair| pair[0].inputs == pair[1].inputs));
        assert!(idle, "{module}");
    }
}

#[test]
fn every_public_module_is_in_the_catalog() {
    let sources = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../rtl/src"));
    let catalog: String = fs::read_dir(sources.join("catalog"))
        .expect("the catalog")
        .map(|file| fs::read_to_string(file.expect("a file").path()).expect("a source file"))
        .collect();
    let built: BTreeSet<&str> =
        catalog.lines().filter_map(|line| line.split_once("=> ")?.1.split("::").next()).collect();
    let mut modules = BTreeSet::new();
    for folder in fs::read_dir(sources).expect("the sources").flatten() {
        if folder.path().is_dir() {
            // What its folder does not pass on is a part of others, and replayed with them.
            let face = fs::read_to_string(folder.path().join("mod.rs")).unwrap_or_default();
            let passed_on = exported(&face);
            let files = fs::read_dir(folder.path()).expect("a folder").flatten();
            // A module's folder has no modules, but what is stated of it.
            for file in files.filter(|file| file.path().is_file()) {
                let text = fs::read_to_string(file.path()).expect("a source file");
                modules.extend(declared(&text).into_iter().filter(|name| passed_on.contains(name)));
            }
        }
    }
    assert!(modules.len() >= built.len(), "the scan finds the modules: {modules:?}");
    let missing: Vec<&String> =
        modules.iter().filter(|module| !built.contains(module.as_str())).collect();
    assert!(missing.is_empty(), "not in the catalog: {missing:?}");
}

/// The names that a folder's module passes on.
fn exported(face: &str) -> BTreeSet<String> {
    let lists = face.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let words = lists.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The names of the public modules that a source file declares, itself, by calls of a macro of its
/// own, or behind the Kernel Management Unit.
fn declared(text: &str) -> Vec<String> {
    let named = text.split("hdl_module! {").skip(1).filter_map(|module| {
        let head = module.lines().map(str::trim).find(|line| line.contains("struct "))?;
        head.strip_prefix("pub struct ")?.split_whitespace().next()
    });
    let (by_macro, plain): (Vec<&str>, Vec<&str>) = named.partition(|name| name.starts_with('$'));
    let mut lines = text.lines().map(str::trim);
    let mut names: Vec<String> = plain.into_iter().map(str::to_owned).collect();
    while let Some(line) = lines.next() {
        if by_macro.is_empty() || line.starts_with("macro_rules") || !line.ends_with("!(") {
            continue;
        }
        let first = lines.find(|line| !line.starts_with("///")).unwrap_or_default();
        names.extend(first.split(',').next().map(str::to_owned));
    }
    let behind_unit = text.lines().filter(|line| line.contains(" over "));
    let named = behind_unit.filter_map(|line| line.trim().split_once("(self) "));
    names.extend(named.map(|(name, _)| name.to_owned()));
    names
}

#[test]
fn the_scan_for_modules_finds_public_ones_only() {
    let text = "hdl_module! {\n    /// A.\n    pub struct Seen [] [] clocked {}\n}\n\
                hdl_module! {\n    struct Hidden [] [] clocked {}\n}\npub struct Plain {}\n";
    assert_eq!(declared(text), ["Seen"]);
    let face = exported("mod a;\npub use a::Seen;\npub use b::{\n    C, D,\n};\nuse e::F;\n");
    assert!(["Seen", "C", "D"].iter().all(|name| face.contains(*name)) && !face.contains("F"));
    let text =
        "macro_rules! made {\n  hdl_module! {\n    pub struct $name [] [] clocked {}\n  }\n}\n\
                made!(\n    /// A.\n    First, Part\n);\nmade!(\n    Second,\n);\n";
    assert_eq!(declared(text), ["First", "Second"]);
    let text = "kmu_scheduler! {\n    #[hdl_gen]\n    Third(self) over Inner\n}\n";
    assert_eq!(declared(text), ["Third"]);
}
