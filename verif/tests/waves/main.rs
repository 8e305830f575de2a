//! Dumps of whole runs: they open, their views fit them, and they agree with the dispatch log.

#[path = "../cli/command.rs"]
mod command;
mod views;

use blockyard::replay::{Tool, ToolStatus};
use blockyard::story::Story;
use blockyard_sim::port::LaunchMode;
use blockyard_waves::{diff, Dump};
use command::{lines, worked_example, Place};
use rayon::prelude::*;
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

/// The paths of all traces of a save file.
fn traces(view: &str) -> BTreeSet<String> {
    let lines = view.lines().filter(|line| !line.starts_with(['[', '@', '-', '^', '*']));
    // `+{label} path`
    lines.map(|line| line.split(' ').next_back().expect("a word").to_owned()).collect()
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
    let named = traces(&view);
    let dumped = paths(&open(&place));
    assert!(named.is_subset(&dumped));
    // Of the entries of the Kernel Distributor only those that are used are shown.
    let left_out: Vec<&String> = dumped.difference(&named).collect();
    assert!(left_out.iter().all(|path| path.starts_with("story.kernels.")), "{left_out:?}");
    assert!(named.iter().all(|path| !path.contains('[')));
    for filter in view.lines().filter_map(|line| line.strip_prefix("^1 ")) {
        assert!(place.file(filter).is_file(), "{filter} is missing");
    }
}

#[test]
fn the_view_can_be_written_again_from_the_dump_alone() {
    let place = dumped("claso-case-study", &[]);
    let before: Vec<_> = place.names().into_iter().map(|name| (place.bytes(&name), name)).collect();
    let is_view = |name: &&String| ["gtkw", "sucl", "enum"].iter().any(|part| name.contains(part));
    for name in place.names().iter().filter(is_view) {
        std::fs::remove_file(place.file(name)).expect("removed");
    }
    let printed = place.fine(&["wave", "w.vcd"]).stdout;
    for view in ["w.gtkw", "w.sucl"] {
        assert!(printed.lines().any(|line| line == view), "{printed}");
    }
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
        let mut found = paths(&part);
        found.retain(|path| !path.starts_with("story."));
        assert_eq!(found, expected, "{scope}");
    }
}

#[test]
fn the_scope_of_the_story_holds_what_is_told_in_words_and_nothing_else() {
    let part = open(&dumped("claso-case-study", &["--wave-scope", "story"]));
    assert!(paths(&part).iter().all(|path| path.starts_with("story.")));
    let whole = open(&dumped("claso-case-study", &[]));
    let blocks = |dump: &Dump| dump.changes("story.smx_3.slot_1").expect("a track");
    assert_eq!(blocks(&part), blocks(&whole));
    assert!(blocks(&whole).len() > 3);
}

#[test]
fn each_track_says_which_block_its_slot_holds_from_its_dispatch_on() {
    for (scenario, slots) in [("claso-case-study", 3), ("concurrent-kernels", 2)] {
        let place = dumped(scenario, &["--seed", "5"]);
        let dump = open(&place);
        let end = *dump.times().last().expect("times");
        let mut shown = BTreeSet::new();
        for path in paths(&dump).iter().filter(|path| path.contains(".slot_")) {
            for (cycle, text) in dump.changes(path).expect("a track") {
                let smx = path.strip_prefix("story.smx_").and_then(|rest| rest.split_once('.'));
                let smx: usize = smx.expect("an SMX").0.parse().expect("a number");
                if !text.is_empty() {
                    assert!(shown.insert((cycle, smx, text)), "{path} in {cycle}");
                }
            }
        }
        let log: BTreeSet<_> = lines(&place.text("log.csv"))
            .into_iter()
            .map(|line| {
                let block = format!("({},{},{})", line.x, line.y, line.z);
                (line.cycle, line.smx, format!("{}#{}{block}", line.kernel, line.instance))
            })
            .collect();
        assert_eq!(shown, log, "{scenario}");
        // In the end all blocks have left.
        for path in paths(&dump).iter().filter(|path| path.contains(".slot_")) {
            assert_eq!(dump.value(path, end).expect("a track").as_deref(), Some(""), "{path}");
        }
        let _ = slots;
    }
}

#[test]
fn the_story_comes_first_and_launches_are_marked() {
    let place = dumped("claso-case-study", &[]);
    let view = place.text("w.gtkw");
    assert!(view.starts_with("[*] Blockyard rr+claso --launch flat\n"), "{view}");
    let at = |what: &str| view.find(what).unwrap_or_else(|| panic!("{what} is missing: {view}"));
    let order = [
        "-What happens\n@820\nstory.events\n",
        "-CLASO's credits\n@24\n+{gates/claso/kernel} top.gates.claso.kernel\n",
        "-What each SMX runs\n@820\n+{smx_0/slot_0} story.smx_0.slot_0\n",
        "-Launches\n@28\ntop.launch_valid\n",
        "-Selection\n",
        "-Dispatch\n",
        "-SMX by SMX\n",
        "-All signals\n",
    ];
    let places: Vec<usize> = order.iter().map(|what| at(what)).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(view.contains("[markername] Alaunch:"), "{view}");
    let commands = place.text("w.sucl");
    assert!(commands.contains("variable_add story.events\n"), "{commands}");
    assert!(commands.contains("item_set_format Unsigned\n"), "{commands}");
    assert!(commands.contains("marker_set launch:"), "{commands}");
}

/// The cycles in which the log of a run says something of a dump's event.
fn refused(dump: &Dump) -> Vec<u64> {
    let changes = dump.changes("story.events").expect("events");
    changes.iter().filter(|(_, text)| text.contains("refuse")).map(|(cycle, _)| *cycle).collect()
}

#[test]
fn a_dump_on_refusals_holds_them_with_the_cycles_around_them_as_the_whole_dump_does() {
    let whole = open(&dumped("claso-case-study", &[]));
    let refusals = refused(&whole);
    assert!(!refusals.is_empty());
    let args = ["--wave-on", "refuse", "--wave-around", "3"];
    let part = open(&dumped("claso-case-study", &args));
    assert_eq!(refused(&part), refusals);
    let from = refusals[0] - 3;
    assert_eq!(part.times()[0], from);
    for path in paths(&whole) {
        for cycle in from..=refusals[0] + 3 {
            let (ours, theirs) = (part.value(&path, cycle), whole.value(&path, cycle));
            assert_eq!(ours.expect("a signal"), theirs.expect("a signal"), "{path} in {cycle}");
        }
    }
    let unskipped = dumped("claso-case-study", &[&args[..], &["--no-skip"]].concat());
    assert!(dumped("claso-case-study", &args).bytes("w.vcd") == unskipped.bytes("w.vcd"));
}

#[test]
fn skipped_cycles_change_no_byte_of_what_is_told_in_words() {
    for scenario in ["claso-case-study", "concurrent-kernels"] {
        let (one, other) = (dumped(scenario, &[]), dumped(scenario, &["--no-skip"]));
        assert!(one.bytes("w.vcd") == other.bytes("w.vcd"), "{scenario}");
    }
}

#[test]
fn an_event_that_the_scheduler_does_not_have_is_refused_with_those_it_has() {
    let place = Place::new();
    let path = worked_example("claso-case-study");
    let run = ["run", "--scheduler", "rr+claso", "--scenario", &path, "--wave", "w.vcd"];
    let with = |more: &[&'static str]| [&run[..], more].concat();
    let expected = "expected one of: launch, dispatch, finish, refuse, mismatch";
    place.refused(&with(&["--wave-on", "steal"]), &["there is no event `steal`", expected]);
    // Only lockstep compares.
    let rtl = ["--engine", "rtl", "--wave-on", "mismatch"];
    place.refused(&with(&rtl), &["there is no event `mismatch`"]);
    place.refused(&with(&["--wave-on", "nothing"]), &["nothing", "overflow"]);
    assert_eq!(place.names(), Vec::<String>::new());
    // What does not happen is not dumped.
    let said = place.fine(&with(&["--wave-on", "mismatch"])).stdout;
    assert!(said.contains("there was no mismatch"), "{said}");
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn a_mismatch_is_dumped_with_the_cycles_before_it_and_marked() {
    let place = Place::new();
    let path = worked_example("claso-case-study");
    let run = ["run", "--scheduler", "rr+claso", "--gpu", "c2050", "--scenario", &path];
    let more = ["--wave", "w.vcd", "--wave-on", "mismatch", "--inject", "wrong-credit:0,3,500"];
    let ended = place.run(&[&run[..], &more].concat());
    assert_eq!(ended.status, 1);
    let dump = open(&place);
    let changes = dump.changes("story.events").expect("events");
    let (cycle, text) = changes.iter().find(|(_, text)| text.contains("mismatch")).expect("one");
    assert!(text.contains("mismatch:dispatch[3]"), "{text}");
    assert_eq!(dump.times()[0], cycle - 100);
    assert!(place.text("w.gtkw").contains("[markername] "), "{text}");
    assert!(ended.stderr.contains(&format!("mismatch in cycle {cycle}")), "{}", ended.stderr);
}

/// Runs of every family, short enough for a whole dump.
const FAMILIES: [(&str, &str, &[&str]); 7] = [
    ("rr", "concurrent-kernels", &[]),
    ("rr+claso", "claso-case-study", &[]),
    ("rr", "laperm-figure-4", &["--launch", "dtbl"]),
    ("laperm/adaptive-bind", "laperm-figure-4", &["--launch", "dtbl"]),
    ("ikra/steal", "ikra-figure-3", &[]),
    ("mpmax", "concurrent-kernels", &[]),
    ("srtf", "concurrent-kernels", &[]),
];

#[test]
fn both_formats_of_every_family_hold_the_same_and_gtkwaves_converter_takes_the_text() {
    let status = Tool::Vcd2Fst.status();
    if let Some(message) = status.message() {
        assert!(matches!(status, ToolStatus::Skipped(_)), "{message}");
        eprintln!("{message}");
    }
    FAMILIES.into_par_iter().for_each(|(scheduler, scenario, more)| {
        let place = Place::new();
        let path = worked_example(scenario);
        for name in ["w.vcd", "w.fst"] {
            let run = ["run", "--scheduler", scheduler, "--scenario", &path, "--wave", name];
            let run = [&run[..], &["--wave-to", "2500"], more].concat();
            place.fine(&run);
        }
        let dump = |name: &str| Dump::open(&place.file(name)).expect(name);
        let (vcd, fst) = (dump("w.vcd"), dump("w.fst"));
        assert_eq!(paths(&vcd), paths(&fst), "{scheduler}");
        assert_eq!(diff(&vcd, &fst, 0..=u64::MAX, 3, |_| true), [], "{scheduler}");
        assert_eq!(vcd.version(), fst.version());
        if status == ToolStatus::Found {
            let mut command = std::process::Command::new("vcd2fst");
            let output = command.current_dir(place.path()).args(["w.vcd", "c.fst"]).output();
            let output = output.expect("vcd2fst starts");
            assert!(output.status.success(), "{scheduler}: {output:?}");
            let converted = Dump::open(&place.file("c.fst")).expect("a dump");
            assert_eq!(paths(&vcd), paths(&converted), "{scheduler}");
        }
    });
}

#[test]
fn every_trace_of_every_familys_views_is_in_its_dump_and_every_section_is_there() {
    for (scheduler, scenario, more) in FAMILIES {
        let place = Place::new();
        let path = worked_example(scenario);
        let run = ["run", "--scheduler", scheduler, "--scenario", &path, "--wave", "w.vcd"];
        place.fine(&[&run[..], &["--wave-to", "300"], more].concat());
        let dumped = paths(&open(&place));
        let view = place.text("w.gtkw");
        let unknown: Vec<String> = traces(&view).difference(&dumped).cloned().collect();
        assert!(unknown.is_empty(), "{scheduler}: {unknown:?}");
        let commands = place.text("w.sucl");
        for path in commands.lines().filter_map(|line| line.strip_prefix("variable_add ")) {
            assert!(dumped.contains(path), "{scheduler}: {path}");
        }
        let launch = if more.is_empty() { LaunchMode::Flat } else { LaunchMode::Dtbl };
        for part in Story::of(&scheduler.parse().expect("a scheduler"), launch).parts {
            assert!(view.contains(&format!("-{}\n", part.name)), "{scheduler}: {}", part.name);
        }
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
