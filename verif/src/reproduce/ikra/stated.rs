//! What section 6.1 states in numbers, and the same from our rows.

use super::Row;
use serde::Serialize;

/// A figure of the paper beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statement {
    /// Of what.
    pub what: String,
    /// The paper's figure.
    pub paper: f64,
    /// Ours.
    pub here: f64,
    /// The unit of both.
    pub unit: &'static str,
}

/// All of them, under DeNovo.
pub(super) fn statements(rows: &[Row]) -> Vec<Statement> {
    let find = |workload: &str, scheduler: &str| {
        let is = |row: &&Row| {
            (row.protocol.as_str(), row.workload.as_str()) == ("denovo", workload)
                && row.scheduler.starts_with(scheduler)
        };
        rows.iter().find(is).expect("every microbenchmark runs under every scheduler")
    };
    let change = |new: f64, old: f64| 100.0 * (new / old - 1.0);
    let cycles = |workload, new, old| {
        change(find(workload, new).cycles as f64, find(workload, old).cycles as f64)
    };
    let energy =
        |workload, new, old| change(find(workload, new).energy_nj, find(workload, old).energy_nj);
    let served = |workload, scheduler| find(workload, scheduler).served;
    let (rr, reset, flip, steal) = ("rr", "ikra/reset", "ikra/flip", "ikra/steal");
    let large = served("large", flip);
    let list = [
        ("small: time, reset by rr", -68.0, cycles("small", reset, rr), "%"),
        ("small: energy, reset by rr", -61.0, energy("small", reset, rr), "%"),
        ("small: flits once warm, reset", 0.0, find("small", reset).warm_flits as f64, "flits"),
        ("small: time, flip by reset", 0.0, cycles("small", flip, reset), "%"),
        ("small: time, steal by reset", 0.0, cycles("small", steal, reset), "%"),
        ("medium: time, flip by reset", -31.0, cycles("medium", flip, reset), "%"),
        ("medium: energy, flip by reset", -31.0, energy("medium", flip, reset), "%"),
        ("large: served by memory, reset", 100.0, 100.0 * served("large", reset).memory, "%"),
        ("large: served by memory, flip", 54.0, 100.0 * large.memory, "%"),
        ("large: served by the own L1, flip", 17.0, 100.0 * large.l1, "%"),
        ("large: served by the L2, flip", 29.0, 100.0 * large.l2, "%"),
        ("large: time, flip by reset", -23.0, cycles("large", flip, reset), "%"),
        ("large: energy, flip by reset", -20.0, energy("large", flip, reset), "%"),
        ("work-stealing: time, steal by rr", -26.0, cycles("work-stealing", steal, rr), "%"),
        ("work-stealing: energy, steal by flip", 0.0, energy("work-stealing", steal, flip), "%"),
    ];
    let statement = |(what, paper, here, unit): (&str, f64, f64, &'static str)| Statement {
        what: what.to_owned(),
        paper,
        here,
        unit,
    };
    list.into_iter().map(statement).collect()
}
