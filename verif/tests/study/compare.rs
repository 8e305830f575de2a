//! `blockyard compare`: a row a scheduler, relative to the first.

use super::command::Place;
use super::place;
use serde_json::Value;

const ARGS: [&str; 8] =
    ["compare", "rr", "rr+claso", "--workload", "bfs", "--set", "graph.kind=uniform", "--set"];

fn args(more: &[&'static str]) -> Vec<&'static str> {
    [&ARGS[..], &["graph.vertices=200", "--gpu", "c2050"], more].concat()
}

#[test]
fn seeds_give_means_and_intervals_and_ratios_by_seed() {
    let place = Place::new();
    let printed = place.fine(&args(&["--seeds", "3", "--json", "--csv", "c.csv"])).stdout;
    let all: Vec<Value> = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(all.len(), 2 * 2, "two schedulers, cycles and ipc");
    let mut cycles = Vec::new();
    for seed in ["1", "2", "3"] {
        let run =
            ["run", "--scheduler", "rr", "--engine", "golden", "--seed", seed, "--stats", "s.json"];
        place.fine(&[&run[..], &args(&[])[3..]].concat());
        let stats: Value = serde_json::from_str(&place.text("s.json")).expect("JSON");
        cycles.push(stats["cycles"].as_f64().expect("cycles"));
    }
    let mean = cycles.iter().sum::<f64>() / 3.0;
    assert!((all[0]["mean"].as_f64().expect("a mean") - mean).abs() < 1e-6, "{printed}");
    let squares: f64 = cycles.iter().map(|c| (c - mean).powi(2)).sum();
    let interval = 4.3027 * (squares / 2.0).sqrt() / 3_f64.sqrt();
    assert!((all[0]["interval"].as_f64().expect("three") - interval).abs() < 1e-3, "{printed}");
    assert_eq!((&all[0]["ratio"], &all[0]["ratio_interval"]), (&1.0.into(), &0.0.into()));
    assert_eq!((&all[2]["scheduler"], &all[2]["metric"]), (&"rr+claso".into(), &"cycles".into()));
    let csv = place.text("c.csv");
    assert!(
        csv.starts_with("scheduler,metric,runs,mean,interval,ratio,ratio_interval\nrr,cycles,3,")
    );
    assert_eq!(csv.lines().count(), 1 + 4);
}

#[test]
fn one_seed_has_no_intervals() {
    let printed = Place::new().fine(&args(&["--metric", "l1.hit_rate"])).stdout;
    assert!(printed.contains("l1.hit_rate") && printed.ends_with("one seed: no intervals\n"));
    assert!(!printed.contains('±'), "{printed}");
}

#[test]
fn a_comparison_that_makes_no_sense_is_refused() {
    let place = place("");
    place.refused(&args(&["--metric", "icp"]), &["the run has no figure `icp`", "its figures are"]);
    place.refused(&args(&["--set", "smx.cuont=4"]), &["unknown GPU key `smx.cuont`"]);
    place.refused(&["compare", "rr", "rrr", "--scenario", "s.toml"], &["line 2: scheduler", "rrr"]);
    place.refused(&["compare", "rr", "rr", "--scenario", "s.toml"], &["`rr` stands there twice"]);
    place.refused(&["compare", "rr"], &["--workload"]);
    // As of `run`: the status is that of bad use.
    let oracle = ["compare", "rr", "sjf(runtimes=1)", "--scenario", "s.toml"];
    place.refused(&[&oracle[..], &["--engine", "lockstep"]].concat(), &["sjf", "golden"]);
    let launches = ["compare", "rr", "srtf", "--scenario", "s.toml", "--launch", "dtbl"];
    place.refused(&launches, &["srtf"]);
}
