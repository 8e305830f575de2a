//! Dumps of whole runs: they open, their views fit them, and they agree with the dispatch log.

#[path = "cli/command.rs"]
mod command;

use blockyard_waves::Dump;
use command::{lines, worked_example, Place};
use std::collections::{BTreeMap, BTreeSet};

/// Runs a worked example with a dump `w.vcd` and a log `log.csv`.
fn dumped(scenario: &str, more: &[&str]) -> Place {
    let place = Place::new();
    let path = worked_example(scenario);
    let mut args = vec!["run", "--scheduler", "rr+claso(pa=1,pl=0)", "--scenario", &path];
    args.extend(["--wave", "w.vcd", "--dispatch-log", "log.csv"]);
    args.extend(more);
    place.fine(&args);
    place
}

fn open(place: &Place) -> Dump {
    Dump::open(&place.file("w.vcd")).expect("a dump")
}

fn paths(dump: &Dump) -> BTreeSet<String> {
    dump.signals().map(|signal| signal.path.clone()).collect()
}

fn number(dump: &Dump, path: &str, cycle: u64) -> u64 {
    let bits = dump.value(path, cycle).expect("a signal").expect("a value");
    u64::from_str_radix(&bits, 2).unwrap_or_else(|_| panic!("{path} in {cycle}: {bits}"))
}

#[test]
fn the_dispatch_ports_agree_with_the_dispatch_log_in_every_cycle() {
    for (scenario, smx) in [("claso-case-study", 4), ("concurrent-kernels", 3)] {
        for engine in ["rtl", "lockstep"] {
            let place = dumped(scenario, &["--engine", engine, "--seed", "3"]);
            let dump = open(&place);
            let mut log = BTreeMap::new();
            for line in lines(&place.text("log.csv")) {
                log.insert((line.cycle, line.smx), (line.x, line.y, line.z));
            }
            let end = *dump.times().last().expect("times");
            assert!(log.keys().all(|(cycle, _)| *cycle < end), "the dump holds the whole run");
            for cycle in 0..end {
                for smx in 0..smx {
                    let port = |field: &str| format!("top.dispatch_{smx}_{field}");
                    let valid = number(&dump, &port("valid"), cycle);
                    let expected = log.get(&(cycle, smx));
                    assert_eq!(valid == 1, expected.is_some(), "SMX {smx} in {cycle}");
                    if let Some(&(x, y, z)) = expected {
                        let found = ["block_x", "block_y", "block_z"]
                            .map(|field| number(&dump, &port(field), cycle));
                        assert_eq!(found, [x, y, z], "SMX {smx} in {cycle}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_signal_of_the_view_is_in_the_dump_and_the_other_way_around() {
    let place = dumped("claso-case-study", &[]);
    let view = place.text("w.gtkw");
    assert!(
        view.contains("[dumpfile] \"w.vcd\"") && !view.contains(&*place.path().to_string_lossy())
    );
    let named: BTreeSet<String> =
        view.lines().filter(|line| line.starts_with("top.")).map(str::to_owned).collect();
    assert_eq!(named, paths(&open(&place)));
    assert!(named.iter().all(|path| !path.contains('[')));
    for filter in view.lines().filter_map(|line| line.strip_prefix("^1 ")) {
        assert!(place.file(filter).is_file(), "{filter} is missing");
    }
}

#[test]
fn the_view_can_be_written_again_from_the_dump_alone() {
    let place = dumped("claso-case-study", &[]);
    let before: Vec<_> = place.names().into_iter().map(|name| (place.bytes(&name), name)).collect();
    for name in place.names().iter().filter(|name| name.contains("gtkw") || name.contains("enum")) {
        std::fs::remove_file(place.file(name)).expect("removed");
    }
    let printed = place.fine(&["wave", "w.vcd"]).stdout;
    assert!(printed.lines().any(|line| line == "w.gtkw"), "{printed}");
    let after: Vec<_> = place.names().into_iter().map(|name| (place.bytes(&name), name)).collect();
    assert!(before == after);
}

#[test]
fn a_window_holds_its_cycles_with_the_values_of_the_whole_dump() {
    let whole = open(&dumped("claso-case-study", &[]));
    let end = *whole.times().last().expect("times");
    for (from, to) in [(0, 0), (1, 12), (1000, 1050), (1032, 1032), (1040, 1_000_000)] {
        let (first, last) = (from.to_string(), to.to_string());
        let part = open(&dumped("claso-case-study", &["--wave-from", &first, "--wave-to", &last]));
        assert_eq!(part.times()[0], from);
        assert_eq!(*part.times().last().expect("times"), end.min(to + 1));
        assert_eq!(paths(&part), paths(&whole));
        for cycle in [from, (from + to.min(end - 1)) / 2, to.min(end - 1)] {
            for path in paths(&whole) {
                let (ours, theirs) = (part.value(&path, cycle), whole.value(&path, cycle));
                assert_eq!(ours.expect("a signal"), theirs.expect("a signal"), "{path} in {cycle}");
            }
        }
    }
}

#[test]
fn a_scope_holds_its_module_and_all_below_it() {
    let whole = paths(&open(&dumped("claso-case-study", &[])));
    let scopes: BTreeSet<&str> = whole
        .iter()
        .filter_map(|path| path.strip_prefix("top.")?.rsplit_once('.'))
        .map(|s| s.0)
        .collect();
    assert!(scopes.len() > 5, "{scopes:?}");
    for scope in scopes {
        let inside = format!("top.{scope}.");
        let expected: BTreeSet<String> =
            whole.iter().filter(|path| path.starts_with(&inside)).cloned().collect();
        let part = open(&dumped("claso-case-study", &["--wave-scope", scope]));
        assert_eq!(paths(&part), expected, "{scope}");
    }
}

#[test]
fn an_unknown_scope_is_refused_at_once_with_those_that_there_are() {
    let place = Place::new();
    let path = worked_example("claso-case-study");
    let args = [
        "run",
        "--scheduler",
        "rr",
        "--scenario",
        &path,
        "--wave",
        "w.vcd",
        "--wave-scope",
        "nothing",
        "--stats",
        "stats.json",
    ];
    place.refused(&args, &["there is no module `nothing`", "dispatcher"]);
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn a_dump_is_the_same_bytes_every_time() {
    let (one, other) = (dumped("concurrent-kernels", &[]), dumped("concurrent-kernels", &[]));
    assert_eq!(one.names(), other.names());
    for name in one.names() {
        assert!(one.bytes(&name) == other.bytes(&name), "{name}");
    }
}

#[test]
fn what_is_no_dump_has_no_view() {
    let place = Place::new();
    place.write("text.vcd", "hello\n");
    place.write("cut.vcd", "$timescale 1 ns $end\n$scope module top $end\n");
    place.refused(&["wave", "missing.vcd"], &["cannot read missing.vcd"]);
    place.refused(&["wave", "text.vcd"], &["text.vcd is not a waveform dump"]);
    place.refused(&["wave", "cut.vcd"], &["cut.vcd is not a waveform dump"]);
    assert_eq!(place.names(), ["cut.vcd", "text.vcd"]);
}
