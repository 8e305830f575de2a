//! Skipping cycles is invisible, and so is the number of threads: the same log, statistics and
//! dump, byte by byte.

#[path = "cli/command.rs"]
mod command;

use command::{worked_example, Place};

const OUTPUTS: [&str; 3] = ["log.csv", "stats.json", "wave.vcd"];

/// The three files of a run, and how many cycles it skipped.
fn files(args: &[&str]) -> (Vec<Vec<u8>>, u64) {
    let place = Place::new();
    let mut all = vec!["run"];
    all.extend(args);
    all.extend(["--dispatch-log", OUTPUTS[0], "--stats", OUTPUTS[1], "--wave", OUTPUTS[2]]);
    let ended = place.fine(&all);
    let evaluated =
        ended.stdout.lines().find(|line| line.starts_with("evaluated")).expect("a line");
    let skipped = evaluated.split('(').nth(1).and_then(|text| text.split(' ').next());
    let skipped =
        skipped.and_then(|number| number.parse().ok()).expect("a number of skipped cycles");
    (OUTPUTS.map(|name| place.bytes(name)).into(), skipped)
}

/// Compares a run with the same one that evaluates every cycle.
fn assert_invisible(args: &[&str]) {
    let (skipping, skipped) = files(args);
    let (stepping, none) = files(&[args, &["--no-skip"]].concat());
    assert!(skipped > 0, "{args:?} skips nothing, and so shows nothing");
    assert_eq!(none, 0, "{args:?}");
    for (name, (one, other)) in OUTPUTS.iter().zip(skipping.iter().zip(&stepping)) {
        assert!(!one.is_empty() && one == other, "{args:?}: {name} differs");
    }
}

#[test]
fn worked_examples_are_the_same() {
    for scenario in ["claso-case-study", "concurrent-kernels", "round-robin-100-blocks"] {
        let path = worked_example(scenario);
        for scheduler in ["rr", "rr+claso(pa=1,pl=0)"] {
            for engine in ["rtl", "lockstep"] {
                assert_invisible(&[
                    "--scheduler",
                    scheduler,
                    "--scenario",
                    &path,
                    "--engine",
                    engine,
                ]);
            }
        }
    }
}

#[test]
fn windows_that_begin_and_end_in_quiet_cycles_are_the_same() {
    let path = worked_example("claso-case-study");
    // In mid-quiet, at a dispatch, one cycle beside it, a single cycle, past the end.
    for (from, to) in [
        ("500", "700"),
        ("1008", "1032"),
        ("1007", "1009"),
        ("1009", "1009"),
        ("1500", "99999"),
        ("0", "0"),
    ] {
        for engine in ["rtl", "lockstep"] {
            assert_invisible(&[
                "--scheduler",
                "rr+claso(pa=1,pl=0)",
                "--scenario",
                &path,
                "--engine",
                engine,
                "--wave-from",
                from,
                "--wave-to",
                to,
            ]);
        }
    }
}

#[test]
fn a_graph_search_is_the_same() {
    for graph in [
        &["graph.kind=grid", "graph.width=8", "graph.height=8"][..],
        &["graph.kind=rmat", "graph.scale=6", "graph.edge_factor=4"],
    ] {
        let mut args = vec!["--scheduler", "rr+claso(pa=1,pl=0)", "--workload", "bfs"];
        args.extend(["--set", "smx.count=3", "--set", "bfs.block=32", "--engine", "lockstep"]);
        args.extend(graph.iter().flat_map(|setting| ["--set", setting]));
        assert_invisible(&args);
    }
}

#[test]
fn a_scheduler_that_turns_is_the_same() {
    let path = worked_example("laperm-figure-4");
    for scheduler in ["laperm/tb-pri", "laperm/smx-bind", "laperm/adaptive-bind"] {
        for launch in ["cdp", "dtbl"] {
            assert_invisible(&["--scheduler", scheduler, "--launch", launch, "--scenario", &path]);
        }
    }
}

#[test]
fn every_number_of_threads_leaves_the_same_files() {
    let mut args = vec!["--scheduler", "laperm/adaptive-bind", "--launch", "dtbl"];
    args.extend(["--workload", "clr", "--set", "graph.kind=rmat", "--set", "graph.scale=8"]);
    args.extend(["--set", "smx.count=3", "--threads"]);
    let on = |threads| files(&[&args[..], &[threads]].concat()).0;
    let one = on("1");
    for threads in ["2", "3", "8"] {
        for (name, (one, several)) in OUTPUTS.iter().zip(one.iter().zip(on(threads))) {
            assert!(!one.is_empty() && *one == several, "{name} differs on {threads} threads");
        }
    }
}

#[test]
fn blocks_that_ask_for_others_ask_in_the_same_cycles() {
    // Two blocks are told in successive cycles that there is no other one, on inputs that are
    // equal.
    let place = Place::new();
    place.write(
        "s.toml",
        "[gpu]\nsmx = 2\nthread_block_slots = 2\nlaunch.cancel = 3\n\
         [[kernel]]\nname = \"A\"\ngrid = [9, 1, 1]\nblock = [32, 1, 1]\nduration = 100\n\
         setup = 20\ncancels = true\n\
         [[kernel]]\nname = \"B\"\narrive = 150\ngrid = [6, 1, 1]\nblock = [32, 1, 1]\nduration = 50\n",
    );
    let path = place.file("s.toml");
    let path = path.to_str().expect("UTF-8");
    for scheduler in ["launch-control", "launch-control+claso", "domains(policy=contiguous)"] {
        for engine in ["rtl", "lockstep"] {
            let args = ["--scheduler", scheduler, "--scenario", path, "--engine", engine];
            assert_invisible(&args);
        }
    }
}

#[test]
fn blocks_that_are_paused_are_so_in_the_same_cycles() {
    let scheduler = "rr+dyncta(period=64,idle=64,low=0,high=8,pause=1)";
    let mut args = vec!["--scheduler", scheduler, "--workload", "hotspot", "--gpu", "c2050"];
    args.extend(["--set", "smx.count=3", "--engine", "lockstep"]);
    assert_invisible(&args);
    let on = |threads| files(&[&args[..], &["--threads", threads]].concat()).0;
    let one = on("1");
    let stats = std::str::from_utf8(&one[1]).expect("UTF-8");
    assert!(stats.contains("\"paused_block_cycles\""), "some are");
    assert_eq!(on("3"), one);
}
