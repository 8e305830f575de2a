//! The tables of a study: all runs, means, failures.

use super::super::{Cell, Table};
use super::view::{average, grouped, label, View};
use crate::study::baseline::SPEEDUP;
use crate::study::row::Row;

/// What is shown of a run, where it has it; `table.csv` has everything.
const FIGURES: [&str; 6] = ["cycles", "ipc", SPEEDUP, "storage_bits", "l1.hit_rate", "l2.hit_rate"];

/// Most rows of a table.
pub(super) const ROWS: usize = 5_000;

/// A row a run, with its command.
pub(super) fn runs(view: &View<'_>) -> Table {
    let (axes, figures) = (view.varying(), figures(view));
    let heads = axes.iter().chain(&figures).copied().chain(["command"]);
    let mut table = Table::new("Finished runs; each has its command", heads);
    for row in view.rows.iter().take(ROWS) {
        let labels = axes
            .iter()
            .map(|axis| row.axes.get(*axis).map_or(Cell::Nothing, |label| Cell::of(label)));
        let numbers = figures.iter().map(|figure| Cell::number(row.figures.get(*figure).copied()));
        let command = Cell::Command(row.command.clone());
        table.rows.push(labels.chain(numbers).chain([command]).collect());
    }
    table
}

/// A row for each value of the axis that is compared.
pub(super) fn means(view: &View<'_>) -> Option<Table> {
    let compared = view.compared()?;
    let figures = figures(view);
    let heads = [compared, "runs"].into_iter().chain(figures.iter().copied());
    let caption = format!("Means by {compared}; of speed-ups the geometric mean");
    let mut table = Table::new(caption, heads);
    for (name, rows) in grouped(&view.rows, |row| label(row, &[compared])) {
        let numbers = figures.iter().map(|figure| Cell::number(average(figure, &rows)));
        let count = Cell::number(Some(rows.len() as f64));
        table.rows.push([Cell::Text(name), count].into_iter().chain(numbers).collect());
    }
    Some(table)
}

/// A row a run that failed.
pub(super) fn failures(rows: &[Row]) -> Table {
    let mut table = Table::new("Runs that failed", ["where", "why", "command"]);
    for (row, failure) in
        rows.iter().filter_map(|row| Some((row, row.failure.as_ref()?))).take(ROWS)
    {
        let axes: Vec<&str> = row.axes.keys().map(String::as_str).collect();
        let command = Cell::Command(row.command.clone());
        table.rows.push(vec![Cell::Text(label(row, &axes)), Cell::Text(failure.clone()), command]);
    }
    table
}

fn figures(view: &View<'_>) -> Vec<&'static str> {
    FIGURES.into_iter().filter(|figure| view.has(figure)).collect()
}
