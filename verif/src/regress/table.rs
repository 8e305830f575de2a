//! The report as text.

use std::fmt::Write;

use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};

use crate::cli::terminal;

use super::{buckets, Bucket, RegressReport, Verdict};

/// The report for people: a row a case, then the failures by cause with the command that repeats
/// each, then the totals. It holds times, so two runs differ; `report.json` is what to compare.
pub fn render(report: &RegressReport) -> String {
    let mut text = cases(report);
    text.push('\n');
    let buckets = buckets(report);
    for bucket in &buckets {
        text.push('\n');
        failures(&mut text, report, bucket);
    }
    if !buckets.is_empty() {
        text.push('\n');
    }
    totals(&mut text, report, buckets.len());
    text
}

fn cases(report: &RegressReport) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(["case", "cycles", "result", "time"]);
    for column in [1, 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for result in &report.results {
        let mut word = result.word().to_owned();
        if let Verdict::Skipped(_) = result.outcome.verdict {
            let _ = write!(word, ": {}", result.cause());
        }
        let time = match result.outcome.verdict {
            Verdict::NotRun => "-".to_owned(),
            _ => format!("{:.2} s", result.time.as_secs_f64()),
        };
        let cycles = result.outcome.cycles.to_string();
        table.add_row([result.full_id(), cycles, word, time]);
    }
    terminal::fit(&mut table);
    table.trim_fmt()
}

/// The failures of one cause, with the command that repeats each.
pub(super) fn failures(text: &mut String, report: &RegressReport, bucket: &Bucket<'_>) {
    let count = counted(bucket.results.len(), "case");
    let _ = writeln!(text, "FAILED ({count}): {}", bucket.cause);
    for (i, result) in bucket.results.iter().enumerate() {
        let Verdict::Failed { message, repeat_command, artefacts } = &result.outcome.verdict else {
            continue;
        };
        let _ = writeln!(text, "  {}", result.full_id());
        if let Some(command) = repeat_command {
            let _ = writeln!(text, "    repeat: {command}");
        }
        for path in artefacts {
            let _ = writeln!(text, "    artefact: {}", report.out.join(path).display());
        }
        // One example of a cause is enough on a screen; the journal has every message.
        for line in message.lines().skip(1).filter(|_| i == 0) {
            let _ = writeln!(text, "    {line}");
        }
    }
}

/// The sums over the report, in words.
pub(super) fn totals(text: &mut String, report: &RegressReport, causes: usize) {
    let totals = report.totals();
    let _ = write!(
        text,
        "{} seed={}: {}, {} passed, {} failed",
        report.suite,
        report.seed,
        counted(report.results.len(), "case"),
        totals.passed,
        totals.failed
    );
    if causes > 0 {
        let _ = write!(text, " ({})", counted(causes, "cause"));
    }
    let _ = writeln!(text, ", {} skipped, {} not run", totals.skipped, totals.not_run);
    match totals.pass_permille() {
        Some(rate) => {
            let _ = write!(text, "pass rate {}.{} %", rate / 10, rate % 10);
        }
        None => text.push_str("pass rate -"),
    }
    let seconds = totals.time.as_secs_f64();
    let _ = write!(text, ", {} cycles, {seconds:.2} s of case time", totals.cycles);
    if totals.resumed > 0 {
        let _ = write!(text, ", {} from the journal", counted(totals.resumed, "result"));
    }
    text.push('\n');
    if totals.not_run > 0 {
        text.push_str("stopped early: the same command with --resume runs the rest\n");
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
