//! Section 2.2, load imbalance without credits: idle cycles by size of the grid (Fig. 2), what each
//! SMX executes and gets (Fig. 3), and for whom DRAM works (Figs. 4 and 5).

use super::{point, settings, LRR};
use crate::reproduce::benchmarks::Benchmark;
use crate::reproduce::by_time::{ByTime, SmxByTime, INTERVAL, SPREADS};
use crate::reproduce::effect::{mean, Effect, MEAN, RATIO};
use crate::reproduce::runs::{Figures, Point};

const POLICY: &str = "rr";

const PERCENT: &str = "percent";

/// The row of Figure 2 for all four.
const HIGHEST: &str = "highest";

/// One benchmark in Figure 2: its name, the figure, and what makes a grid of so many blocks with
/// the same work in each. The text does not name the paper's four; these have one kernel whose grid
/// can be chosen.
type Grid = (&'static str, &'static str, fn(u64) -> Vec<String>);

const GRIDS: [Grid; 4] = [
    ("SP", "Fig. 2, SP", |blocks| {
        vec![format!("scalarprod.blocks={blocks}"), format!("scalarprod.vectors={}", 2 * blocks)]
    }),
    ("CP", "Fig. 2, CP", |blocks| {
        vec!["coulomb.width=128".to_owned(), format!("coulomb.height={}", 8 * blocks)]
    }),
    ("BS", "Fig. 2, BS", |blocks| {
        vec![
            format!("blackscholes.blocks={blocks}"),
            format!("blackscholes.count={}", 8 * 128 * blocks),
            "blackscholes.launches=1".to_owned(),
        ]
    }),
    ("AES", "Fig. 2, AES", |blocks| vec![format!("aes.states={}", 64 * blocks)]),
];

/// The grids of Figure 2: from half of what 14 SMXs hold of 8 blocks each to more than twice as
/// much, in steps of half of the SMXs.
fn sizes() -> impl Iterator<Item = u64> {
    (0..30).map(|step| 56 + 7 * step)
}

/// What the text states: figure, measure, benchmark, value. That of Figure 2 is "nearly" reached,
/// the shares of Figure 3 and 5 are "about" and "more than", and the ratios of Figure 4 are
/// exceeded.
const STATED: &[(&str, &str, &str, f64)] = &[
    ("Fig. 2", "highest_idle_cycles", HIGHEST, 20.0),
    ("Fig. 3a", "idle_in_second_half", "SP", 50.0),
    ("Fig. 4", "service_spread", "CP", 2.5),
    ("Fig. 4", "service_spread", "NN", 2.5),
    ("Fig. 5", "behind_own", MEAN, 30.0),
];

/// The runs of these figures beside those of the others, some of which are among them.
pub(super) fn points(benchmarks: &[Benchmark], change: Option<&str>) -> Vec<Point> {
    let grid = |&(number, (_, _, grid)): &(usize, Grid)| {
        sizes().map(move |blocks| sized(number, grid, blocks, change)).collect::<Vec<_>>()
    };
    let plain = (0..benchmarks.len()).map(|number| point(number, POLICY, LRR, change));
    plain.chain(grids(benchmarks).iter().flat_map(grid)).collect()
}

/// What they show.
pub(super) fn effects(
    benchmarks: &[Benchmark],
    change: Option<&str>,
    figures: &Figures,
) -> Vec<Effect> {
    let mut effects = by_size(benchmarks, change, figures);
    let set = settings(LRR, change).join(", ");
    let run = |number| figures.of(&point(number, POLICY, LRR, change)).by_time.as_ref();
    let all: Vec<(&str, Option<&ByTime>)> =
        (0..).zip(benchmarks).map(|(number, of)| (of.name.as_str(), run(number))).collect();
    effects.extend(each_smx(&all, &set));
    let mut over_all = |figure, what, unit, set: &str, of: &dyn Fn(&ByTime) -> Option<f64>| {
        let found: Vec<_> = all.iter().map(|(_, run)| run.and_then(of)).collect();
        let row = |(name, ours): (&str, _)| effect(figure, what, unit, name, ours, set);
        effects.extend(all.iter().map(|(name, _)| *name).zip(found.iter().copied()).map(row));
        effects.push(row((MEAN, mean(unit, found))));
    };
    over_all("Fig. 3a", "idle_in_second_half", PERCENT, &set, &|run| run.idle_in_second_half);
    for (at, times) in SPREADS.into_iter().enumerate() {
        let set = format!("{set}, intervals={}", times as u64 * INTERVAL);
        over_all("Fig. 4", "service_spread", RATIO, &set, &|run| run.spreads[at].ratio);
        over_all("Fig. 4", "intervals_in_spread", PERCENT, &set, &|run| run.spreads[at].intervals);
    }
    over_all("Fig. 5", "behind_own", PERCENT, &set, &|run| run.behind_own);
    effects
}

/// Figure 2.
fn by_size(benchmarks: &[Benchmark], change: Option<&str>, figures: &Figures) -> Vec<Effect> {
    let set = settings(LRR, change).join(", ");
    let mut effects = Vec::new();
    let mut peaks: Vec<(String, f64)> = Vec::new();
    for (number, (name, figure, grid)) in grids(benchmarks) {
        let mut highest: Option<f64> = None;
        for blocks in sizes() {
            let share = 100.0 * figures.of(&sized(number, grid, blocks, change)).idle_share;
            highest = Some(highest.map_or(share, |highest| highest.max(share)));
            let row = format!("{name}, {blocks} blocks");
            effects.push(effect(figure, "idle_cycles", PERCENT, &row, Some(share), &set));
        }
        peaks.extend(highest.map(|highest| (name.to_owned(), highest)));
    }
    if let Some(highest) = peaks.iter().map(|peak| peak.1).reduce(f64::max) {
        peaks.push((HIGHEST.to_owned(), highest));
    }
    let peak = |(row, share): &(String, f64)| {
        effect("Fig. 2", "highest_idle_cycles", PERCENT, row, Some(*share), &set)
    };
    effects.extend(peaks.iter().map(peak));
    effects
}

/// Figure, what it is called, unit, and what it is of an SMX.
type OfSmx = (&'static str, &'static str, &'static str, fn(&SmxByTime) -> f64);

/// Figures 3a and 3b, which the paper shows of SP.
fn each_smx(all: &[(&str, Option<&ByTime>)], set: &str) -> Vec<Effect> {
    let Some((name, Some(run))) = all.iter().find(|(name, _)| *name == "SP") else {
        return Vec::new();
    };
    let measures: [OfSmx; 3] = [
        ("Fig. 3a", "instructions_in_first_half", "instructions", |smx| smx.instructions[0]),
        ("Fig. 3a", "instructions_in_second_half", "instructions", |smx| smx.instructions[1]),
        ("Fig. 3b", "thread_blocks", "blocks", |smx| smx.thread_blocks as f64),
    ];
    let mut effects = Vec::new();
    for (figure, what, unit, of) in measures {
        effects.extend(run.smx.iter().enumerate().map(|(number, smx)| {
            effect(figure, what, unit, &format!("{name}, SMX {number}"), Some(of(smx)), set)
        }));
    }
    effects
}

fn effect(
    figure: &'static str,
    what: &'static str,
    unit: &'static str,
    row: &str,
    ours: Option<f64>,
    set: &str,
) -> Effect {
    let is =
        |stated: &&(&str, &str, &str, f64)| (stated.0, stated.1, stated.2) == (figure, what, row);
    Effect {
        benchmark: row.to_owned(),
        paper: STATED.iter().find(is).map(|stated| stated.3),
        ours,
        set: Some(set.to_owned()),
        ..Effect::flat(figure, what, POLICY, unit)
    }
}

/// Those of [`GRIDS`] that run, with their places.
fn grids(benchmarks: &[Benchmark]) -> Vec<(usize, Grid)> {
    let place = |grid: &Grid| benchmarks.iter().position(|benchmark| benchmark.name == grid.0);
    GRIDS.into_iter().filter_map(|grid| Some((place(&grid)?, grid))).collect()
}

fn sized(number: usize, grid: fn(u64) -> Vec<String>, blocks: u64, change: Option<&str>) -> Point {
    let mut point = point(number, POLICY, LRR, change);
    point.change.extend(grid(blocks));
    Point { intervals: None, ..point }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::benchmarks::{claso, Size};

    #[test]
    fn a_grid_is_made_by_keys_of_its_benchmark() {
        let all = claso(Size::Full);
        for (name, _, grid) in GRIDS {
            let benchmark = all.iter().find(|benchmark| benchmark.name == name).expect(name);
            for setting in grid(56) {
                let (key, _) = setting.split_once('=').expect("a setting");
                assert!(benchmark.takes(key), "{name} {setting}");
            }
        }
    }

    #[test]
    fn the_grids_have_twice_as_many_blocks_as_fit_among_them() {
        let sizes: Vec<u64> = sizes().collect();
        assert_eq!((sizes.len(), sizes[0], sizes[29]), (30, 56, 259));
        for multiple in [84, 168, 252, 112, 224] {
            assert!(sizes.contains(&multiple), "{multiple}");
        }
    }

    #[test]
    fn a_benchmark_of_another_name_has_no_sizes() {
        let all: Vec<_> = claso(Size::Reduced)
            .into_iter()
            .filter(|b| ["SLA", "AES"].contains(&&*b.name))
            .collect();
        let points = points(&all, None);
        assert_eq!(points.len(), 2 + 30);
        let sized = points.iter().filter(|point| point.change.len() > 1);
        assert!(sized.clone().count() == 30 && sized.clone().all(|point| point.benchmark == 1));
    }
}
