//! What a soak says at its end.

use super::super::suites::Draws;
use super::super::table::{failures, totals};
use super::super::{buckets, Verdict};
use super::Soaked;
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use std::fmt::Write;
use std::time::Duration;

/// Sums over the cases of a family.
#[derive(Default)]
struct Tally {
    family: &'static str,
    cases: u64,
    cycles: u64,
    failed: u64,
    time: Duration,
}

impl Tally {
    fn row(&self, name: &str) -> [String; 5] {
        let rate = rate(self.cycles, self.time);
        let numbers = [self.cases, self.cycles, self.failed].map(|number| number.to_string());
        let [cases, cycles, failed] = numbers;
        [name.to_owned(), cases, cycles, rate, failed]
    }
}

/// Cycles by family with the rate of one core, the failures by cause with their commands, the
/// totals and the rate of this run.
pub fn render(draws: &Draws, soaked: &Soaked) -> String {
    let Soaked { report, wall } = soaked;
    let mut tallies: Vec<Tally> = Vec::new();
    let mut all = Tally::default();
    for result in &report.results {
        let Some(number) = draws.number(&result.id) else { continue };
        let family = draws.family(number);
        let at = tallies.iter().position(|tally| tally.family == family);
        let at = at.unwrap_or_else(|| {
            tallies.push(Tally { family, ..Tally::default() });
            tallies.len() - 1
        });
        for tally in [&mut tallies[at], &mut all] {
            tally.cases += 1;
            tally.cycles = tally.cycles.saturating_add(result.outcome.cycles);
            tally.failed += u64::from(matches!(result.outcome.verdict, Verdict::Failed { .. }));
            tally.time += result.time;
        }
    }
    tallies.sort_by_key(|tally| tally.family);
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(["family", "cases", "cycles", "cycles/s of a core", "failed"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for tally in &tallies {
        table.add_row(tally.row(tally.family));
    }
    table.add_row(all.row("together"));
    let mut text = format!("{}\n\n", table.trim_fmt());
    let buckets = buckets(report);
    for bucket in &buckets {
        failures(&mut text, report, bucket);
        text.push('\n');
    }
    totals(&mut text, report, buckets.len());
    let fresh = report.results.iter().filter(|result| !result.resumed);
    let cycles: u64 = fresh.map(|result| result.outcome.cycles).sum();
    let _ = writeln!(
        text,
        "this run: {cycles} cycles in {:.4} h, {} cycles/s; --resume goes on",
        wall.as_secs_f64() / 3600.0,
        rate(cycles, *wall)
    );
    text
}

fn rate(cycles: u64, time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds > 0.0 => format!("{:.0}", cycles as f64 / seconds),
        _ => "-".to_owned(),
    }
}
