//! The coverage as a page: a table for each part of the design.

use super::{kept, CoverageReport, Row};
use crate::page::{Cell, Page, Section, Table};

/// The page of a report, which `command` has made.
pub fn page(report: &CoverageReport, command: &str) -> Page {
    let title = format!("Coverage of {}, seed {}", report.suite, report.seed);
    let mut words = kept::verdict(report).0;
    if !kept::applies(report) {
        words += "It is not held against the kept list, which is about the whole suite ";
        words += &format!("{}, seed {}.", kept::SUITE.0, kept::SUITE.1);
    }
    let summary = Section::new("Summary").words(words).command(command);
    let page = Page::new(title).with(summary.table(open(report)));
    let mut scopes: Vec<&str> = report.points.iter().map(scope).collect();
    scopes.dedup();
    scopes.into_iter().fold(page, |page, scope_| {
        let rows = report.points.iter().filter(|row| scope(row) == scope_);
        page.with(Section::new(scope_).table(table(format!("Points of {scope_}"), rows)))
    })
}

/// What of the design a point is about: its name up to the last slash.
fn scope(row: &Row) -> &str {
    row.name.rsplit_once('/').map_or("", |(scope, _)| scope)
}

fn open(report: &CoverageReport) -> Table {
    let rows = report.points.iter().filter(|row| row.met == 0 && row.never.is_none());
    table("Points that were not met".to_owned(), rows)
}

fn table<'a>(caption: String, rows: impl Iterator<Item = &'a Row>) -> Table {
    let mut table = Table::new(caption, ["point", "met", "where it is described", "why not"]);
    for row in rows {
        let why = row.never.clone().map_or(Cell::Nothing, Cell::Text);
        let met = Cell::number(Some(row.met as f64));
        let (name, section) = (Cell::Text(row.name.clone()), Cell::Text(row.section.clone()));
        table.rows.push(vec![name, met, section, why]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_page_shows_every_point_and_why_one_cannot_be_met() {
        let row = |name: &str, met, never: Option<&str>| Row {
            name: name.to_owned(),
            section: "x.md, rule 1".to_owned(),
            met,
            never: never.map(str::to_owned),
        };
        let report = CoverageReport {
            suite: "quick".to_owned(),
            seed: 7,
            shards: BTreeSet::from(["1/1".to_owned()]),
            filter: None,
            unfinished: 0,
            points: vec![
                row("a/b", 1234, None),
                row("a/c", 0, Some("of rule 9")),
                row("d/e", 0, None),
            ],
        };
        let text = page(&report, "blockyard regress").html();
        for part in ["1,234", "of rule 9", "Points of a", "Points of d", "not held against"] {
            assert!(text.contains(part), "{part}");
        }
        assert_eq!(text.matches("d/e").count(), 2, "in the summary as well");
    }
}
