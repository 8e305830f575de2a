//! Which runs a study makes, and what its table has of them.

use super::{place, Table, STUDY};

#[test]
fn a_parameter_is_an_axis_only_where_it_stands() {
    let place = place(STUDY);
    place.fine(&["study", "t.toml"]);
    let table = Table::of(&place, "study-t/table.csv");
    let first = ["run", "scheduler", "pa", "pl", "gpu", "scenario", "cycles"];
    assert_eq!(table.header.iter().take(7).collect::<Vec<_>>(), first);
    assert_eq!(table.column("pa"), ["", "1", "1", "2", "2"]);
    assert_eq!(table.column("pl"), ["", "0", "10", "0", "10"]);
    let speedups = table.column("speedup");
    assert_eq!(speedups[0], "1");
    let cycles: Vec<f64> =
        table.column("cycles").iter().map(|cycles| cycles.parse().expect("a number")).collect();
    for (speedup, own) in speedups.iter().zip(&cycles) {
        let speedup: f64 = speedup.parse().expect("a number");
        assert!((speedup * own / cycles[0] - 1.0).abs() < 1e-9, "{speedup} {own}");
    }
}

#[test]
fn the_command_of_a_row_repeats_its_run() {
    let place = place(STUDY);
    place.fine(&["study", "t.toml"]);
    let table = Table::of(&place, "study-t/table.csv");
    let (commands, cycles) = (table.column("command"), table.column("cycles"));
    let expected =
        "blockyard run --scheduler 'rr+claso(pa=2,pl=10)' --scenario s.toml --gpu c2050 \
        --launch flat --engine golden --seed 1";
    assert_eq!(commands[4], expected);
    let words = expected.replace('\'', "").replace("golden", "lockstep");
    let words: Vec<&str> = words.split(' ').skip(1).collect();
    let printed = place.fine(&words).stdout;
    assert!(printed.contains(&format!("cycles     {}\n", cycles[4])), "{printed}");
}

#[test]
fn points_that_are_the_same_run_are_run_once() {
    let aliases = "axes.scheduler = [\"rr\", \"fifo\", \"rr+claso\", \"rr+claso(pa=1,pl=0)\"]\n\
        axes.scenario = \"s.toml\"\n";
    let place = place(aliases);
    let dry = place.fine(&["study", "t.toml", "--dry-run"]).stdout;
    assert!(dry.ends_with("2 runs for 4 points\n"), "{dry}");
    assert_eq!(place.names(), ["s.toml", "t.toml"], "a dry run leaves nothing");
    place.fine(&["study", "t.toml"]);
    let table = Table::of(&place, "study-t/table.csv");
    assert_eq!(table.column("scheduler"), ["rr", "rr+claso"]);
}

#[test]
fn named_values_set_several_things_at_once() {
    let study = "[axes]\nscheduler = \"rr\"\n[axes.case]\nsmall = { scenario = \"s.toml\" }\n\
        big = { scenario = \"s.toml\", \"smx.count\" = 4 }\n\
        other = { workload = \"vecadd\", \"vecadd.count\" = 64 }\n";
    let place = place(study);
    let dry = place.fine(&["study", "t.toml", "--dry-run"]).stdout;
    let lines: Vec<&str> = dry.lines().collect();
    assert!(lines[1].contains("--scenario s.toml --gpu k20c --set smx.count=4 "), "{dry}");
    assert!(lines[2].contains("--workload vecadd --gpu k20c --set vecadd.count=64 "), "{dry}");
    assert_eq!(lines[3], "3 runs");
}

#[test]
fn constraints_choose_points_and_leave_axes_out() {
    let constraint = |rule: &str| {
        let study = format!("{STUDY}seed = [1, 2, 3]\n[[constraint]]\n{rule}\n");
        let place = place(&study);
        let dry = place.fine(&["study", "t.toml", "--dry-run"]).stdout;
        dry.lines().last().expect("a count").to_owned()
    };
    assert_eq!(constraint("only = { seed = [1, 2, 3] }"), "15 runs");
    assert_eq!(constraint("only = { seed = [1, 3] }"), "10 runs");
    assert_eq!(constraint("only = { pl = 10 }"), "9 runs", "those without pl stay");
    assert_eq!(constraint("when = { scheduler = \"rr\" }\nonly = { seed = 2 }"), "13 runs");
    assert_eq!(constraint("not = { pa = 1, pl = [0, 10] }"), "9 runs");
    assert_eq!(constraint("when = { pa = 1 }\nnot = { seed = [1, 2] }"), "11 runs");
    let without = "when = { scheduler = \"rr\" }\nwithout = \"seed\"";
    assert_eq!(constraint(without), "13 runs for 15 points");
}

#[test]
fn a_run_that_fails_is_a_row_and_the_others_go_on() {
    let study = STUDY.replace("pl = [0, 10]", "pl = [0, \"x\"]");
    let place = place(&study);
    let ended = place.run(&["study", "t.toml"]);
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("5 runs, 2 failed"), "{}", ended.stdout);
    let table = Table::of(&place, "study-t/table.csv");
    let failed: Vec<bool> = table.column("failure").iter().map(|text| !text.is_empty()).collect();
    assert_eq!(failed, [false, false, true, false, true]);
    let empty: Vec<bool> = table.column("cycles").iter().map(String::is_empty).collect();
    assert_eq!(empty, failed);
}

#[test]
fn a_combination_that_cannot_be_is_a_failure() {
    // The golden engine alone has oracles; lockstep has no hardware for them.
    let study =
        "engine = \"lockstep\"\naxes.scheduler = [\"rr\", \"sjf(runtimes=100)\"]\naxes.scenario = \"s.toml\"\n";
    let place = place(study);
    assert_eq!(place.run(&["study", "t.toml"]).status, 1);
    let failures = Table::of(&place, "study-t/table.csv").column("failure");
    assert!(failures[0].is_empty() && failures[1].contains("sjf"), "{failures:?}");
}

#[test]
fn any_number_of_jobs_and_any_order_give_the_same_bytes() {
    let place = place(&STUDY.replace("to = 2", "to = 9"));
    place.fine(&["study", "t.toml", "--jobs", "1", "--out", "one"]);
    place.fine(&["study", "t.toml", "--jobs", "3", "--out", "three"]);
    assert!(place.bytes("one/table.csv") == place.bytes("three/table.csv"));
    let header = place.text("one/runs.jsonl").lines().count();
    assert_eq!(header, 1 + 19, "a header, and a line a run");
}

#[test]
fn storage_is_a_figure_if_it_is_asked_for() {
    let place = place(&format!("storage = true\n{STUDY}"));
    let printed = place.fine(&["study", "t.toml"]).stdout;
    assert!(printed.contains("storage_bits"), "{printed}");
    let table = Table::of(&place, "study-t/table.csv");
    let args = ["budget", "--scheduler", "rr", "--gpu", "c2050", "--set", "smx.count=2", "--json"];
    let budget: serde_json::Value =
        serde_json::from_str(&place.fine(&args).stdout).expect("a budget");
    assert_eq!(table.column("storage_bits")[0], budget["total"]["bits"].to_string());
}
