//! IKRA's applications, sections 6.2 to 6.4 and 7.2: time, energy, traffic and hits in the L1 under
//! the four schedulers, by round robin's (Figures 5 and 6), time by size of the caches (Figure 7,
//! `cache_sizes`), and time with GPU coherence (Figure 8).

use super::{cache_sizes, SCHEDULERS};
use crate::reproduce::benchmarks::{group, Benchmark, Group};
use crate::reproduce::effect::{mean, Effect, MEAN, RATIO};
use crate::reproduce::measured::Measured;
use crate::reproduce::runs::{Figures, Point};

/// The preset: Table 2.
pub const GPU: &str = "denovo15";

/// The key of the protocol.
pub const VARIES: &str = "coherence.protocol";

/// Section 7.2: L1s forget at each kernel, and keep no stores.
const GPU_COHERENCE: [&str; 2] = ["coherence.protocol=gpu", "l1.write=through"];

pub(super) const BASE: &str = SCHEDULERS[0];
const RESET: &str = SCHEDULERS[2];
pub(super) const FLIP: &str = SCHEDULERS[3];
const STEAL: &str = SCHEDULERS[4];

/// What is measured: its name, its unit, and its value from the run itself and that of round robin.
type Measure = (&'static str, &'static str, fn(&Measured, &Measured) -> Option<f64>);

const TIME: Measure = ("time", RATIO, |own, base| ratio(own.cycles as f64, base.cycles as f64));
const ENERGY: Measure = ("energy", RATIO, |own, base| ratio(own.energy_nj, base.energy_nj));
const FLITS: Measure = ("flits", RATIO, |own, base| ratio(own.flits as f64, base.flits as f64));
const HITS: Measure =
    ("l1_hit_rate", "percent", |own, _| own.l1_hit_rate.map(|share| 100.0 * share));

/// Where the paper shows a measure of a group.
struct Figure {
    group: Group,
    name: &'static str,
    measure: Measure,
    gpu_coherence: bool,
}

const fn figure(group: Group, name: &'static str, measure: Measure) -> Figure {
    Figure { group, name, measure, gpu_coherence: false }
}

/// Of time with GPU coherence.
const fn without_denovo(group: Group, name: &'static str) -> Figure {
    Figure { group, name, measure: TIME, gpu_coherence: true }
}

const FIGURES: [Figure; 13] = [
    figure(Group::Iterative, "Fig. 5a", TIME),
    figure(Group::Iterative, "Fig. 5b", ENERGY),
    figure(Group::Iterative, "Fig. 5c", FLITS),
    figure(Group::Iterative, "Fig. 5d", HITS),
    figure(Group::Irregular, "Fig. 6a", TIME),
    figure(Group::Irregular, "Fig. 6b", ENERGY),
    figure(Group::Irregular, "Fig. 6c", FLITS),
    figure(Group::Irregular, "Fig. 6d", HITS),
    figure(Group::Single, "Section 6.4", TIME),
    figure(Group::Single, "Section 6.4", ENERGY),
    figure(Group::Single, "Section 6.4", FLITS),
    without_denovo(Group::Iterative, "Fig. 8, regular"),
    without_denovo(Group::Irregular, "Fig. 8, irregular"),
];

/// What the text states: figure, measure, scheduler, application, value.
type Stated = (&'static str, &'static str, &'static str, &'static str, f64);

const STATED: &[Stated] = &[
    // Section 6.2.
    ("Fig. 5a", "time", STEAL, MEAN, 0.81),
    ("Fig. 5b", "energy", STEAL, MEAN, 0.89),
    ("Fig. 5b", "energy", FLIP, MEAN, 0.88),
    ("Fig. 5b", "energy", RESET, MEAN, 0.90),
    ("Fig. 5c", "flits", STEAL, MEAN, 0.58),
    // The most of all with it.
    ("Fig. 5a", "time", STEAL, "SD2", 0.57),
    ("Fig. 5d", "l1_hit_rate", FLIP, "HS", 91.0),
    ("Fig. 5d", "l1_hit_rate", FLIP, "NW", 30.0),
    ("Fig. 5d", "l1_hit_rate", FLIP, "ST", 56.0),
    ("Fig. 5d", "l1_hit_rate", BASE, "HS", 0.0),
    ("Fig. 5d", "l1_hit_rate", BASE, "NW", 0.0),
    ("Fig. 5d", "l1_hit_rate", BASE, "ST", 0.0),
    // Section 6.3.
    ("Fig. 6a", "time", STEAL, MEAN, 0.90),
    ("Fig. 6a", "time", FLIP, MEAN, 0.99),
    ("Fig. 6b", "energy", STEAL, MEAN, 0.92),
    ("Fig. 6c", "flits", STEAL, MEAN, 0.84),
    // Section 6.4: the most of all is BP's, and energy hardly changes.
    ("Section 6.4", "time", STEAL, MEAN, 0.95),
    ("Section 6.4", "time", STEAL, "BP", 0.84),
    ("Section 6.4", "energy", STEAL, MEAN, 1.0),
    // Section 7.2.
    ("Fig. 8, regular", "time", STEAL, MEAN, 0.87),
    ("Fig. 8, irregular", "time", STEAL, MEAN, 1.0),
];

/// The runs of the evaluation of `benchmarks`, each with `change`.
pub fn points(benchmarks: &[Benchmark], change: Option<&str>) -> Vec<Point> {
    let mut points = Vec::new();
    for (number, benchmark) in benchmarks.iter().enumerate() {
        for gpu_coherence in [false, true] {
            let shown = |figure: &Figure| {
                (figure.group, figure.gpu_coherence) == (group(benchmark), gpu_coherence)
            };
            if FIGURES.iter().any(shown) {
                let of = |policy| point(number, policy, gpu_coherence, change);
                points.extend(SCHEDULERS.map(of));
            }
        }
    }
    points.extend(cache_sizes::points(benchmarks, change));
    points
}

/// What the runs of [`points`] show: figure by figure, scheduler by scheduler, a row an application
/// and the mean. Figures of groups without a benchmark are left out.
pub fn effects(benchmarks: &[Benchmark], change: Option<&str>, figures: &Figures) -> Vec<Effect> {
    let mut effects = Vec::new();
    for Figure { group: shown, name, measure: (what, unit, ours), gpu_coherence } in &FIGURES {
        let numbers: Vec<usize> =
            (0..benchmarks.len()).filter(|&number| group(&benchmarks[number]) == *shown).collect();
        if numbers.is_empty() {
            continue;
        }
        // What is no ratio is shown of round robin, too.
        let first = usize::from(*unit == RATIO);
        for &policy in &SCHEDULERS[first..] {
            let effect = |benchmark: &str, ours| Effect {
                benchmark: benchmark.to_owned(),
                paper: stated(name, what, policy, benchmark),
                ours,
                base: (*unit == RATIO).then_some("rr"),
                set: change.map(str::to_owned),
                ..Effect::flat(name, what, short(policy), unit)
            };
            let found = |&number: &usize| {
                let run = |policy| figures.of(&point(number, policy, *gpu_coherence, change));
                ours(run(policy), run(BASE))
            };
            let found: Vec<_> = numbers.iter().map(found).collect();
            let each = numbers.iter().zip(&found);
            effects.extend(each.map(|(&number, &ours)| effect(&benchmarks[number].name, ours)));
            effects.push(effect(MEAN, mean(unit, found)));
        }
    }
    effects.extend(cache_sizes::effects(benchmarks, change, figures));
    effects
}

/// Round robin's name without its parameter, which none of its runs is without.
pub(super) fn short(policy: &'static str) -> &'static str {
    if policy == BASE {
        "rr"
    } else {
        policy
    }
}

fn stated(figure: &str, what: &str, policy: &str, benchmark: &str) -> Option<f64> {
    let is = |row: &&Stated| (row.0, row.1, row.2, row.3) == (figure, what, policy, benchmark);
    STATED.iter().find(is).map(|row| row.4)
}

/// A run on `change`.
pub(super) fn point(
    benchmark: usize,
    policy: &'static str,
    gpu_coherence: bool,
    change: Option<&str>,
) -> Point {
    let protocol: &[&str] = if gpu_coherence { &GPU_COHERENCE } else { &[] };
    Point::flat(benchmark, policy, protocol.iter().copied().chain(change))
}

/// `own` by `base`, if there is any.
pub(super) fn ratio(own: f64, base: f64) -> Option<f64> {
    (base > 0.0).then(|| own / base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::benchmarks::{self, Size};
    use blockyard_sim::gpu::config::GpuConfig;
    use blockyard_sim::sched::Composition;

    #[test]
    fn an_application_runs_under_five_schedulers_and_where_section_7_2_has_it_without_denovo() {
        let all = benchmarks::ikra(Size::Reduced);
        let points = points(&all, None);
        let of = |name: &str| {
            let number = all.iter().position(|benchmark| benchmark.name == name);
            points.iter().filter(|point| Some(point.benchmark) == number).count()
        };
        assert_eq!(["HS", "DJ1", "SG"].map(of), [10, 10, 5]);
        for Point { policy, change, .. } in &points {
            policy.parse::<Composition>().expect("a scheduler");
            let mut gpu = GpuConfig::preset(GPU).expect("a preset");
            for setting in change {
                let (key, value) = setting.split_once('=').expect("a setting");
                gpu.set(key, value).expect("a key of the GPU");
            }
            gpu.validate().expect("a protocol with its writes");
        }
    }

    #[test]
    fn everything_that_the_paper_states_stands_beside_a_figure() {
        let all = benchmarks::ikra(Size::Full);
        for &(figure, what, policy, benchmark, _) in STATED {
            let shown = |of: &&Figure| of.name == figure && of.measure.0 == what;
            let of = FIGURES.iter().find(shown).expect(figure);
            assert!(policy != BASE || of.measure.1 != RATIO, "{figure} {benchmark}");
            let group = all.iter().find(|known| known.name == benchmark).map(group);
            assert!(benchmark == MEAN || group == Some(of.group), "{figure} {benchmark}");
        }
        assert_eq!(stated("Fig. 5a", "time", SCHEDULERS[1], MEAN), None);
    }

    #[test]
    fn there_is_no_ratio_to_nothing() {
        assert_eq!(ratio(3.0, 4.0), Some(0.75));
        assert_eq!(ratio(3.0, 0.0), None);
    }
}
