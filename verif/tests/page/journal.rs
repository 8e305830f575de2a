//! The folder of a study, made from rows.

use super::command::Place;
use blockyard::study::row::Row;
use serde_json::json;
use std::collections::BTreeMap;

pub const SCHEDULERS: [&str; 3] = ["rr", "rr+claso(pa=1,pl=0)", "laperm/adaptive-bind"];
pub const ENTRIES: [&str; 3] = ["16", "64", "1024"];
pub const WORKLOADS: [&str; 2] = ["bfs", "sssp"];

/// Three schedulers by three sizes by two workloads; cycles fall with the scheduler and the size.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (s, scheduler) in SCHEDULERS.into_iter().enumerate() {
        for (e, entries) in ENTRIES.into_iter().enumerate() {
            for (w, workload) in WORKLOADS.into_iter().enumerate() {
                let cycles = (12_000 / (s + 1) - 100 * e + 1_000 * w) as f64;
                let axes =
                    [("scheduler", scheduler), ("launch.table", entries), ("workload", workload)];
                let figures = [
                    ("cycles", cycles),
                    ("ipc", 24_000.0 / cycles),
                    ("storage_bits", (1_000 * (s + 1) + 100 * e) as f64),
                ];
                let own = |(name, value): (&str, f64)| (name.to_owned(), value);
                rows.push(Row {
                    run: format!("r{s}{e}{w}"),
                    axes: BTreeMap::from(axes.map(|(axis, v)| (axis.to_owned(), v.to_owned()))),
                    command: format!(
                        "blockyard run --scheduler '{scheduler}' --workload {workload}"
                    ),
                    figures: BTreeMap::from(figures.map(own)),
                    failure: None,
                });
            }
        }
    }
    rows
}

/// Writes them as the folder `name`, in the order in which they are given.
pub fn write(place: &Place, name: &str, rows: &[Row]) {
    std::fs::create_dir_all(place.file(name)).expect("a folder");
    let axis = |name: &str, values: &[&str]| json!({ "name": name, "values": values });
    let header = json!({
        "name": name,
        "baseline": { "scheduler": "rr" },
        "axes": [
            axis("scheduler", &SCHEDULERS),
            axis("launch.table", &ENTRIES),
            axis("workload", &WORKLOADS),
        ],
        "runs": "0123",
        "version": "0.1.0",
        "created": 1_790_000_000,
    });
    let rows = rows.iter().map(|row| serde_json::to_string(row).expect("plain data"));
    let lines: Vec<String> = std::iter::once(header.to_string()).chain(rows).collect();
    place.write(&format!("{name}/runs.jsonl"), lines.join("\n") + "\n");
}
