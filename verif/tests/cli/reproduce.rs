//! `blockyard reproduce`: rows for everything that a paper compares.

use super::command::Place;
use serde_json::Value;

#[test]
fn ikra_runs_four_microbenchmarks_under_five_schedulers_and_two_protocols() {
    let mut args = vec!["reproduce", "ikra", "--json", "--jobs", "2"];
    args.extend(["--set", "ikra.kernels=3", "--set", "ikra.data=6"]);
    let printed = Place::new().fine(&args).stdout;
    let alone = args.iter().map(|&arg| if arg == "2" { "1" } else { arg }).collect::<Vec<_>>();
    assert!(Place::new().fine(&alone).stdout == printed, "the same bytes with any number of jobs");
    let result: Value = serde_json::from_str(&printed).expect("JSON");
    let rows = result["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 2 * 4 * 5);
    for row in rows {
        let served = row["served"].as_object().expect("shares");
        let all: f64 = served.values().map(|share| share.as_f64().expect("a share")).sum();
        assert!((all - 1.0).abs() < 1e-9, "{row}");
        assert!(row["cycles"].as_u64() > Some(0), "{row}");
        if row["protocol"] == "gpu" {
            assert_eq!(row["served"]["remote_l1"], 0.0, "{row}");
        }
        if row["scheduler"].as_str().is_some_and(|name| name.starts_with("rr")) {
            assert_eq!(row["cycles_by_rr"], 1.0, "{row}");
        }
    }
    // Data that the L1s hold: what each SMX owns stays there.
    let warm = |scheduler: &str| {
        let is = |row: &&Value| row["workload"] == "small" && row["scheduler"] == scheduler;
        rows.iter().find(is).expect("a row")["warm_flits"].as_u64()
    };
    for scheduler in ["ikra/reset", "ikra/flip"] {
        assert_eq!(warm(scheduler), Some(0), "{scheduler}");
    }
    assert!(result["statements"].as_array().is_some_and(|list| list.len() > 10));
}

#[test]
fn ikra_takes_no_graph() {
    for option in ["--workload", "--input"] {
        let args = ["reproduce", "ikra", option, "bfs"];
        Place::new().refused(&args, &[option, "does nothing in `reproduce ikra`"]);
    }
    let key = ["reproduce", "ikra", "--set", "bfs.block=64"];
    Place::new().refused(&key, &["does nothing in IKRA's microbenchmarks"]);
}
