//! The microbenchmarks as effects.

use super::stated::{under_denovo, Stated, What, STATED};
use super::{Row, SCHEDULERS};
use crate::reproduce::effect::{mean, Effect, MEAN, RATIO};
use blockyard_sim::workload::ikra::Benchmark;

const FIGURE: &str = "Fig. 4";

/// A ratio to round robin: its name, what of the text is about it, and its value.
type Ratio = (&'static str, Option<What>, fn(&Row) -> f64);

/// Figure 4 for each microbenchmark and their mean, what the text compares with other schedulers
/// than round robin, and the same figure with GPU coherence, which the paper shows for applications
/// alone.
pub(super) fn effects(rows: &[Row]) -> Vec<Effect> {
    let mut effects = Vec::new();
    let ratios: [Ratio; 3] = [
        ("time", Some(What::Time), |row| row.cycles_by_rr),
        ("energy", Some(What::Energy), |row| row.energy_by_rr),
        ("flits", None, |row| row.flits_by_rr),
    ];
    for (what, kind, of) in ratios {
        effects.extend(over_rr(rows, ("denovo", FIGURE, what), kind, of));
    }
    for (what, kind) in [
        ("loads served by the own L1", What::L1),
        ("loads served by the L2", What::L2),
        ("loads served by memory", What::Memory),
        ("flits once warm", What::WarmFlits),
    ] {
        effects.extend(counted(rows, what, kind));
    }
    let other = |stated: &&Stated| stated.base.is_some_and(|base| base != SCHEDULERS[0]);
    effects.extend(STATED.iter().filter(other).map(|stated| against(rows, stated)));
    for (what, _, of) in ratios {
        effects.extend(over_rr(rows, ("gpu", "Section 7.2", what), None, of));
    }
    effects
}

/// What the paper states of a microbenchmark.
fn paper(workload: &str, what: What, policy: &str, base: Option<&str>) -> Option<f64> {
    let is = |stated: &&Stated| {
        (stated.workload, stated.what, stated.scheduler, stated.base)
            == (workload, what, policy, base)
    };
    STATED.iter().find(is).map(|stated| stated.paper)
}

/// A change in percent as a ratio.
fn ratio(percent: f64) -> f64 {
    1.0 + percent / 100.0
}

/// Ratios to round robin.
fn over_rr(
    rows: &[Row],
    (protocol, figure, what): (&str, &'static str, &'static str),
    kind: Option<What>,
    of: fn(&Row) -> f64,
) -> Vec<Effect> {
    let (base, others) = (SCHEDULERS[0], &SCHEDULERS[1..]);
    let of_policy = |policy: &&'static str| {
        let with = |benchmark: &str, paper, ours| Effect {
            benchmark: benchmark.to_owned(),
            paper,
            ours,
            base: Some("rr"),
            ..Effect::flat(figure, what, policy, RATIO)
        };
        let own: Vec<&Row> = rows
            .iter()
            .filter(|row| row.protocol == protocol && row.scheduler == **policy)
            .collect();
        let each = own.iter().map(|row| {
            let stated = kind.and_then(|kind| paper(&row.workload, kind, policy, Some(base)));
            with(&row.workload, stated.map(ratio), Some(of(row)))
        });
        let mean = with(MEAN, None, mean(RATIO, own.iter().map(|row| Some(of(row)))));
        each.chain([mean]).collect::<Vec<_>>()
    };
    others.iter().flat_map(of_policy).collect()
}

/// Shares and counts, of all schedulers.
fn counted(rows: &[Row], what: &'static str, kind: What) -> Vec<Effect> {
    let unit = if kind == What::WarmFlits { "flits" } else { "percent" };
    let of = |policy: &&'static str| {
        let policy = *policy;
        let each = Benchmark::ALL.map(|benchmark| Effect {
            benchmark: benchmark.name().to_owned(),
            paper: paper(benchmark.name(), kind, policy, None),
            ours: Some(kind.of(under_denovo(rows, benchmark.name(), policy))),
            ..Effect::flat(FIGURE, what, policy, unit)
        });
        let mean = mean(unit, each.iter().map(|effect| effect.ours));
        each.into_iter().chain([Effect { ours: mean, ..Effect::flat(FIGURE, what, policy, unit) }])
    };
    SCHEDULERS.iter().flat_map(of).collect()
}

/// One scheduler by another one than round robin.
fn against(rows: &[Row], stated: &Stated) -> Effect {
    let Stated { workload, what, scheduler, base, paper } = *stated;
    let value = |scheduler| what.of(under_denovo(rows, workload, scheduler));
    let name = if what == What::Time { "time" } else { "energy" };
    Effect {
        benchmark: workload.to_owned(),
        paper: Some(ratio(paper)),
        ours: base.map(|base| value(scheduler) / value(base)),
        base,
        ..Effect::flat("Section 6.1", name, scheduler, RATIO)
    }
}
