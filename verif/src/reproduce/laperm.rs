//! LaPerm, sections III-A and V: hit rates of both caches and IPC of round robin and the three
//! schedulers, for device kernels and for aggregated groups.

use super::benchmarks::Benchmark;
use super::effect::{mean, Effect, MEAN};
use super::measured::{Measured, Shared};
use super::runs::{Figures, Launching, Point};

/// What is compared; the first one is the measure of the others.
pub const SCHEDULERS: [&str; 4] =
    ["rr", "laperm/tb-pri", "laperm/smx-bind", "laperm/adaptive-bind"];

/// The preset: Table I.
pub const GPU: &str = "laperm";

const MODES: [Launching; 2] = [Launching::Cdp, Launching::Dtbl];

/// The runs in which Figure 2 is looked at: what blocks touch does not depend on scheduler and
/// mode.
const SHARING: (&str, Launching) = (SCHEDULERS[0], Launching::Dtbl);

/// What Figure 2 and section III-A show, in percent, and its mean.
type Share = (&'static str, &'static str, fn(&Shared) -> Option<f64>, f64);

const SHARES: [Share; 3] = [
    ("Fig. 2", "shared_parent_child", |shared| shared.parent_child, 38.4),
    ("Fig. 2", "shared_child_sibling", |shared| shared.child_sibling, 30.5),
    ("Section III-A", "shared_parent_parents", |shared| shared.parent_parents, 9.3),
];

/// A figure of the paper that has a value for each benchmark, scheduler and launch mode.
struct Figure {
    figure: &'static str,
    what: &'static str,
    unit: &'static str,
    /// From the run itself and round robin's.
    ours: fn(&Measured, &Measured) -> Option<f64>,
    /// Means for [`SCHEDULERS`] but the first, by [`MODES`]. What is not stated in one piece is the
    /// sum of what is (section V-B: smx-bind's IPC from tb-pri's, adaptive-bind's L1 from
    /// smx-bind's).
    means: [[Option<f64>; 3]; 2],
}

const FIGURES: [Figure; 3] = [
    Figure {
        figure: "Fig. 7",
        what: "l2_hit_rate",
        unit: "points",
        ours: |own, rr| points_above(own.l2_hit_rate, rr.l2_hit_rate),
        means: [[Some(6.7), None, None], [Some(8.7), None, None]],
    },
    Figure {
        figure: "Fig. 8",
        what: "l1_hit_rate",
        unit: "points",
        ours: |own, rr| points_above(own.l1_hit_rate, rr.l1_hit_rate),
        means: [[Some(1.1), Some(6.6), Some(4.3)], [Some(2.1), Some(13.6), Some(10.5)]],
    },
    Figure {
        figure: "Fig. 9",
        what: "ipc",
        unit: "ratio",
        ours: |own, rr| (rr.ipc > 0.0).then(|| own.ipc / rr.ipc),
        means: [[Some(1.04), Some(0.95), Some(1.06)], [Some(1.13), Some(1.08), Some(1.27)]],
    },
];

/// What section V-B states of one benchmark: figure, scheduler, launch mode, benchmark, value.
const SINGLE: [(&str, &str, Launching, &str, f64); 2] = [
    ("Fig. 9", "laperm/adaptive-bind", Launching::Cdp, "sssp_cage15", 1.11),
    ("Fig. 9", "laperm/adaptive-bind", Launching::Dtbl, "sssp_cage15", 1.51),
];

/// The runs of the evaluation of `benchmarks`, each with `change`.
pub fn points(benchmarks: &[Benchmark], change: Option<&str>) -> Vec<Point> {
    let of_benchmark = |benchmark| {
        MODES.into_iter().flat_map(move |launching| {
            SCHEDULERS.map(|policy| point(benchmark, policy, launching, change))
        })
    };
    (0..benchmarks.len()).flat_map(of_benchmark).collect()
}

/// What the runs of [`points`] show: figure by figure, mode by mode, scheduler by scheduler, a row
/// a benchmark and the mean.
pub fn effects(benchmarks: &[Benchmark], change: Option<&str>, figures: &Figures) -> Vec<Effect> {
    let mut effects = shares(benchmarks, change, figures);
    for figure in &FIGURES {
        for (mode, launching) in MODES.into_iter().enumerate() {
            for (place, policy) in SCHEDULERS.into_iter().enumerate().skip(1) {
                let effect = |benchmark: &str, paper, ours| Effect {
                    figure: figure.figure,
                    what: figure.what,
                    policy,
                    launch: launching.name(),
                    benchmark: benchmark.to_owned(),
                    paper,
                    ours,
                    unit: figure.unit,
                    base: Some(SCHEDULERS[0]),
                    set: change.map(str::to_owned),
                };
                let ours = |benchmark| {
                    let run = |policy| figures.of(&point(benchmark, policy, launching, change));
                    (figure.ours)(run(policy), run(SCHEDULERS[0]))
                };
                let ours: Vec<_> = (0..benchmarks.len()).map(ours).collect();
                for (Benchmark { name, .. }, &ours) in benchmarks.iter().zip(&ours) {
                    let is = |row: &&(&str, &str, Launching, &str, f64)| {
                        (row.0, row.1, row.2, row.3)
                            == (figure.figure, policy, launching, name.as_str())
                    };
                    let stated = SINGLE.iter().find(is).map(|row| row.4);
                    effects.push(effect(name, stated, ours));
                }
                effects.push(effect(MEAN, figure.means[mode][place - 1], mean(figure.unit, ours)));
            }
        }
    }
    effects
}

fn shares(benchmarks: &[Benchmark], change: Option<&str>, figures: &Figures) -> Vec<Effect> {
    let (policy, launching) = SHARING;
    let of_share = |(figure, what, ours, stated): Share| {
        let effect = move |benchmark: &str, paper, ours| Effect {
            figure,
            what,
            policy,
            launch: launching.name(),
            benchmark: benchmark.to_owned(),
            paper,
            ours,
            unit: "percent",
            base: None,
            set: change.map(str::to_owned),
        };
        let ours = move |benchmark| {
            let run = figures.of(&point(benchmark, policy, launching, change));
            Some(100.0 * ours(run.shared.as_ref()?)?)
        };
        let ours: Vec<_> = (0..benchmarks.len()).map(ours).collect();
        let mean = effect(MEAN, Some(stated), mean("percent", ours.iter().copied()));
        let each = benchmarks.iter().zip(ours);
        let each = each.map(move |(benchmark, ours)| effect(&benchmark.name, None, ours));
        each.chain([mean]).collect::<Vec<_>>()
    };
    SHARES.into_iter().flat_map(of_share).collect()
}

fn point(
    benchmark: usize,
    policy: &'static str,
    launching: Launching,
    change: Option<&str>,
) -> Point {
    let footprint = (policy, launching) == SHARING;
    let change = change.map(str::to_owned).into_iter().collect();
    Point { benchmark, policy, launching, change, footprint, intervals: None }
}

/// Percent of which `own` is above `base`.
fn points_above(own: Option<f64>, base: Option<f64>) -> Option<f64> {
    Some(100.0 * (own? - base?))
}
