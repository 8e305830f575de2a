//! The DRAM channel against completion cycles that DRAM simulators gave for the same requests.
//!
//! The data are outside of the repository; where they are absent, these tests say so and pass.

mod shared;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use blockyard_sim::gpu::channel::alone::{run, Case, Settings, Summary};

/// The burst modes: the setting, the column of completion cycles, the tool of `summary.csv`.
const MODES: [(&str, &str, &str); 2] =
    [("bl16", "complete_cycle", "d3_nocap"), ("bl8", "complete_cycle_bl8", "d3_bl8")];

/// The lines of a CSV file without quotes, each as column name to value.
fn lines(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let columns: Vec<String> = lines.next().unwrap().collect();
    lines.map(|line| columns.iter().cloned().zip(line).collect()).collect()
}

/// For each case and id the completion cycle in `column`.
fn completions(path: &Path, column: &str) -> BTreeMap<(String, u64), u64> {
    let number = |text: &String| text.parse().unwrap();
    let entry = |line: BTreeMap<String, String>| {
        ((line["case"].clone(), number(&line["id"])), number(&line[column]))
    };
    lines(path).into_iter().map(entry).collect()
}

/// The completion cycles of every case under these settings, by case and id.
fn ours(folder: &Path, pairs: &[(&str, &str)]) -> (BTreeMap<(String, u64), u64>, Vec<Summary>) {
    let (cases, _) = Case::read_file(&folder.join("requests.csv")).unwrap();
    let settings = Settings::from_pairs(pairs.iter().copied()).unwrap();
    let mut all = BTreeMap::new();
    let mut summaries = Vec::new();
    for case in &cases {
        let result = run(&settings, case);
        summaries.push(Summary::of(case, &result));
        for (request, cycle) in case.requests.iter().zip(result.complete) {
            all.insert((case.name.clone(), request.id), cycle);
        }
    }
    (all, summaries)
}

#[test]
fn every_request_of_every_case_ends_in_the_oracles_cycle_in_both_burst_modes() {
    let Some(folder) = shared::data("dram") else {
        return;
    };
    let (cases, _) = Case::read_file(&folder.join("requests.csv")).unwrap();
    let figures = lines(&folder.join("summary.csv"));
    let mut table = String::new();
    let header = "case         mode  requests  exact   mean ours  oracle's  p50       p99       \
                  cycles          row hits";
    writeln!(table, "{header}").unwrap();
    let mut wrong = Vec::new();
    for (mode, column, tool) in MODES {
        let expected = completions(&folder.join("requests.csv"), column);
        let (got, summaries) = ours(&folder, &[("burst", mode)]);
        assert_eq!(got.len(), expected.len(), "each request once");
        for (case, summary) in cases.iter().zip(&summaries) {
            let same = |id: u64| {
                let key = (case.name.clone(), id);
                got[&key] == expected[&key]
            };
            let exact = case.requests.iter().filter(|request| same(request.id)).count();
            let theirs = figures
                .iter()
                .find(|line| line["case"] == case.name && line["tool"] == tool)
                .unwrap_or_else(|| panic!("{} of {tool}", case.name));
            let name = &case.name;
            let line = format!(
                "{name:12} {mode:5} {:8} {exact:6} {:10.4} {:>10} {:4} {:>4} {:5} {:>5} {:6} {:>6} {:8.4} {:>6}",
                summary.requests, summary.mean, theirs["mean"], summary.p50, theirs["p50"],
                summary.p99, theirs["p99"], summary.cycles, theirs["cycles"],
                summary.row_hit_rate, theirs["rowhit"]
            );
            let close =
                |ours: f64, theirs: &String| (ours - theirs.parse::<f64>().unwrap()).abs() < 1e-4;
            let all_same = exact == summary.requests
                && close(summary.mean, &theirs["mean"])
                && close(summary.p50 as f64, &theirs["p50"])
                && close(summary.p99 as f64, &theirs["p99"])
                && close(summary.max as f64, &theirs["max"])
                && close(summary.cycles as f64, &theirs["cycles"])
                && close(summary.row_hit_rate, &theirs["rowhit"])
                && close(summary.bytes_per_cycle, &theirs["bytes_per_cycle"]);
            writeln!(table, "{line}").unwrap();
            if !all_same {
                wrong.push(line);
            }
        }
    }
    println!("{table}");
    assert!(wrong.is_empty(), "not the oracle's:\n{}", wrong.join("\n"));
}

#[test]
fn a_row_hit_cap_of_4_is_the_stock_tools() {
    let Some(folder) = shared::data("dram") else {
        return;
    };
    let mut expected = completions(&folder.join("requests.csv"), "complete_cycle");
    let uncapped = expected.clone();
    expected.extend(completions(&folder.join("alt_dramsim3_stock.csv"), "complete_cycle"));
    assert_ne!(expected, uncapped, "the cap matters in these cases");
    let (got, _) = ours(&folder, &[("row_hit_cap", "4")]);
    let wrong: Vec<_> = got.iter().filter(|(key, cycle)| expected[*key] != **cycle).collect();
    assert!(wrong.is_empty(), "{} differ, first {:?}", wrong.len(), &wrong[..wrong.len().min(5)]);
}

/// Cases in which each bank has one row at a time, so that the policies cannot differ.
const ONE_CHOICE: [&str; 7] = ["a_single", "a_idle", "b_hits1", "b_hits8", "c_pp100", "g3", "x3"];

/// Cases that leave the channel time: the policies differ by a little.
const UNSATURATED: [&str; 11] =
    ["e8", "e12", "e16", "e32", "f12", "f24", "g1", "h5", "h8", "i24", "i40"];

#[test]
fn the_open_row_policy_differs_from_the_oracle_only_where_there_is_a_choice() {
    let Some(folder) = shared::data("dram") else {
        return;
    };
    let (cases, _) = Case::read_file(&folder.join("requests.csv")).unwrap();
    for (mode, column, tool) in MODES {
        let settings = [("burst", mode), ("scheduler", "open-row"), ("queue", "64")];
        let expected = completions(&folder.join("requests.csv"), column);
        let (got, summaries) = ours(&folder, &settings);
        for ((case, id), cycle) in &got {
            if ONE_CHOICE.contains(&case.as_str()) {
                assert_eq!(*cycle, expected[&(case.clone(), *id)], "{case} {id} {mode}");
            }
        }
        let figures = lines(&folder.join("summary.csv"));
        println!("open-row, {mode}: mean latency, ours and the oracle's");
        for (case, summary) in cases.iter().zip(&summaries) {
            let theirs =
                figures.iter().find(|line| line["case"] == case.name && line["tool"] == tool);
            let theirs: f64 = theirs.unwrap()["mean"].parse().unwrap();
            println!("{:12} {:9.2} {theirs:9.2}", case.name, summary.mean);
            if UNSATURATED.contains(&case.name.as_str()) {
                let far = (summary.mean - theirs).abs();
                assert!(far <= 1.0 || far <= theirs * 0.01, "{} {mode}", case.name);
            }
        }
    }
}
