//! `-` for standard output and standard input, and `--quiet`.

use super::command::{ended, worked_example, Ended, Place};
use std::io::Write;
use std::process::Stdio;

fn scenario<'a>(path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--scheduler", "rr", "--scenario", path], more].concat()
}

/// Runs a command that reads `input`.
fn with_input(place: &Place, args: &[&str], input: &[u8]) -> Ended {
    let mut command = place.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("blockyard starts");
    // Who does not read it may be gone.
    let _ = process.stdin.take().expect("a pipe").write_all(input);
    ended(process.wait_with_output().expect("it ends"))
}

#[test]
fn a_file_goes_to_standard_output_and_the_page_to_standard_error() {
    let path = worked_example("claso-case-study");
    let place = Place::new();
    let page =
        place.fine(&scenario(&path, &["--stats", "s.json", "--dispatch-log", "l.csv"])).stdout;
    for (option, file) in [("--stats", "s.json"), ("--dispatch-log", "l.csv")] {
        let ended = place.run(&scenario(&path, &[option, "-"]));
        assert_eq!((ended.status, &ended.stderr), (0, &page), "{option}");
        assert_eq!(ended.stdout, place.text(file), "{option}");
    }
    place.fine(&scenario(&path, &["--wave", "w.vcd"]));
    let dumped = place.run(&scenario(&path, &["--wave", "-"]));
    assert_eq!((dumped.status, &dumped.stderr), (0, &page));
    assert!(dumped.stdout == place.text("w.vcd"));
    assert_eq!(
        place.names(),
        ["l.csv", "s.json", "w.gtkw", "w.sucl", "w.vcd"],
        "no file `-`, no views of it"
    );
}

#[test]
fn two_files_on_standard_output_are_refused_before_the_run() {
    let path = worked_example("claso-case-study");
    let place = Place::new();
    let both = ["--stats", "-", "--dispatch-log", "-"];
    place.refused(&scenario(&path, &both), &["--dispatch-log and --stats are both -"]);
    place.refused(&["budget", "--json", "--csv", "-"], &["--json and --csv are both -"]);
    assert!(place.names().is_empty());
}

#[test]
fn budgets_verilog_and_completion_cycles_go_to_standard_output() {
    let place = Place::new();
    place.fine(&["budget", "--csv", "b.csv"]);
    let budget = place.run(&["budget", "--csv", "-"]);
    assert_eq!((budget.status, budget.stdout), (0, place.text("b.csv")));
    assert!(budget.stderr.contains("rr"), "the table");
    place.fine(&["verilog", "--scheduler", "rr", "--out", "v"]);
    let verilog = place.fine(&["verilog", "--scheduler", "rr", "--out", "-"]);
    assert!(verilog.stdout == place.text("v/blockyard_top.v"));
    place.write("r.csv", "case,id,arrive_cycle,addr_hex,rw\na,0,0,0x0,R\n");
    let table = place.fine(&["dram", "r.csv", "--out", "o.csv"]).stdout;
    let dram = place.run(&["dram", "r.csv", "--out", "-"]);
    assert_eq!((dram.status, dram.stdout, dram.stderr), (0, place.text("o.csv"), table));
}

#[test]
fn scenarios_and_graphs_come_from_standard_input_and_are_hashed_as_any_other() {
    let place = Place::new();
    let text = std::fs::read(worked_example("claso-case-study")).expect("a scenario");
    place.write("s.toml", &text);
    let outputs = |name| ["--dispatch-log", name];
    place.fine(&scenario("s.toml", &outputs("file.csv")));
    let all = [&outputs("pipe.csv")[..], &["--stats", "s.json"]].concat();
    let ended = with_input(&place, &scenario("-", &all), &text);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(place.text("pipe.csv"), place.text("file.csv"));
    let again = with_input(&place, &["run", "--from", "s.json"], &text);
    assert_eq!((again.status, again.stdout), (0, ended.stdout));
    let other = with_input(&place, &["run", "--from", "s.json"], b"");
    assert_eq!(other.status, 2);
    assert!(other.said().contains("- has changed since"), "{}", other.said());
    let bad = with_input(&place, &scenario("-", &[]), b"[[kernel]]\nname = 3\n");
    assert!(bad.status == 2 && bad.said().contains("[-:2:"), "{}", bad.said());

    place.write("g.el", "0 1\n1 2\n");
    let graph = |input| ["run", "--scheduler", "rr", "--workload", "bfs", "--input", input];
    let expected = place.fine(&graph("g.el")).stdout;
    assert_eq!(with_input(&place, &graph("-"), b"0 1\n1 2\n").stdout, expected);
    let both = [&graph("-")[..], &["--stats", "-"]].concat();
    assert_eq!(with_input(&place, &both, b"0 1\n1 2\n").status, 0, "in and out are not the same");
}

#[test]
fn a_reader_that_has_seen_enough_ends_nothing_with_an_error() {
    let path = worked_example("claso-case-study");
    for option in ["--stats", "--dispatch-log", "--wave"] {
        let place = Place::new();
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = place.command(&scenario(&path, &[option, "-", "--quiet"]));
        let ended = ended(command.stdout(writer).output().expect("blockyard starts"));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{option}");
    }
}

#[test]
fn quiet_runs_print_nothing_but_what_kernels_do_and_what_is_wrong() {
    let path = worked_example("claso-case-study");
    let place = Place::new();
    assert_eq!(place.fine(&scenario(&path, &["--quiet", "--stats", "s.json"])).stdout, "");
    assert!(!place.text("s.json").is_empty());
    let failed = place.run(&scenario(&path, &["-q", "--max-cycles", "100"]));
    assert!(
        failed.status == 1 && failed.stderr.contains("stuck in cycle 100"),
        "{}",
        failed.stderr
    );
    let functional = ["run", "--functional", "--workload", "vecadd", "--quiet"];
    assert_eq!(place.fine(&functional).stdout, "");
}
