//! What `study` prints.

use crate::study::plan::Plan;
use crate::study::Ended;
use comfy_table::{presets, CellAlignment, ContentArrangement, Table};
use std::path::Path;

/// Most rows that are printed; the table in the file has all.
const SHOWN: usize = 24;

/// The figures that are printed.
const FIGURES: [&str; 4] = ["cycles", "ipc", "storage_bits", "speedup"];

/// The commands of all runs, and how many there are.
pub fn plan(plan: &Plan) -> String {
    let commands = plan.runs.iter().map(|planned| format!("{}\n", planned.command));
    let (runs, points) = (plan.runs.len(), plan.points.len());
    let count = match points == runs {
        true => format!("{runs} runs\n"),
        false => format!("{runs} runs for {points} points\n"),
    };
    commands.collect::<String>() + &count
}

/// The first rows of the table, and where all of them are.
pub fn ended(ended: &Ended, path: &Path) -> String {
    let varies = |axis: &&crate::study::header::HeaderAxis| axis.values.len() > 1;
    let axes: Vec<&str> =
        ended.header.axes.iter().filter(varies).map(|axis| axis.name.as_str()).collect();
    let has = |figure: &&str| ended.rows.iter().any(|row| row.figures.contains_key(*figure));
    let figures: Vec<&str> = FIGURES.into_iter().filter(has).collect();
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(axes.iter().chain(&figures));
    for row in ended.rows.iter().take(SHOWN) {
        let labels = axes.iter().map(|axis| row.axes.get(*axis).cloned().unwrap_or_default());
        let figures = figures.iter().map(|figure| number(row.figures.get(*figure)));
        table.add_row(labels.chain(figures));
    }
    for column in table.column_iter_mut().skip(axes.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!("{table}\n");
    let (runs, path) = (ended.rows.len(), path.display());
    let failed = ended.rows.iter().filter_map(|row| Some((row, row.failure.as_ref()?)));
    let failures: Vec<String> = failed
        .map(|(row, failure)| format!("failed     {failure}\n           {}\n", row.command))
        .collect();
    if runs > SHOWN {
        text += &format!("and {} more\n", runs - SHOWN);
    }
    text += &failures.iter().take(SHOWN).cloned().collect::<String>();
    text += &best(ended);
    let stopped = if ended.stopped { ", stopped; --resume makes the others" } else { "" };
    text + &format!("{runs} runs, {} failed{stopped}: {path}\n", failures.len())
}

fn number(figure: Option<&f64>) -> String {
    match figure {
        None => String::new(),
        Some(number) if number.fract() == 0.0 => number.to_string(),
        Some(number) => format!("{number:.4}"),
    }
}

/// What a search found, if there was one.
fn best(ended: &Ended) -> String {
    let Some(best) = ended.tried.first() else { return String::new() };
    let axes: Vec<String> =
        best.axes.iter().map(|(axis, label)| format!("{axis}={label}")).collect();
    let storage =
        best.storage_bits.map_or(String::new(), |bits| format!(", {} bytes", bits.div_ceil(8)));
    format!(
        "best       {}: {} over {} runs{storage}, of {} candidates\n",
        axes.join(", "),
        number(best.score.as_ref()),
        best.cases,
        ended.tried.len()
    )
}
