//! Block by block, as a Gantt chart.

use super::super::number::shown;
use super::super::plot::{Gantt, GanttBar, Marks, Plot};
use super::{smxs, span, Cycles, Stay};
use std::collections::BTreeMap;

/// Most bars of a chart: a browser moves more of them too slowly.
const BARS: usize = 4_000;
/// Most kernels that have a colour of their own.
const KERNELS: usize = 6;

/// The chart of a run that has a block, of these `cycles`.
pub(super) fn plot(stays: &[Stay], cycles: Cycles, command: &str) -> Plot {
    let (chosen, all, span) = chosen(stays, cycles);
    let mut note = "A row an SMX, a lane in it a slot; a bar is the stay of a block.".to_owned();
    if chosen.len() < all {
        note += &format!(
            " Drawn are the first {} of {} stays, cycles {} to {}; the heat map has all, and \
             --from and --to choose others.",
            shown(chosen.len() as f64),
            shown(all as f64),
            shown(span.0 as f64),
            shown(span.1 as f64)
        );
    }
    Plot {
        title: "Blocks over time".to_owned(),
        x: "cycle".to_owned(),
        y: String::new(),
        note,
        command: command.to_owned(),
        marks: Marks::Gantt(gantt(&chosen, smxs(stays), span)),
    }
}

/// Those of the window by dispatch, at most [`BARS`]; how many the window has; the cycles that are
/// drawn.
fn chosen(stays: &[Stay], cycles: Cycles) -> (Vec<&Stay>, usize, (u64, u64)) {
    let (first, last) = span(stays);
    let (from, to) = (cycles.from.unwrap_or(first), cycles.to.unwrap_or(last));
    let is_in = |stay: &&Stay| stay.dispatched < to && stay.completed > from;
    let mut chosen: Vec<&Stay> = stays.iter().filter(is_in).collect();
    chosen.sort_by_key(|stay| (stay.dispatched, stay.smx));
    let all = chosen.len();
    let to = chosen.get(BARS).map_or(to, |next| next.dispatched.max(from + 1));
    chosen.truncate(BARS);
    (chosen, all, (from, to))
}

fn gantt(stays: &[&Stay], smxs: usize, span: (u64, u64)) -> Gantt {
    let series = kernels(stays);
    // For each SMX, until when each lane is taken: a block takes the lowest free one, as in slots.
    let mut taken = vec![Vec::<u64>::new(); smxs];
    let bar = |stay: &&Stay| {
        let lanes = &mut taken[stay.smx];
        let free = lanes.iter().position(|until| *until <= stay.dispatched);
        let lane = free.unwrap_or(lanes.len());
        match free {
            Some(lane) => lanes[lane] = stay.completed,
            None => lanes.push(stay.completed),
        }
        let own = series.iter().position(|name| *name == stay.kernel);
        GanttBar {
            row: stay.smx,
            lane,
            series: own.unwrap_or(series.len() - 1),
            from: stay.dispatched.max(span.0),
            until: stay.completed.min(span.1),
            name: name(stay),
        }
    };
    let bars: Vec<GanttBar> = stays.iter().map(bar).collect();
    let rows =
        taken.iter().enumerate().map(|(smx, lanes)| (format!("SMX {smx}"), lanes.len().max(1)));
    Gantt { rows: rows.collect(), bars, span, series }
}

/// The kernels with most blocks, by name, and what stands for the others.
fn kernels(stays: &[&Stay]) -> Vec<String> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for stay in stays {
        *counts.entry(&stay.kernel).or_default() += 1;
    }
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let others = names.len() > KERNELS;
    let names = names.into_iter().take(KERNELS).map(|(name, _)| name.to_owned());
    names.chain(others.then(|| "other kernels".to_owned())).collect()
}

fn name(stay: &Stay) -> String {
    let Stay { dispatched, completed, smx, kernel, instance, group, x, y, z } = stay;
    let group = if *group == 0 { String::new() } else { format!(" group {group}") };
    format!(
        "{kernel}#{instance}{group} ({x},{y},{z})\nSMX {smx}, cycles {dispatched} to {completed}"
    )
}

#[cfg(test)]
mod tests {
    use super::super::stay;
    use super::*;

    fn drawn(plot: &Plot) -> &Gantt {
        match &plot.marks {
            Marks::Gantt(gantt) => gantt,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_block_takes_the_lowest_lane_that_is_free_and_rows_are_as_high_as_they_must() {
        let stays =
            [stay(1, 0, 10, "a"), stay(1, 5, 20, "a"), stay(1, 10, 12, "b"), stay(1, 11, 13, "b")];
        let plot = plot(&stays, Cycles::default(), "");
        let lanes: Vec<usize> = drawn(&plot).bars.iter().map(|bar| bar.lane).collect();
        assert_eq!(lanes, [0, 1, 0, 2]);
        assert_eq!(drawn(&plot).rows, [("SMX 0".to_owned(), 1), ("SMX 1".to_owned(), 3)]);
        assert!(!plot.note.contains("Drawn are"));
    }

    #[test]
    fn what_is_left_out_is_said_and_a_window_shows_it() {
        let stays: Vec<_> = (0..=BARS as u64).map(|n| stay(0, n, n + 1, "k")).collect();
        let first = plot(&stays, Cycles::default(), "");
        assert_eq!((drawn(&first).bars.len(), drawn(&first).span), (BARS, (0, BARS as u64)));
        assert!(
            first.note.contains("the first 4,000 of 4,001 stays, cycles 0 to 4,000"),
            "{}",
            first.note
        );
        let cycles = Cycles { from: Some(3_990), to: None };
        let rest = plot(&stays, cycles, "");
        assert_eq!(drawn(&rest).bars.len(), 11);
        assert!(!rest.note.contains("Drawn are"));
        let all = plot(&stays[..BARS], Cycles::default(), "");
        assert!(!all.note.contains("Drawn are"));
    }

    #[test]
    fn the_kernels_with_most_blocks_have_a_colour_of_their_own() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "g"];
        let stays: Vec<_> = (0u64..).zip(names).map(|(n, name)| stay(0, n, n + 1, name)).collect();
        let seven = plot(&stays, Cycles::default(), "");
        assert_eq!(drawn(&seven).series, ["g", "a", "b", "c", "d", "e", "other kernels"]);
        assert_eq!(drawn(&seven).bars[5].series, 6);
        let six = plot(&stays[..6], Cycles::default(), "");
        assert_eq!(drawn(&six).series.len(), 6);
    }
}
