//! SRTF, sections 2, 3.4 and 6, on code: pairs of the kernels of Table 2 under each policy, and
//! each kernel alone, also with fewer blocks on an SMX.

use super::super::benchmarks::Benchmark;
use super::super::effect::{mean, Effect, MEAN, RATIO};
use super::super::measured::Measured;
use super::super::programs::ProgramTimes;
use super::super::runs::{Figures, Point};
use super::stated::{at_offset, stated, stated_of, PaperRow};
use super::TIMES;
use blockyard_sim::stats::Multiprogram;

/// The preset: Table 4.
pub const GPU: &str = "gtx480";

/// What `--only` calls the same by stated durations.
pub const DURATIONS: &str = "durations";

/// The policies that run, in the order of Table 5.
pub const POLICIES: [&str; 5] = ["fifo", "mpmax", "srtf", "srtf/adaptive", SJF];

/// The oracle: it is told the run times alone, and has no hardware.
pub const SJF: &str = "sjf";

/// What needs no run: the shorter kernel alone, then the longer one, and the other way round.
const CLOSED_FORMS: [(&str, bool); 2] = [("sjf/closed-form", true), ("ljf/closed-form", false)];

const ALONE: &str = POLICIES[0];
const BESIDE: &str = POLICIES[1];

/// The limits of blocks on an SMX in Figures 7 and 8; the last run has none.
const RESIDENCIES: [&str; 3] =
    ["smx.thread_block_slots=1", "smx.thread_block_slots=2", "smx.thread_block_slots=4"];

/// Between the names of a pair, in order of arrival.
const AND: char = '+';

/// All ordered pairs of `benchmarks`, for the names of their runs.
pub fn pairs(benchmarks: &[Benchmark]) -> Vec<Benchmark> {
    let of = |first: &Benchmark, second: &Benchmark| Benchmark {
        name: format!("{}{AND}{}", first.name, second.name),
        workload: format!("{}{AND}{}", first.workload, second.workload),
        settings: Vec::new(),
    };
    let pairs = benchmarks.iter().flat_map(|first| {
        let others = benchmarks.iter().filter(|second| second.name != first.name);
        others.map(move |second| of(first, second))
    });
    pairs.collect()
}

/// The members of `name`, a benchmark or a pair, among `benchmarks`.
pub fn members<'a>(name: &str, benchmarks: &'a [Benchmark]) -> Vec<&'a Benchmark> {
    let of = |part| benchmarks.iter().find(|benchmark| benchmark.name == part);
    name.split(AND).filter_map(of).collect()
}

/// Runs of each of `benchmarks` alone, with `change`: without a limit and with each of
/// `RESIDENCIES`.
pub fn alone(benchmarks: &[Benchmark], change: Option<&str>) -> Vec<Point> {
    let limits = || [None].into_iter().chain(RESIDENCIES.map(Some));
    let of = |number| limits().map(move |limit| at(number, ALONE, limit, change));
    (0..benchmarks.len()).flat_map(of).collect()
}

/// Runs of `pairs` under each policy, the oracle if `oracle` says so. Policy by policy: what was
/// cut off goes on where it was.
pub fn together(pairs: &[Benchmark], change: Option<&str>, oracle: bool) -> Vec<Point> {
    let policies = POLICIES.into_iter().filter(|policy| oracle || *policy != SJF);
    let of = |policy| (0..pairs.len()).map(move |number| at(number, policy, None, change));
    policies.flat_map(of).collect()
}

fn at(benchmark: usize, policy: &'static str, limit: Option<&str>, change: Option<&str>) -> Point {
    Point::flat(benchmark, policy, limit.into_iter().chain(change))
}

/// Whether `benchmark` has blocks.
pub fn has_blocks(figures: &Figures, benchmark: usize, change: Option<&str>) -> bool {
    !figures.of(&at(benchmark, ALONE, None, change)).programs.is_empty()
}

/// Cycles of `benchmark` alone.
///
/// # Panics
/// When it has no blocks.
pub fn time_alone(figures: &Figures, benchmark: usize, change: Option<&str>) -> u64 {
    figures.of(&at(benchmark, ALONE, None, change)).programs[0].turnaround
}

/// What was run.
pub struct Ran<'a> {
    /// The benchmarks.
    pub benchmarks: &'a [Benchmark],
    /// Their pairs.
    pub pairs: &'a [Benchmark],
    /// What a sweep sets.
    pub change: Option<&'a str>,
    /// Percent of the first kernel's run time after which the second one arrives.
    pub offset: u32,
    /// Whether the oracle ran.
    pub oracle: bool,
    /// Of [`alone`].
    pub alone: &'a Figures,
    /// Of [`together`].
    pub together: &'a Figures,
}

/// A figure of a pair: its name, ours, and the paper's.
type Metric = (&'static str, fn(&Multiprogram) -> f64, fn(&PaperRow) -> Option<f64>);

const METRICS: [Metric; 3] = [
    ("STP", |ours| ours.stp, |paper| paper.stp),
    ("ANTT", |ours| ours.antt, |paper| paper.antt),
    ("fairness", |ours| ours.fairness, |paper| paper.fairness),
];

/// What a kernel alone shows in a run without limit: figure, name, unit, value.
type OfKernel = (&'static str, &'static str, &'static str, fn(&ProgramTimes) -> f64);

const OF_KERNEL: [OfKernel; 6] = [
    ("Table 3", "run time alone", "cycles", |own| own.turnaround as f64),
    ("Table 3", "block time", "cycles", |own| own.block),
    ("Table 3", "deviation of block times", "percent", |own| own.deviation),
    ("Fig. 6", "blocks within 0.95 to 1.1 of the mean", "percent", |own| own.near_mean),
    ("Fig. 6", "blocks within 0.75 to 1 of the mean", "percent", |own| own.below_mean),
    ("Section 3.4.1", "first blocks of SMXs by the mean", RATIO, |own| own.first_block / own.block),
];

impl Ran<'_> {
    /// All of it, figure by figure.
    pub fn effects(&self) -> Vec<Effect> {
        let mut effects = self.table_5();
        effects.extend(self.by_order());
        effects.extend(self.section_2());
        effects.extend(self.behind());
        effects.extend(self.beside());
        effects.extend(self.of_kernels());
        effects.extend(self.residencies());
        let set = self.change.map(str::to_owned);
        effects
            .into_iter()
            .map(|effect| Effect { set: joined(&effect.set, &set), ..effect })
            .collect()
    }

    fn time(&self, name: &str) -> f64 {
        let number = self.benchmarks.iter().position(|benchmark| benchmark.name == name);
        time_alone(self.alone, number.expect("one of a pair"), self.change) as f64
    }

    fn times_alone(&self, pair: usize) -> Vec<f64> {
        self.pairs[pair].name.split(AND).map(|name| self.time(name)).collect()
    }

    fn of_pair(&self, pair: usize, policy: &'static str) -> &Measured {
        self.together.of(&at(pair, policy, None, self.change))
    }

    fn slowdowns(&self, pair: usize, policy: &'static str) -> Vec<f64> {
        if let Some((_, ascending)) = CLOSED_FORMS.iter().find(|(name, _)| *name == policy) {
            return one_after_the_other(&self.times_alone(pair), *ascending);
        }
        let programs = &self.of_pair(pair, policy).programs;
        let alone = self.times_alone(pair);
        programs.iter().zip(alone).map(|(own, alone)| own.turnaround as f64 / alone).collect()
    }

    fn metrics(&self, pair: usize, policy: &'static str) -> Option<Multiprogram> {
        Multiprogram::of(&self.slowdowns(pair, policy))
    }

    /// The geometric mean over the pairs that are `of` it.
    fn mean(&self, policy: &'static str, of: impl Fn(usize) -> bool) -> Option<Multiprogram> {
        let pairs = (0..self.pairs.len()).filter(|&pair| of(pair));
        Multiprogram::geometric_mean(
            &pairs.filter_map(|p| self.metrics(p, policy)).collect::<Vec<_>>(),
        )
    }

    fn policies(&self) -> impl Iterator<Item = &'static str> {
        let oracle = self.oracle;
        let closed = (self.offset == 0).then_some(CLOSED_FORMS[0].0);
        POLICIES.into_iter().filter(move |policy| oracle || *policy != SJF).chain(closed)
    }

    /// Tables 5 and 6: every pair, and their mean.
    fn table_5(&self) -> Vec<Effect> {
        let figure = at_offset(self.offset);
        let mut effects = Vec::new();
        for (what, ours, paper) in METRICS {
            for policy in self.policies() {
                let effect = |benchmark: &str, paper, metrics: Option<Multiprogram>| Effect {
                    benchmark: benchmark.to_owned(),
                    paper,
                    ours: metrics.as_ref().map(ours),
                    ..Effect::flat(figure, what, policy, TIMES)
                };
                effects.extend((0..self.pairs.len()).map(|pair| {
                    let name = &self.pairs[pair].name;
                    let paper = stated_of(self.offset, what, policy, name);
                    effect(name, paper, self.metrics(pair, policy))
                }));
                let row = stated(self.offset, policy);
                effects.push(effect(MEAN, paper(&row), self.mean(policy, |_| true)));
            }
        }
        effects
    }

    /// FIFO by who arrives first: its row of Table 5 hangs on that.
    fn by_order(&self) -> Vec<Effect> {
        let shorter_first = |pair: usize| self.times_alone(pair).is_sorted();
        let mut effects = Vec::new();
        for (what, ours, _) in METRICS {
            for (benchmark, wanted) in [("shorter first", true), ("longer first", false)] {
                let metrics = self.mean(ALONE, |pair| shorter_first(pair) == wanted);
                effects.push(Effect {
                    benchmark: benchmark.to_owned(),
                    ours: metrics.as_ref().map(ours),
                    ..Effect::flat("Order of arrival", what, ALONE, TIMES)
                });
            }
        }
        effects
    }

    /// STP of the pairs in alphabetical order.
    fn section_2(&self) -> Vec<Effect> {
        let alphabetical = |pair: usize| self.pairs[pair].name.split(AND).is_sorted();
        let policies = [(CLOSED_FORMS[0].0, 1.82), (ALONE, 1.58), (CLOSED_FORMS[1].0, 1.16)];
        let nearly_together = self.offset == 0;
        let of = |(policy, paper)| Effect {
            paper: Some(paper),
            ours: self.mean(policy, alphabetical).map(|metrics| metrics.stp),
            ..Effect::flat("Section 2", "STP", policy, TIMES)
        };
        policies.into_iter().filter(|_| nearly_together).map(of).collect()
    }

    /// Section 6.2.2: how a short kernel fares behind a long one.
    fn behind(&self) -> Vec<Effect> {
        let name = "RayTracing+JPEG-d";
        let pair = self.pairs.iter().position(|pair| pair.name == name);
        let pair = pair.filter(|_| self.offset == 0);
        let what = "slowdown of the second";
        let of = |(pair, policy)| Effect {
            benchmark: name.to_owned(),
            paper: stated_of(0, what, policy, name),
            ours: self.slowdowns(pair, policy).get(1).copied(),
            ..Effect::flat("Section 6.2.2", what, policy, TIMES)
        };
        pair.into_iter().flat_map(|pair| self.policies().map(move |p| (pair, p))).map(of).collect()
    }

    /// Section 3.4.4: how long blocks of both take under MPMax while both run, by those alone.
    fn beside(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (place, what) in
            ["block time of the first", "block time of the second"].into_iter().enumerate()
        {
            let found = |pair: usize| {
                let names: Vec<&str> = self.pairs[pair].name.split(AND).collect();
                let own = members(names[place], self.benchmarks)[0];
                let number = self.benchmarks.iter().position(|known| known.name == own.name)?;
                let alone = &self.alone.of(&at(number, ALONE, None, self.change)).programs[0];
                let beside = self.of_pair(pair, BESIDE).programs[place].beside?;
                Some(beside / alone.block)
            };
            let effect = |benchmark: &str, ours| Effect {
                benchmark: benchmark.to_owned(),
                paper: stated_of(0, what, BESIDE, benchmark),
                ours,
                base: Some("alone"),
                ..Effect::flat("Section 3.4.4", what, BESIDE, RATIO)
            };
            let found: Vec<_> = (0..self.pairs.len()).map(found).collect();
            let each = self.pairs.iter().zip(&found);
            effects.extend(each.map(|(pair, &ours)| effect(&pair.name, ours)));
            effects.push(effect(MEAN, mean(RATIO, found)));
        }
        effects
    }

    /// Table 3 and section 3.4.1: each kernel alone.
    fn of_kernels(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (figure, what, unit, value) in OF_KERNEL {
            for (number, benchmark) in self.benchmarks.iter().enumerate() {
                let own = &self.alone.of(&at(number, ALONE, None, self.change)).programs[0];
                effects.push(Effect {
                    benchmark: benchmark.name.clone(),
                    paper: stated_of(0, what, ALONE, &benchmark.name),
                    ours: Some(value(own)),
                    ..Effect::flat(figure, what, ALONE, unit)
                });
            }
        }
        effects
    }

    /// Figures 7 and 8: each kernel alone with fewer blocks on an SMX, by one block.
    fn residencies(&self) -> Vec<Effect> {
        type OfProgram = (&'static str, &'static str, fn(&ProgramTimes) -> f64);
        const MEASURES: [OfProgram; 2] = [
            ("Fig. 7", "block time", |own| own.block),
            ("Fig. 8", "run time", |own| own.turnaround as f64),
        ];
        let mut effects = Vec::new();
        for (figure, what, value) in MEASURES {
            for limit in RESIDENCIES[1..].iter().map(|limit| Some(*limit)).chain([None]) {
                let found = |number| {
                    let of = |limit| {
                        value(&self.alone.of(&at(number, ALONE, limit, self.change)).programs[0])
                    };
                    Some(of(limit) / of(Some(RESIDENCIES[0])))
                };
                let effect = |benchmark: &str, ours| Effect {
                    benchmark: benchmark.to_owned(),
                    paper: limit.map_or_else(|| stated_of(0, figure, ALONE, benchmark), |_| None),
                    ours,
                    base: Some("one block"),
                    set: limit.map(str::to_owned),
                    ..Effect::flat(figure, what, ALONE, RATIO)
                };
                let found: Vec<_> = (0..self.benchmarks.len()).map(found).collect();
                let each = self.benchmarks.iter().zip(&found);
                effects.extend(each.map(|(own, &ours)| effect(&own.name, ours)));
                effects.push(effect(MEAN, mean(RATIO, found)));
            }
        }
        effects
    }
}

/// What was set by both, in order.
fn joined(own: &Option<String>, swept: &Option<String>) -> Option<String> {
    let both: Vec<&str> = own.iter().chain(swept).map(String::as_str).collect();
    (!both.is_empty()).then(|| both.join(", "))
}

/// The slowdowns of kernels with these run times, in order of arrival, of which the shortest one
/// runs first if `ascending`, else the longest one, and each other one when that before it has
/// ended (section 5.1.2).
fn one_after_the_other(alone: &[f64], ascending: bool) -> Vec<f64> {
    let before = |own: usize, other: usize| {
        let goes_first = if alone[other] == alone[own] {
            other < own
        } else {
            (alone[other] < alone[own]) == ascending
        };
        other != own && goes_first
    };
    let ends = |own: usize| {
        let earlier = (0..alone.len()).filter(|&other| before(own, other));
        alone[own] + earlier.map(|other| alone[other]).sum::<f64>()
    };
    (0..alone.len()).map(|own| ends(own) / alone[own]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::benchmarks::{self, Size};
    use blockyard_sim::gpu::config::GpuConfig;
    use blockyard_sim::sched::Composition;

    #[test]
    fn there_are_56_ordered_pairs_under_five_policies_and_eight_kernels_at_four_residencies() {
        let all = benchmarks::srtf(Size::Reduced);
        let both = pairs(&all);
        assert_eq!((both.len(), alone(&all, None).len()), (56, 8 * 4));
        assert_eq!(together(&both, None, true).len(), 5 * 56);
        assert_eq!(together(&both, None, false).len(), 4 * 56);
        assert!(both.iter().all(|pair| members(&pair.name, &all).len() == 2));
        for policy in POLICIES.into_iter().filter(|policy| *policy != SJF) {
            policy.parse::<Composition>().expect("a scheduler");
        }
        for limit in RESIDENCIES {
            let (key, value) = limit.split_once('=').expect("a setting");
            GpuConfig::preset(GPU).expect("a preset").set(key, value).expect("slots");
        }
    }

    #[test]
    fn one_after_the_other_the_first_takes_its_own_time_and_the_second_both() {
        assert_eq!(one_after_the_other(&[100.0, 300.0], true), [1.0, 4.0 / 3.0]);
        assert_eq!(one_after_the_other(&[300.0, 100.0], true), [4.0 / 3.0, 1.0]);
        assert_eq!(one_after_the_other(&[100.0, 300.0], false), [4.0, 1.0]);
        assert_eq!(one_after_the_other(&[100.0, 100.0], false), [1.0, 2.0], "in order of arrival");
    }

    #[test]
    fn what_is_set_by_a_run_and_by_a_sweep_stands_in_this_order() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(joined(&some("a=1"), &some("b=2")), some("a=1, b=2"));
        assert_eq!(joined(&None, &some("b=2")), some("b=2"));
        assert_eq!(joined(&None, &None), None);
    }
}
