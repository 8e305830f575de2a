//! The report as a page: cases by kind and verdict, failures by cause, each with the picture of its
//! wave window where the case left one.

mod window;

use super::{buckets, table, Bucket, CaseResult, RegressReport, Verdict};
use crate::page::{Cell, Page, Part, Section, Table};
use std::collections::BTreeMap;

/// Most causes, and cases of a cause, that are shown with everything.
const CAUSES: usize = 30;
const SHOWN: usize = 5;

/// The page of a report, which `command` has made.
pub fn page(report: &RegressReport, command: &str) -> Page {
    let title = format!("Regression {}, seed {}", report.suite, report.seed);
    let buckets = buckets(report);
    let mut totals = String::new();
    table::totals(&mut totals, report, buckets.len());
    let summary = Section::new("Summary").words(totals).command(command).table(kinds(report));
    let page = Page::new(title).with(summary);
    let shown = buckets.iter().take(CAUSES);
    let mut page = shown.fold(page, |page, bucket| page.with(cause(report, bucket)));
    if buckets.len() > CAUSES {
        let text = format!("{} more causes are in the table below.", buckets.len() - CAUSES);
        page = page.with(Section::new("Failed: other causes").words(text));
    }
    page.with(Section::new("All cases").table(cases(report)))
}

/// The kind of a case: what its id begins with.
fn kind(id: &str) -> &str {
    let slashes = if id.starts_with("replay/") { 1 } else { 0 };
    id.match_indices('/').nth(slashes).map_or(id, |(end, _)| &id[..end])
}

/// A row a kind of cases.
fn kinds(report: &RegressReport) -> Table {
    let mut counts = BTreeMap::<&str, [f64; 5]>::new();
    for result in &report.results {
        let of_kind = counts.entry(kind(&result.id)).or_default();
        let place = match result.outcome.verdict {
            Verdict::Passed => 0,
            Verdict::Failed { .. } => 1,
            Verdict::Skipped(_) => 2,
            Verdict::NotRun => 3,
        };
        of_kind[place] += 1.0;
        of_kind[4] += result.outcome.cycles as f64;
    }
    let heads = ["kind", "passed", "FAILED", "skipped", "not run", "cycles"];
    let mut table = Table::new("Cases by kind and verdict", heads);
    for (kind, numbers) in counts {
        let numbers = numbers.map(|number| Cell::number(Some(number)));
        table.rows.push([Cell::Text(kind.to_owned())].into_iter().chain(numbers).collect());
    }
    table
}

/// The failures of one cause.
fn cause(report: &RegressReport, bucket: &Bucket<'_>) -> Section {
    let section = Section::new(format!("Failed: {}", bucket.cause));
    let shown = bucket.results.iter().take(SHOWN);
    let mut section = shown.fold(section, |section, result| case(report, result, section));
    if bucket.results.len() > SHOWN {
        let left = bucket.results.len() - SHOWN;
        section = section.words(format!("{left} more cases failed of this cause; they are below."));
    }
    section
}

fn case(report: &RegressReport, result: &CaseResult, section: Section) -> Section {
    let Verdict::Failed { message, repeat_command, artefacts } = &result.outcome.verdict else {
        return section;
    };
    let mut section = section.words(result.full_id()).with(Part::Lines(message.clone()));
    if let Some(command) = repeat_command {
        section = section.command(command);
    }
    let files = artefacts.iter().map(|path| report.out.join(path));
    let mut files =
        files.filter(|path| path.extension().is_some_and(|end| end == "vcd" || end == "fst"));
    match files.next().map(|path| window::picture(&path, message)) {
        None => section,
        Some(Ok(picture)) => section.with(picture),
        Some(Err(error)) => section.words(format!("There is no picture of the waveform: {error}")),
    }
}

fn cases(report: &RegressReport) -> Table {
    let heads = ["case", "result", "cycles", "seconds", "why", "command"];
    let mut table = Table::new("All cases in the order of the suite", heads);
    for result in &report.results {
        let seconds = (result.time.as_secs_f64() * 100.0).round() / 100.0;
        let command = match &result.outcome.verdict {
            Verdict::Failed { repeat_command: Some(command), .. } => Cell::Command(command.clone()),
            _ => Cell::Nothing,
        };
        table.rows.push(vec![
            Cell::Text(result.full_id()),
            Cell::Text(result.word().to_owned()),
            Cell::number(Some(result.outcome.cycles as f64)),
            Cell::number(Some(seconds)),
            Cell::Text(result.cause().to_owned()),
            command,
        ]);
    }
    table
}
