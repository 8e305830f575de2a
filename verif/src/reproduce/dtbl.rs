//! DTBL, sections 3.1, 4.2 and 5.2: device kernels and aggregated groups against the flat programs,
//! with and without the latencies of launching, and the size of the Aggregated Group Table.

use super::benchmarks::Benchmark;
use super::effect::{mean, Effect, MEAN};
use super::measured::Measured;
use super::runs::{Figures, Launching, Point};
use Launching::{Cdp, CdpIdeal, Dtbl, DtblIdeal, Flat};

/// The preset: Table 2.
pub const GPU: &str = "k20c";

/// The scheduler of all runs.
const POLICY: &str = "rr";

const MODES: [Launching; 5] = [Flat, Cdp, Dtbl, CdpIdeal, DtblIdeal];

/// Sizes of the table in Figure 12 beside that of the other figures.
const TABLES: [&str; 2] = ["launch.table=512", "launch.table=2048"];

/// A figure of the paper for one launch mode.
struct Figure {
    figure: &'static str,
    what: &'static str,
    unit: &'static str,
    launching: Launching,
    /// What it is relative to.
    base: Option<Launching>,
    /// What the run sets beside.
    set: Option<&'static str>,
    /// From the run itself and that of the base.
    ours: fn(&Measured, &Measured) -> Option<f64>,
    /// The mean that the paper states.
    mean: Option<f64>,
    /// What it states of single benchmarks.
    single: &'static [(&'static str, f64)],
}

const fn figure(
    figure: &'static str,
    what: &'static str,
    unit: &'static str,
    (launching, base): (Launching, Option<Launching>),
    ours: fn(&Measured, &Measured) -> Option<f64>,
    mean: Option<f64>,
    single: &'static [(&'static str, f64)],
) -> Figure {
    Figure { figure, what, unit, launching, base, set: None, ours, mean, single }
}

/// In the paper's order.
const FIGURES: &[Figure] = &[
    figure(
        "Section 3.1",
        "threads_per_launch",
        "threads",
        (Dtbl, None),
        threads,
        Some(40.0),
        THREADS,
    ),
    figure("Section 4.2", "match_rate", "percent", (Dtbl, None), match_rate, Some(98.0), &[]),
    figure("Fig. 6", "warp_activity", "points", (Cdp, Some(Flat)), activity, Some(10.7), ACTIVITY),
    figure("Fig. 6", "warp_activity", "points", (Dtbl, Some(Flat)), activity, Some(10.7), ACTIVITY),
    figure("Fig. 7", "dram_efficiency", "ratio", (Cdp, Some(Flat)), efficiency, Some(1.14), &[]),
    figure("Fig. 7", "dram_efficiency", "ratio", (Dtbl, Some(Flat)), efficiency, Some(1.27), &[]),
    figure("Fig. 7", "dram_efficiency", "ratio", (Dtbl, Some(Cdp)), efficiency, Some(1.08), &[]),
    figure(
        "Fig. 8",
        "smx_occupancy",
        "ratio",
        (DtblIdeal, Some(CdpIdeal)),
        occupancy,
        Some(1.24),
        IDEAL_OCCUPANCY,
    ),
    figure(
        "Fig. 8",
        "smx_occupancy",
        "ratio",
        (Dtbl, Some(Cdp)),
        occupancy,
        None,
        &[("regx_string", 1.48)],
    ),
    figure(
        "Fig. 8",
        "smx_occupancy",
        "points",
        (Cdp, Some(CdpIdeal)),
        more_warps,
        Some(-10.7),
        &[],
    ),
    figure(
        "Fig. 8",
        "smx_occupancy",
        "points",
        (Dtbl, Some(DtblIdeal)),
        more_warps,
        Some(-5.2),
        &[],
    ),
    figure(
        "Fig. 9",
        "waiting_time",
        "percent",
        (DtblIdeal, Some(CdpIdeal)),
        waiting,
        Some(-18.8),
        &[],
    ),
    figure(
        "Fig. 9",
        "waiting_time",
        "percent",
        (Dtbl, Some(Cdp)),
        waiting,
        Some(-24.1),
        &[("regx_string", -41.8)],
    ),
    figure(
        "Fig. 10",
        "memory_footprint",
        "percent",
        (Dtbl, Some(Cdp)),
        footprint,
        Some(-25.6),
        FOOTPRINT,
    ),
    figure(
        "Fig. 11",
        "speedup",
        "ratio",
        (CdpIdeal, Some(Flat)),
        speedup,
        Some(1.43),
        &[("regx_string", 2.73)],
    ),
    figure(
        "Fig. 11",
        "speedup",
        "ratio",
        (DtblIdeal, Some(Flat)),
        speedup,
        Some(1.63),
        &[("regx_string", 3.10)],
    ),
    // "1.16x slow down".
    figure("Fig. 11", "speedup", "ratio", (Cdp, Some(Flat)), speedup, Some(1.0 / 1.16), &[]),
    figure("Fig. 11", "speedup", "ratio", (Dtbl, Some(Flat)), speedup, Some(1.21), SPEEDUP),
    figure("Fig. 11", "speedup", "ratio", (Dtbl, Some(Cdp)), speedup, Some(1.40), &[]),
    // "1.31x slow down".
    Figure {
        set: Some(TABLES[0]),
        ..figure("Fig. 12", "speedup", "ratio", (Dtbl, Some(Dtbl)), speedup, Some(1.0 / 1.31), &[])
    },
    Figure {
        set: Some(TABLES[1]),
        ..figure("Fig. 12", "speedup", "ratio", (Dtbl, Some(Dtbl)), speedup, Some(1.20), &[])
    },
];

const THREADS: &[(&str, f64)] = &[("bht", 33.4), ("pre", 1527.9)];
const ACTIVITY: &[(&str, f64)] = &[("amr", 45.3), ("join_gaussian", 21.3), ("clr_cage15", -5.9)];
const IDEAL_OCCUPANCY: &[(&str, f64)] = &[("bht", 1.38), ("pre", 1.01), ("regx_string", 1.14)];
const FOOTPRINT: &[(&str, f64)] = &[("regx_string", -51.2), ("clr_graph500", 0.0)];
const SPEEDUP: &[(&str, f64)] = &[("clr_graph500", 0.97), ("regx_string", 0.95)];

fn threads(own: &Measured, _: &Measured) -> Option<f64> {
    own.threads_per_launch
}

fn match_rate(own: &Measured, _: &Measured) -> Option<f64> {
    own.match_rate.map(|rate| 100.0 * rate)
}

fn activity(own: &Measured, base: &Measured) -> Option<f64> {
    Some(100.0 * (own.warp_activity? - base.warp_activity?))
}

fn efficiency(own: &Measured, base: &Measured) -> Option<f64> {
    Some(own.dram_efficiency? / base.dram_efficiency?)
}

fn occupancy(own: &Measured, base: &Measured) -> Option<f64> {
    Some(own.occupancy? / base.occupancy?)
}

fn more_warps(own: &Measured, base: &Measured) -> Option<f64> {
    Some(100.0 * (own.occupancy? - base.occupancy?))
}

fn waiting(own: &Measured, base: &Measured) -> Option<f64> {
    Some(100.0 * (own.waiting? / base.waiting? - 1.0))
}

fn footprint(own: &Measured, base: &Measured) -> Option<f64> {
    let ratio = own.pending_byte_cycles / base.pending_byte_cycles;
    ratio.is_finite().then_some(100.0 * (ratio - 1.0))
}

fn speedup(own: &Measured, base: &Measured) -> Option<f64> {
    Some(base.cycles as f64 / own.cycles as f64)
}

/// The runs of the evaluation of `benchmarks`, each with `change`.
pub fn points(benchmarks: &[Benchmark], change: Option<&str>) -> Vec<Point> {
    let of_benchmark = |benchmark| {
        let modes = MODES.into_iter().map(move |launching| point(benchmark, launching, change));
        // Of a sweep, the figures without the tables' sizes.
        let tables = TABLES.into_iter().filter(move |_| change.is_none());
        modes.chain(tables.map(move |table| point(benchmark, Dtbl, Some(table))))
    };
    (0..benchmarks.len()).flat_map(of_benchmark).collect()
}

/// What the runs of [`points`] show: figure by figure, a row a benchmark and the mean.
pub fn effects(benchmarks: &[Benchmark], change: Option<&str>, figures: &Figures) -> Vec<Effect> {
    let mut effects = Vec::new();
    for row in FIGURES.iter().filter(|row| row.set.is_none() || change.is_none()) {
        let set = row.set.or(change);
        let effect = |benchmark: &str, paper, ours| Effect {
            figure: row.figure,
            what: row.what,
            policy: POLICY,
            launch: row.launching.name(),
            benchmark: benchmark.to_owned(),
            paper,
            ours,
            unit: row.unit,
            base: row.base.map(Launching::name),
            set: set.map(str::to_owned),
        };
        let ours = |benchmark| {
            let own = figures.of(&point(benchmark, row.launching, set));
            let base = row.base.unwrap_or(row.launching);
            (row.ours)(own, figures.of(&point(benchmark, base, change)))
        };
        let ours: Vec<_> = (0..benchmarks.len()).map(ours).collect();
        for (Benchmark { name, .. }, &ours) in benchmarks.iter().zip(&ours) {
            let stated = row.single.iter().find(|(of, _)| of == name).map(|(_, value)| *value);
            effects.push(effect(name, stated, ours));
        }
        effects.push(effect(MEAN, row.mean, mean(row.unit, ours)));
    }
    effects
}

fn point(benchmark: usize, launching: Launching, change: Option<&str>) -> Point {
    let change = change.map(str::to_owned).into_iter().collect();
    Point { benchmark, policy: POLICY, launching, change, footprint: false, intervals: None }
}
