//! The page of a study's folder.

mod plots;
mod tables;
mod view;

use super::blocks::{self, Cycles};
use super::number::shown;
use super::{Page, Section};
use crate::study::baseline::SPEEDUP;
use crate::study::header::HeaderAxis;
use crate::study::{load, Header, Row};
use miette::Result;
use std::path::{Path, PathBuf};
use view::{average, View};

/// Most runs that are shown block by block.
const RUNS: usize = 4;

/// The page of the study in `folder`, with the plots that its axes ask for; `command` makes it.
///
/// # Errors
/// When the folder is none of a study, or a file in it is damaged.
pub fn page(folder: &Path, command: &str) -> Result<Page> {
    let (header, mut rows) = load(folder)?;
    in_order(&header, &mut rows);
    let view = View::new(&header, &rows);
    let mut plotted = Section::new("Plots");
    for plot in plots::plots(&view, command) {
        plotted = plotted.plot(plot);
    }
    let mut summary = Section::new("Summary").words(words(&header, &rows)).command(command);
    if let Some(means) = tables::means(&view) {
        summary = summary.table(means);
    }
    let mut runs = Section::new("Runs").table(tables::runs(&view));
    if view.rows.len() > tables::ROWS {
        runs = runs.words(format!("The first {} runs; table.csv has all.", tables::ROWS));
    }
    let mut page = Page::new(format!("Study {}", header.name)).with(summary).with(plotted);
    for section in of_blocks(folder, &view)? {
        page = page.with(section);
    }
    let failures = Section::new("Failures").table(tables::failures(&rows));
    let axes = Section::new("What was run").words(axes(&header)).words(made(&header));
    Ok(page.with(runs).with(failures).with(axes))
}

/// The order in which runs finish says nothing: that of the axes and their values does.
fn in_order(header: &Header, rows: &mut [Row]) {
    rows.sort_by_cached_key(|row| -> Vec<Option<usize>> {
        let place = |axis: &HeaderAxis| {
            let own = row.axes.get(&axis.name)?;
            axis.values.iter().position(|value| value == own)
        };
        header.axes.iter().map(place).collect()
    });
}

fn words(header: &Header, rows: &[Row]) -> String {
    let view = View::new(header, rows);
    let failed = rows.len() - view.rows.len();
    let mut text = format!(
        "{} runs finished, {} of them failed.",
        shown(rows.len() as f64),
        shown(failed as f64)
    );
    let Some(compared) = view.compared() else { return text };
    let figure = [SPEEDUP, "ipc"].into_iter().find(|figure| view.has(figure));
    let groups = view::grouped(&view.rows, |row| view::label(row, &[compared]));
    let means = figure.map(|figure| {
        let mean = |(name, rows): (String, Vec<&Row>)| Some((name, average(figure, &rows)?));
        groups.into_iter().filter_map(mean).collect::<Vec<_>>()
    });
    let best = means.iter().flatten().max_by(|a, b| a.1.total_cmp(&b.1));
    if let (Some(figure), Some((name, value))) = (figure, best) {
        let what = if figure == SPEEDUP { "speed-up over the baseline" } else { figure };
        text += &format!(" By {compared}, {name} has the highest mean {what}: {}.", shown(*value));
    }
    let lies = header.baseline.iter().map(|(axis, label)| format!("{axis} = {label}"));
    let lies: Vec<String> = lies.collect();
    if !lies.is_empty() {
        text += &format!(" The baseline is {}.", lies.join(", "));
    }
    text
}

fn axes(header: &Header) -> String {
    let axes = header.axes.iter().map(|axis| {
        let mut values: Vec<&str> = axis.values.iter().take(20).map(String::as_str).collect();
        values.extend((axis.values.len() > 20).then_some("..."));
        format!("{} = {}", axis.name, values.join(", "))
    });
    format!("Axes: {}.", axes.collect::<Vec<_>>().join("; "))
}

fn made(header: &Header) -> String {
    format!("Runs of blockyard {}, begun {} seconds after 1970.", header.version, header.created)
}

/// The first runs whose blocks are known.
fn of_blocks(folder: &Path, view: &View<'_>) -> Result<Vec<Section>> {
    let axes = view.varying();
    let mut sections = Vec::new();
    let known: Vec<(&Row, PathBuf)> =
        view.rows.iter().filter_map(|row| Some((*row, file_of(folder, row)?))).collect();
    for (row, path) in known.iter().take(RUNS) {
        let stays = blocks::read(path)?;
        if stays.is_empty() {
            continue;
        }
        let heading = format!("Blocks of {}", view::label(row, &axes));
        let command = format!("blockyard page blocks {}", path.display());
        sections.push(blocks::plots(&heading, &stays, Cycles::default(), &command));
    }
    if known.len() > RUNS {
        let text = format!(
            "Shown are the first {RUNS} of {} runs; `blockyard page blocks` draws the others.",
            known.len()
        );
        sections.push(Section::new("Blocks of the others").words(text));
    }
    Ok(sections)
}

/// Where the blocks of a run are, if they are there.
fn file_of(folder: &Path, row: &Row) -> Option<PathBuf> {
    let is_plain = !row.run.is_empty() && !row.run.contains(['/', '\\']);
    let path = folder.join("blocks").join(format!("{}.csv", row.run));
    (is_plain && path.is_file()).then_some(path)
}
