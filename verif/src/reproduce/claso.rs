//! CLASO: load imbalance without credits (section 2.2, `imbalance`); speed-up, idle cycles and
//! scoreboard conflicts of credits over three warp schedulers and over DYNCTA, and both levels over
//! LRR (section 4).

mod imbalance;

use super::benchmarks::Benchmark;
use super::by_time::INTERVAL;
use super::effect::{mean, Effect, MEAN, RATIO};
use super::measured::Measured;
use super::runs::{Figures, Launching, Point};

/// The preset: Table 1.
pub const GPU: &str = "c2050";

/// The key of the warp schedulers.
pub const VARIES: &str = "warp.policy";

const LRR: &str = "warp.policy=lrr";

/// The levels that section 4.2 chooses, p_A = 1 and 2 without loose ones: CLASO10 and CLASO20.
const CHOSEN: [&str; 2] = ["rr+claso(pa=1,pl=0)", "rr+claso(pa=2,pl=0)"];

/// DYNCTA as section 4.3 has it, which pauses blocks, with the gates behind it: it is asked first
/// (`docs/dyncta.md`).
macro_rules! over_dyncta {
    ($gates:literal) => {
        concat!("rr+dyncta(pause=1)", $gates)
    };
}

/// The same levels over DYNCTA.
const OVER_DYNCTA: [&str; 2] =
    [over_dyncta!("+claso(pa=1,pl=0)"), over_dyncta!("+claso(pa=2,pl=0)")];

/// Those of Figures 16 and 17. Section 4.4 names 10, 20 and, as the loosest, 42; the others are
/// what lies between, so that each level is seen alone.
const LEVELS: [&str; 6] = [
    CHOSEN[0],
    CHOSEN[1],
    "rr+claso(pa=4,pl=0)",
    "rr+claso(pa=1,pl=2)",
    "rr+claso(pa=2,pl=2)",
    "rr+claso(pa=4,pl=2)",
];

/// Credits over one scheduler: what is measured by `base`.
struct Comparison {
    /// Of [`MEASURES`].
    figures: [&'static str; 3],
    warps: &'static str,
    base: &'static str,
    policies: &'static [&'static str],
}

/// In the paper's order.
const COMPARISONS: [Comparison; 5] = [
    Comparison {
        figures: ["Fig. 11", "Fig. 12a", "Fig. 12b"],
        warps: LRR,
        base: "rr",
        policies: &CHOSEN,
    },
    Comparison {
        figures: ["Fig. 13a", "Fig. 14a", "Fig. 15a"],
        warps: "warp.policy=two-level",
        base: "rr",
        policies: &CHOSEN,
    },
    Comparison {
        figures: ["Fig. 13b", "Fig. 14b", "Fig. 15b"],
        warps: "warp.policy=owl",
        base: "rr",
        policies: &CHOSEN,
    },
    Comparison {
        figures: ["Fig. 13c", "Fig. 14c", "Fig. 15c"],
        warps: LRR,
        base: over_dyncta!(""),
        policies: &OVER_DYNCTA,
    },
    Comparison {
        figures: ["Fig. 16", "Fig. 17a", "Fig. 17b"],
        warps: LRR,
        base: "rr",
        policies: &LEVELS,
    },
];

/// What is measured: its name, its unit, and its value from the run itself and that of the base.
type Measure = (&'static str, &'static str, fn(&Measured, &Measured) -> Option<f64>);

const MEASURES: [Measure; 3] = [
    ("speedup", RATIO, |own, base| (base.ipc > 0.0).then(|| own.ipc / base.ipc)),
    ("idle_cycles", "percent", |own, base| change(own.idle_cycles, base.idle_cycles)),
    ("scoreboard_conflicts", "percent", |own, base| {
        change(own.scoreboard_conflicts, base.scoreboard_conflicts)
    }),
];

/// What the paper states: figure, scheduler, benchmark, value. It does not say of which levels most
/// of its values are: those stand beside both of [`CHOSEN`], without a scheduler.
type Stated = (&'static str, Option<&'static str>, &'static str, f64);

const STATED: &[Stated] = &[
    // Section 4.2.
    ("Fig. 11", None, MEAN, 1.084),
    ("Fig. 11", None, "CP", 1.266),
    ("Fig. 11", None, "SP", 1.261),
    ("Fig. 11", None, "BS", 1.125),
    ("Fig. 11", None, "MC", 1.051),
    ("Fig. 11", None, "AES", 1.011),
    ("Fig. 11", None, "SLA", 1.010),
    ("Fig. 12a", None, MEAN, -52.4),
    ("Fig. 12a", None, "CP", -92.5),
    ("Fig. 12a", Some(CHOSEN[0]), "SP", -80.0),
    ("Fig. 12b", Some(CHOSEN[0]), "SP", 23.0),
    // Section 4.3: no speed-up of SP over OWL and DYNCTA.
    ("Fig. 13a", None, MEAN, 1.074),
    ("Fig. 13a", None, "BS", 1.183),
    ("Fig. 13a", None, "MC", 1.180),
    ("Fig. 13b", None, MEAN, 1.044),
    ("Fig. 13b", None, "SP", 1.0),
    ("Fig. 13c", None, MEAN, 1.035),
    ("Fig. 13c", None, "SP", 1.0),
    ("Fig. 13c", Some(OVER_DYNCTA[0]), "BFS", 1.025),
    ("Fig. 13c", Some(OVER_DYNCTA[1]), "BFS", 1.037),
    // Section 4.4: as without credits.
    ("Fig. 16", Some(LEVELS[5]), "AES", 1.0),
    ("Fig. 16", Some(LEVELS[5]), "LIB", 1.0),
    ("Fig. 16", Some(LEVELS[5]), "MC", 1.0),
    ("Fig. 16", Some(LEVELS[5]), "SLA", 1.0),
    ("Fig. 16", Some(LEVELS[5]), "ST", 1.0),
];

/// The runs of the evaluation of `benchmarks`, each with `change`; some of them stand in it twice.
pub fn points(benchmarks: &[Benchmark], change: Option<&str>) -> Vec<Point> {
    let of_benchmark = |benchmark| {
        COMPARISONS.iter().flat_map(move |comparison| {
            let policies = [comparison.base].into_iter().chain(comparison.policies.iter().copied());
            policies.map(move |policy| point(benchmark, policy, comparison.warps, change))
        })
    };
    let credits = (0..benchmarks.len()).flat_map(of_benchmark);
    imbalance::points(benchmarks, change).into_iter().chain(credits).collect()
}

/// What the runs of [`points`] show: figure by figure, scheduler by scheduler, a row a benchmark
/// and the mean.
pub fn effects(benchmarks: &[Benchmark], change: Option<&str>, figures: &Figures) -> Vec<Effect> {
    let mut effects = imbalance::effects(benchmarks, change, figures);
    for Comparison { figures: names, warps, base, policies } in &COMPARISONS {
        for (figure, (what, unit, ours)) in names.iter().zip(MEASURES) {
            for &policy in *policies {
                let effect = |benchmark: &str, ours| Effect {
                    figure,
                    what,
                    policy,
                    launch: Launching::Flat.name(),
                    benchmark: benchmark.to_owned(),
                    paper: stated(figure, policy, benchmark),
                    ours,
                    unit,
                    base: Some(base),
                    set: Some(settings(warps, change).join(", ")),
                };
                let found = |benchmark| {
                    let run = |policy| figures.of(&point(benchmark, policy, warps, change));
                    ours(run(policy), run(base))
                };
                let found: Vec<_> = (0..benchmarks.len()).map(found).collect();
                let each = benchmarks.iter().zip(&found);
                effects.extend(each.map(|(Benchmark { name, .. }, &ours)| effect(name, ours)));
                effects.push(effect(MEAN, mean(unit, found)));
            }
        }
    }
    effects
}

fn stated(figure: &str, policy: &str, benchmark: &str) -> Option<f64> {
    let is = |row: &&Stated| {
        row.0 == figure && row.1.is_none_or(|stated| stated == policy) && row.2 == benchmark
    };
    STATED.iter().find(is).map(|row| row.3)
}

fn point(benchmark: usize, policy: &'static str, warps: &str, change: Option<&str>) -> Point {
    let change = settings(warps, change);
    // What the plain run shows over time costs no run of its own.
    let plain = policy == "rr" && warps == LRR;
    let intervals = plain.then_some(INTERVAL);
    Point { benchmark, policy, launching: Launching::Flat, change, footprint: false, intervals }
}

fn settings(warps: &str, change: Option<&str>) -> Vec<String> {
    [warps].into_iter().chain(change).map(str::to_owned).collect()
}

/// Percent by which `own` is above `base`.
fn change(own: u64, base: u64) -> Option<f64> {
    (base > 0).then(|| 100.0 * (own as f64 / base as f64 - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::benchmarks::{self, Size};
    use blockyard_sim::gpu::config::GpuConfig;
    use blockyard_sim::sched::Composition;

    #[test]
    fn a_benchmark_has_sixteen_runs_of_which_each_can_be_made() {
        // The scan: it has no sizes of Figure 2.
        let scan: Vec<_> =
            benchmarks::claso(Size::Reduced).into_iter().filter(|b| b.name == "SLA").collect();
        let mut points = points(&scan, None);
        for Point { policy, change, .. } in &points {
            policy.parse::<Composition>().expect("a scheduler");
            let (key, value) = change[0].split_once('=').expect("a setting");
            assert_eq!((key, change.len()), (VARIES, 1));
            GpuConfig::preset(GPU).expect("a preset").set(key, value).expect("a warp scheduler");
        }
        points.sort_by_key(|point| (point.policy, point.change.clone()));
        points.dedup();
        // Four schedulers without credits and with two levels, and four more levels over LRR.
        assert_eq!(points.len(), 4 * 3 + 4);
    }

    #[test]
    fn everything_that_the_paper_states_stands_beside_a_figure() {
        for (figure, policy, benchmark, _) in STATED {
            let of = COMPARISONS.iter().find(|comparison| comparison.figures.contains(figure));
            let policies = of.expect("a figure").policies;
            assert!(policy.is_none_or(|policy| policies.contains(&policy)), "{figure} {benchmark}");
        }
    }

    #[test]
    fn what_the_paper_states_of_one_setting_is_not_beside_another() {
        let sp = CHOSEN.map(|policy| stated("Fig. 12b", policy, "SP"));
        assert_eq!(sp, [Some(23.0), None]);
        let mean = CHOSEN.map(|policy| stated("Fig. 11", policy, MEAN));
        assert_eq!(mean, [Some(1.084); 2]);
        assert_eq!(stated("Fig. 14a", CHOSEN[0], MEAN), None);
    }

    #[test]
    fn a_change_is_relative_to_what_was_there_and_there_is_none_of_nothing() {
        assert_eq!(change(50, 200), Some(-75.0));
        assert_eq!(change(0, 200), Some(-100.0));
        assert_eq!(change(200, 200), Some(0.0));
        assert_eq!(change(5, 0), None);
    }
}
