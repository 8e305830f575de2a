//! `run --record`: what is executed becomes a trace, which takes the same cycles when it is read
//! back.

use super::command::{self, worked_example, Place};

/// Small kernels by name, of several blocks each; `reduce` and `stencil` launch again and again. Of
/// `srad1` the trace is read in pieces, and lists of addresses are rare.
const KERNELS: [(&str, &[&str]); 6] = [
    ("vecadd", &["vecadd.count=1000", "vecadd.block=64"]),
    ("matmul", &["matmul.rows=33", "matmul.columns=20", "matmul.inner=17"]),
    ("histogram", &["histogram.count=3000", "histogram.blocks=7"]),
    ("stencil", &["stencil.width=40", "stencil.height=20", "stencil.steps=2"]),
    ("reduce", &["reduce.count=3000", "reduce.block=64"]),
    ("srad1", &["srad1.width=256", "srad1.height=256", "srad1.steps=1"]),
];

/// `run` on a GPU of three SMXs.
fn run<'a>(scheduler: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let start = ["run", "--scheduler", scheduler, "--engine", "golden", "--set", "smx.count=3"];
    [&start[..], more].concat()
}

/// The statistics `json` but for when the host launched: of a trace everything in cycle 0.
fn figures(json: &str) -> String {
    command::figures(json).lines().filter(|line| !line.contains("\"arrive\":")).collect()
}

#[test]
fn a_recorded_run_is_read_back_with_the_same_cycles_and_the_same_log() {
    for (scheduler, host) in [("rr", "launch.host=0"), ("oldest-first", "launch.host=7")] {
        for (name, settings) in KERNELS {
            let place = Place::new();
            let set: Vec<&str> = settings.iter().flat_map(|&set| ["--set", set]).collect();
            let outputs = ["--dispatch-log", "1.csv", "--stats", "1.json", "--record", "trace"];
            let kernel = ["--set", host, "--workload", name];
            let recorded = place.fine(&run(scheduler, &[&kernel[..], &set, &outputs].concat()));
            let trace = ["--set", host, "--trace", "trace/kernelslist.g"];
            let outputs = ["--dispatch-log", "2.csv", "--stats", "2.json"];
            let read = place.fine(&run(scheduler, &[&trace[..], &outputs].concat()));
            assert_eq!(recorded.stdout, read.stdout, "{name} under {scheduler}");
            assert_eq!(place.text("1.csv"), place.text("2.csv"), "{name} under {scheduler}");
            let figures = ["1.json", "2.json"].map(|name| figures(&place.text(name)));
            assert_eq!(figures[0], figures[1], "{name} under {scheduler}");
            assert_eq!(place.names(), ["1.csv", "1.json", "2.csv", "2.json", "trace"]);
        }
    }
}

/// A module whose kernel `k` has `body`, and a host file that launches it once.
fn kernel(place: &Place, body: &str) {
    let module = format!(
        ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k()\n{{\n{body}\nret;\n}}\n"
    );
    place.write("k.ptx", module);
    place.write("k.toml", "[[launch]]\ngrid = 2\nblock = 64\n");
}

#[test]
fn kernels_of_a_file_and_runs_without_timing_are_recorded_too() {
    let place = Place::new();
    kernel(&place, "bar.sync 0;");
    let args = run("rr", &["--kernel", "k.ptx", "--record", "timed"]);
    let timed = place.fine(&args).stdout;
    place.fine(&["run", "--functional", "--kernel", "k.ptx", "--record", "functional"]);
    for trace in ["timed", "functional"] {
        let list = format!("{trace}/kernelslist.g");
        assert_eq!(place.fine(&run("rr", &["--trace", &list])).stdout, timed, "{trace}");
    }
    let args =
        ["run", "--functional", "--workload", "bfs", "--set", "graph.scale=4", "--record", "bfs"];
    place.fine(&args);
    // What was read from a trace can be written as one.
    let args = run("rr", &["--trace", "bfs/kernelslist.g", "--record", "again"]);
    let once = place.fine(&args).stdout;
    assert_eq!(place.fine(&run("rr", &["--trace", "again/kernelslist.g"])).stdout, once);
}

#[test]
fn a_folder_in_which_something_is_and_one_that_cannot_be_made_are_refused_before_the_run() {
    let place = Place::new();
    place.write("file", "");
    std::fs::create_dir(place.file("full")).expect("a folder");
    place.write("full/kernelslist.g", "mine");
    for (folder, why) in [
        ("full", "directory not empty"),
        ("file", "ot a directory"),
        ("missing/trace", "No such file"),
    ] {
        // With a limit that the run would break: its failure does not come first.
        let args = ["--workload", "vecadd", "--max-cycles", "9", "--record", folder];
        let expected = [&*format!("cannot write {folder}"), why, "a new or an empty folder"];
        place.refused(&run("rr", &args), &expected);
        assert_eq!(place.names(), ["file", "full"]);
    }
    assert_eq!(place.text("full/kernelslist.g"), "mine");
    let both = ["--workload", "vecadd", "--record", "both", "--stats", "both"];
    place.refused(&run("rr", &both), &["--record and --stats are both both"]);
}

#[test]
fn a_run_that_fails_leaves_no_trace() {
    let place = Place::new();
    let args = run("rr", &["--workload", "vecadd", "--max-cycles", "100", "--record", "trace"]);
    assert_eq!(place.run(&args).status, 1);
    assert!(place.names().is_empty());
    kernel(&place, "trap;");
    place.refused(&run("rr", &["--kernel", "k.ptx", "--record", "trace"]), &["a trap"]);
    assert_eq!(place.names(), ["k.ptx", "k.toml"]);
}

#[test]
fn what_accel_sim_s_format_does_not_have_is_refused() {
    let place = Place::new();
    for launch in ["cdp", "dtbl"] {
        let args = ["--workload", "nested", "--launch", launch, "--record", "trace"];
        let what =
            format!("--record cannot be used with --launch {launch}: Accel-Sim's format has no");
        place.refused(&run("rr", &args), &[&what, "use --launch flat"]);
    }
    let scenario = worked_example("claso-case-study");
    let args = ["run", "--scheduler", "rr", "--scenario", &scenario, "--record", "trace"];
    place.refused(&args, &["--record does nothing with a scenario"]);
    let args = run("rr", &["--workload", "erc/SAD", "--record", "trace"]);
    place.refused(&args, &["--record does nothing with kernels of ERCBench"]);
    assert!(place.names().is_empty());
    kernel(&place, "bar.sync 1, 32;");
    let expected = ["kernel `k`, block (0, 0, 0)", "a barrier by number", "docs/traces.md"];
    place.refused(&run("rr", &["--kernel", "k.ptx", "--record", "trace"]), &expected);
    let functional = ["run", "--functional", "--kernel", "k.ptx", "--record", "trace"];
    place.refused(&functional, &expected);
    assert_eq!(place.names(), ["k.ptx", "k.toml"]);
}
