//! The plots of a study, as its axes ask for.

use super::super::plot::{
    BarSeries, Bars, LineSeries, Lines, Marks, Plot, Point, PointSeries, Points,
};
use super::view::{average, grouped, is_work, label, number, View};
use crate::study::baseline::SPEEDUP;
use crate::study::row::Row;

/// Most groups of bars, lines, and series.
const GROUPS: usize = 30;
const SERIES: usize = 14;

/// Speed-ups for the axis that is compared, lines for each axis of numbers, storage against IPC.
pub(super) fn plots(view: &View<'_>, command: &str) -> Vec<Plot> {
    let view = &view.baseline_first();
    let numbers = view.varying().into_iter().filter(|axis| view.is_numeric(axis));
    let lines = numbers.filter_map(|axis| lines(view, axis));
    let all = speedups(view).into_iter().chain(lines).chain(pareto(view));
    all.map(|plot| Plot { command: command.to_owned(), ..plot }).collect()
}

/// Bars: a group for what runs, a bar for each value of the axis that is compared.
fn speedups(view: &View<'_>) -> Option<Plot> {
    let compared = view.compared().filter(|_| view.has(SPEEDUP))?;
    let others: Vec<&str> = view.varying().into_iter().filter(|axis| *axis != compared).collect();
    let (numbers, named): (Vec<&str>, Vec<&str>) =
        others.into_iter().partition(|axis| *axis == "seed" || view.is_numeric(axis));
    let base = view.header.baseline.get(compared).map(String::as_str);
    let labels: Vec<&str> =
        view.labels(compared).into_iter().filter(|label| Some(*label) != base).collect();
    let lies = |row: &&&Row, value: &str| row.axes.get(compared).is_some_and(|own| own == value);
    let mean =
        |rows: &[&Row], value: &str| average(SPEEDUP, rows.iter().filter(|row| lies(row, value)));
    let groups = grouped(&view.rows, |row| label(row, &named));
    let bars = if groups.len() == 1 {
        let values = labels.iter().map(|value| mean(&view.rows, value)).collect();
        let series = vec![BarSeries { name: compared.to_owned(), values, stated: Vec::new() }];
        Bars {
            groups: labels.iter().map(|value| (*value).to_owned()).collect(),
            series,
            level: Some(1.0),
            first: usize::from(base.is_some()),
        }
    } else {
        let kept = &groups[..groups.len().min(GROUPS)];
        let series = labels.iter().take(SERIES).map(|value| {
            let values = kept.iter().map(|(_, rows)| mean(rows, value));
            let values = values.chain([mean(&view.rows, value)]).collect();
            BarSeries { name: (*value).to_owned(), values, stated: Vec::new() }
        });
        let names = kept.iter().map(|(name, _)| name.clone()).chain(["mean".to_owned()]);
        Bars {
            groups: names.collect(),
            series: series.collect(),
            level: Some(1.0),
            first: usize::from(base.is_some()),
        }
    };
    let mut note =
        format!("Cycles of the baseline ({}) by those of the run.", base.unwrap_or("see above"));
    if !numbers.is_empty() {
        note += &format!(" Geometric means over {}.", numbers.join(", "));
    }
    note += &left_out(groups.len(), GROUPS, "groups; the mean is over all");
    note += &left_out(labels.len(), SERIES, "values; the table has all");
    Some(Plot {
        title: format!("Speed-up by {compared}"),
        x: named.join(", "),
        y: "speed-up".to_owned(),
        note,
        command: String::new(),
        marks: Marks::Bars(bars),
    })
}

fn left_out(count: usize, most: usize, of: &str) -> String {
    if count > most {
        format!(" The first {most} of {count} {of}.")
    } else {
        String::new()
    }
}

/// IPC, or cycles where nothing has instructions, over an axis of numbers.
fn lines(view: &View<'_>, axis: &str) -> Option<Plot> {
    let figure = if view.has("ipc") { "ipc" } else { "cycles" };
    let compared = view.compared().filter(|compared| *compared != axis);
    let there: Vec<&Row> =
        view.rows.iter().copied().filter(|row| row.axes.contains_key(axis)).collect();
    let groups = grouped(&there, |row| compared.map_or(String::new(), |own| label(row, &[own])));
    let series = groups.iter().take(SERIES).map(|(name, rows)| {
        let at = |row: &Row| row.axes.get(axis).and_then(|label| number(label));
        let mut points: Vec<(f64, f64)> = grouped(rows, at)
            .into_iter()
            .filter_map(|(x, rows)| Some((x?, average(figure, &rows)?)))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        LineSeries { name: name.clone(), points }
    });
    let series: Vec<LineSeries> = series.filter(|line| !line.points.is_empty()).collect();
    let over: Vec<&str> =
        view.varying().into_iter().filter(|own| *own != axis && Some(*own) != compared).collect();
    let mut note = String::new();
    if !over.is_empty() {
        note = format!("Means over {}.", over.join(", "));
    }
    note += &left_out(groups.len(), SERIES, "lines; the table has all");
    (!series.is_empty()).then(|| Plot {
        title: format!("{figure} over {axis}"),
        x: axis.to_owned(),
        y: figure.to_owned(),
        note,
        command: String::new(),
        marks: Marks::Lines(Lines { series, from_zero: false }),
    })
}

/// What a scheduler stores against IPC, a point a machine.
fn pareto(view: &View<'_>) -> Option<Plot> {
    let both = |row: &&&Row| {
        ["storage_bits", "ipc"].iter().all(|figure| row.figures.contains_key(*figure))
    };
    let rows: Vec<&Row> = view.rows.iter().filter(both).copied().collect();
    let (work, machine): (Vec<&str>, Vec<&str>) =
        view.varying().into_iter().partition(|axis| is_work(axis));
    let compared = view.compared();
    let series =
        grouped(&rows, |row| compared.map_or("runs".to_owned(), |axis| label(row, &[axis])));
    let series = series.into_iter().map(|(name, rows)| {
        let points = grouped(&rows, |row| label(row, &machine)).into_iter();
        let points = points.filter_map(|(name, rows)| {
            let bits = average("storage_bits", &rows)?;
            Some(Point { x: bits / 8.0, y: average("ipc", &rows)?, name })
        });
        PointSeries { name, points: points.collect() }
    });
    let series: Vec<PointSeries> = series.collect();
    let mut note =
        "Those that no other one beats in both are named and joined by a line.".to_owned();
    if !work.is_empty() {
        note += &format!(" Means over {}.", work.join(", "));
    }
    let points: usize = series.iter().map(|series| series.points.len()).sum();
    (points > 1).then(|| Plot {
        title: "Storage against IPC".to_owned(),
        x: "bytes that the scheduler stores".to_owned(),
        y: "ipc".to_owned(),
        note,
        command: String::new(),
        marks: Marks::Points(Points { series }),
    })
}
