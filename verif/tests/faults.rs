//! Faults that are injected into the twin are caught, reported, and can be repeated.

#[path = "cli/command.rs"]
mod command;

use blockyard_waves::Dump;
use command::{ended, worked_example, Ended, Place};
use std::process::Command;

/// The case study with a fault, run in a folder.
fn with_fault(place: &Place, fault: &str, more: &[&str]) -> Ended {
    let path = worked_example("claso-case-study");
    let mut args = vec!["run", "--scheduler", "rr+claso(pa=1,pl=0)", "--scenario", &path];
    args.extend(["--inject", fault]);
    args.extend(more);
    place.run(&args)
}

/// Fault, cycle of the mismatch, port, expected, got.
const CAUGHT: [[&str; 5]; 3] = [
    // Core 3 has two credits left in cycle 1000. With one less, block 12 costs the only global
    // credit, and nothing is left for block 13.
    ["wrong-credit:0,3,1000", "1032", "dispatch[3]", "no block", "block (13, 0, 0) of entry 0"],
    // One too few on core 1, so that its fourth block needs a global credit, of which there is
    // none.
    ["wrong-credit:0,1,1500", "2002", "dispatch[1]", "no block", "block (15, 0, 0) of entry 0"],
    // The twin does not learn that block 7 has ended, and sees no free slot for block 12.
    ["lost-completion:3,100", "1008", "dispatch[3]", "no block", "block (12, 0, 0) of entry 0"],
];

#[test]
fn a_fault_is_caught_in_the_cycle_in_which_it_shows() {
    for [fault, cycle, port, expected, got] in CAUGHT {
        for more in [&[][..], &["--no-skip"]] {
            let place = Place::new();
            let found = with_fault(&place, fault, more);
            assert_eq!((found.status, found.stdout.as_str()), (1, ""), "{fault}: {}", found.stderr);
            for line in [
                format!("mismatch in cycle {cycle}"),
                format!("port {port}"),
                format!("expected {expected}"),
                format!("got {got}"),
            ] {
                assert!(found.said().contains(&line), "{fault} has no `{line}`: {}", found.stderr);
            }
        }
    }
}

#[test]
fn the_report_has_the_cycles_around_the_difference_as_a_waveform_with_its_view() {
    for [fault, cycle, port, expected, got] in CAUGHT {
        let place = Place::new();
        let found = with_fault(&place, fault, &["--report", "report"]);
        assert_eq!(found.stderr, place.text("report/mismatch.txt"));
        let names: Vec<String> = std::fs::read_dir(place.file("report"))
            .expect("the report")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| !name.contains(".enum"))
            .collect();
        assert_eq!(names.len(), 4, "{names:?}");
        assert!(place.text("report/mismatch.gtkw").contains("\"mismatch.vcd\""));

        let cycle: u64 = cycle.parse().expect("a number");
        let dump = Dump::open(&place.file("report/mismatch.vcd")).expect("a dump");
        let about: serde_json::Value =
            serde_json::from_str(dump.about().expect("what it comes from")).expect("JSON");
        assert!(about["options"]["inject"].as_array().is_some_and(|faults| faults.len() == 1));
        assert!(found.stderr.contains("made by   Blockyard "), "{}", found.stderr);
        let (first, end) = (dump.times()[0], *dump.times().last().expect("times"));
        assert_eq!(end, cycle + 21, "the dump goes on for 20 cycles");
        assert_eq!(first, cycle - 199, "the dump holds 200 cycles up to the difference");
        // The hardware, which is right, dispatches in that cycle.
        let name = port.replace('[', "_").replace(']', "");
        let valid = format!("top.{name}_valid");
        assert_eq!(dump.value(&valid, cycle).expect("a port").as_deref(), Some("1"));
        assert_eq!(dump.value(&valid, cycle - 1).expect("a port").as_deref(), Some("0"));
        for (side, words) in [("twin", expected), ("hardware", got)] {
            let said = dump.value(&format!("story.{side}.{name}"), cycle).expect("a text");
            let said = said.expect("it says something").replace('_', " ").replace(',', ", ");
            assert_eq!(said, words, "{side}");
        }
    }
}

#[test]
fn the_view_of_a_mismatch_opens_on_the_port_that_differs() {
    let place = Place::new();
    with_fault(&place, "lost-completion:3,100", &["--report", "report"]);
    let view = place.text("report/mismatch.gtkw");
    let shown = view.lines().skip_while(|line| !line.starts_with('@'));
    let shown: Vec<&str> = shown.filter(|line| !line.starts_with('@')).take(4).collect();
    let [name, twin, hardware, signal] = shown[..] else { panic!("{view}") };
    assert_eq!(name, "-Differs: dispatch[3]");
    assert!(twin.ends_with(" story.twin.dispatch_3"), "{twin}");
    assert!(hardware.ends_with(" story.hardware.dispatch_3"), "{hardware}");
    assert!(signal.starts_with("top.dispatch_3_"), "{signal}");
}

#[test]
fn the_text_lists_what_happened_last_and_what_the_twin_says_of_its_state() {
    let place = Place::new();
    let found = with_fault(&place, "lost-completion:3,100", &[]);
    for line in [
        "what happened last, as the twin has it",
        // The case study's first blocks go out one a cycle.
        "cycle 1: SMX 0 gets block (0, 0, 0) of entry 0",
        "cycle 1008: a block of entry 0 ends on SMX 3",
        "the twin before cycle 1008",
        "the scheduler distributes the kernel in entry 0",
        "the scheduler counts 3 blocks, 192 threads on SMX 3",
    ] {
        assert!(found.said().contains(line), "no `{line}`: {}", found.stderr);
    }
}

#[test]
fn the_report_of_one_failure_does_not_take_the_place_of_another_ones() {
    let place = Place::new();
    let texts = ["lost-completion:3,100", "wrong-credit:0,3,1000", "lost-completion:3,100"]
        .map(|fault| with_fault(&place, fault, &["--report", "report"]).stderr);
    assert_eq!(texts[0], texts[2], "the same failure has the same report");
    assert_eq!(place.text("report/mismatch.txt"), texts[0]);
    assert_eq!(place.text("report/mismatch-2.txt"), texts[1]);
    assert!(texts[1].contains("report/mismatch-2.vcd"), "{}", texts[1]);
    assert!(place.file("report/mismatch-2.vcd").exists());
    assert!(!place.file("report/mismatch-3.txt").exists());
}

#[cfg(unix)]
#[test]
fn the_printed_command_repeats_the_mismatch() {
    let place = Place::new();
    // A name that a shell would take apart.
    place.write("it's a case.toml", std::fs::read(worked_example("claso-case-study")).expect("it"));
    let fault = ["--inject", "lost-completion:3,100", "--report", "a report"];
    let scheduler = ["--scheduler", "rr+claso(pa=1,pl=0)"];
    let mut args = vec!["run", "--scenario", "it's a case.toml"];
    args.extend(fault.iter().chain(&scheduler));
    let first = place.run(&args);
    assert_eq!(first.status, 1, "{}", first.stderr);
    let text = place.text("a report/mismatch.txt");
    let dump = place.bytes("a report/mismatch.vcd");
    let command = text.lines().find_map(|line| line.trim().strip_prefix("repeat ")).expect(&text);
    std::fs::remove_dir_all(place.file("a report")).expect("removed");

    let tool = std::path::Path::new(env!("CARGO_BIN_EXE_blockyard"));
    let mut search = vec![tool.parent().expect("a folder").to_owned()];
    search.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let search = std::env::join_paths(search).expect("a path");
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(place.path()).env("PATH", search);
    let again = ended(shell.output().expect("a shell"));
    assert_eq!((again.status, again.stderr), (1, first.stderr));
    assert_eq!(place.text("a report/mismatch.txt"), text);
    assert_eq!(place.bytes("a report/mismatch.vcd"), dump);
}

#[test]
fn a_mismatch_is_told_even_when_its_report_cannot_be_written() {
    let place = Place::new();
    place.write("taken", "a file");
    let found = with_fault(&place, "lost-completion:3,100", &["--report", "taken/report"]);
    assert_eq!(found.status, 1);
    let said = found.said();
    assert!(said.contains("mismatch in cycle 1008: port dispatch[3]"), "{said}");
    assert!(said.contains("cannot make the folder taken/report"), "{said}");
    assert!(said.contains("repeat with: blockyard run"), "{said}");
    assert_eq!(place.names(), ["taken"]);
}

#[test]
fn a_run_with_a_mismatch_leaves_nothing_but_its_report() {
    let place = Place::new();
    place.write("log.csv", "older");
    let outputs = ["--dispatch-log", "log.csv", "--stats", "stats.json", "--wave", "wave.vcd"];
    let found = with_fault(&place, "lost-completion:3,100", &outputs);
    assert_eq!(found.status, 1);
    assert_eq!(place.names(), ["blockyard-report", "log.csv"]);
    assert_eq!(place.text("log.csv"), "older");
}

#[test]
fn a_lost_completion_in_the_twin_alone_is_a_stuck_run_that_names_kernel_and_smx() {
    let place = Place::new();
    for smx in 0..4 {
        let fault = format!("lost-completion:{smx},100");
        let found = with_fault(&place, &fault, &["--engine", "golden"]);
        assert_eq!(found.status, 1, "{}", found.stderr);
        for line in [
            "nothing can happen any more",
            "kernel cta instance 0 in entry 0: 0 of 17 blocks not distributed, 0 in execution",
            &format!("the scheduler counts 1 blocks, 64 threads on SMX {smx}"),
            "repeat with: blockyard run",
        ] {
            assert!(found.stderr.contains(line), "{fault} has no `{line}`: {}", found.stderr);
        }
    }
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn a_wrong_credit_in_the_twin_alone_is_a_stuck_run_that_names_the_credit() {
    let found = with_fault(&Place::new(), "wrong-credit:0,3,1000", &["--engine", "golden"]);
    assert_eq!(found.status, 1);
    for line in [
        "kernel cta instance 0 in entry 0: 1 of 17 blocks not distributed, 0 in execution",
        "SMX 3: 0 blocks, 0 threads, 0 registers, 0 B shared memory; has room for the next block of cta",
        "the scheduler distributes the kernel in entry 0",
        "CLASO credits of entry 0: 0 global; SMX 0: 1 local, lacks a global credit; ",
        "SMX 3: 0 local, lacks a local credit",
    ] {
        assert!(found.stderr.contains(line), "no `{line}`: {}", found.stderr);
    }
}

#[test]
fn the_watchdog_names_kernel_and_smx_in_every_engine() {
    let path = worked_example("claso-case-study");
    for engine in ["golden", "rtl", "lockstep"] {
        for (limit, status) in [("2006", 1), ("2500", 1), ("1000000", 0)] {
            let args = [
                "run",
                "--scheduler",
                "rr",
                "--scenario",
                &path,
                "--engine",
                engine,
                "--max-cycles",
                limit,
                "--stats",
                "stats.json",
            ];
            let place = Place::new();
            let found = place.run(&args);
            assert_eq!(found.status, status, "{limit}: {}", found.stderr);
            if status == 0 {
                continue;
            }
            assert!(!place.file("stats.json").exists(), "a run that failed has no figures");
            if limit == "2006" {
                for line in [
                    "stuck in cycle 2006: not finished after 2006 cycles",
                    "kernel cta instance 0 in entry 0: 0 of 17 blocks not distributed, ",
                    "SMX 2: 3 blocks, 192 threads",
                ] {
                    assert!(found.stderr.contains(line), "no `{line}`: {}", found.stderr);
                }
            }
        }
    }
}

#[test]
fn a_limit_of_exactly_the_cycles_of_a_run_is_enough() {
    let path = worked_example("claso-case-study");
    let run = |limit: &str| {
        let place = Place::new();
        let args = ["run", "--scheduler", "rr", "--scenario", &path, "--max-cycles", limit];
        place.run(&args)
    };
    let free = run("100000");
    let cycles = free.stdout.lines().find_map(|line| line.strip_prefix("cycles")).expect("cycles");
    let cycles: u64 = cycles.trim().parse().expect("a number");
    assert_eq!(run(&cycles.to_string()).status, 0);
    assert_eq!(run(&(cycles - 1).to_string()).status, 1);
    assert_eq!(run("0").status, 1);
}
