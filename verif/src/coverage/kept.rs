//! The points that the quick suite met when somebody last looked: none of them may be lost unseen.

use super::CoverageReport;
use std::collections::BTreeSet;

/// One name a line, in order; `blockyard coverage F.json --list` prints what it is to be.
pub const KEPT: &str = include_str!("../regress/suites/met.txt");

/// The suite and seed that the list is about.
pub const SUITE: (&str, u64) = ("quick", 1);

/// The names of the list.
pub fn names() -> impl Iterator<Item = &'static str> {
    KEPT.lines()
}

/// Whether a report can be held against the list.
pub fn applies(report: &CoverageReport) -> bool {
    report.is_whole() && (report.suite.as_str(), report.seed) == SUITE
}

/// Names of the list that a report has not met.
pub fn lost(report: &CoverageReport) -> Vec<&'static str> {
    let met = met(report);
    names().filter(|name| !met.contains(name)).collect()
}

/// What a report has met that is not in the list.
pub fn new(report: &CoverageReport) -> Vec<&str> {
    let kept: BTreeSet<&str> = names().collect();
    met(report).into_iter().filter(|name| !kept.contains(name)).collect()
}

/// The names of what a report has met, in order.
pub fn met(report: &CoverageReport) -> BTreeSet<&str> {
    report.points.iter().filter(|row| row.met > 0).map(|row| row.name.as_str()).collect()
}

/// What is to be said of a report, and whether it is worse than the list: a point is lost, or one
/// was met that nothing should meet.
pub fn verdict(report: &CoverageReport) -> (String, bool) {
    let [met, never, open] = report.counts();
    let mut text =
        format!("coverage: {met} points met, {open} not, {never} that nothing can meet\n");
    for row in report.impossible() {
        let why = row.never.as_deref().unwrap_or_default();
        text += &format!("met, but should be impossible: {}: {why}\n", row.name);
    }
    let mut worse = report.impossible().next().is_some();
    if applies(report) {
        for name in lost(report) {
            text += &format!("was met before, and is not any more: {name}\n");
            worse = true;
        }
        let new = new(report).len();
        if new > 0 {
            text += &format!("{new} points are met that the list of kept ones does not have\n");
        }
    }
    (text, worse)
}

#[cfg(test)]
mod tests {
    use super::super::points;
    use super::*;

    #[test]
    fn every_kept_point_exists_and_is_possible_and_the_list_is_in_order() {
        let points = points();
        for name in names() {
            let point = points.iter().find(|point| point.name == name);
            let point = point.unwrap_or_else(|| panic!("`{name}` is no point any more"));
            assert_eq!(point.never, None, "{name}");
        }
        let sorted: BTreeSet<&str> = names().collect();
        assert!(names().eq(sorted), "sorted, and each once");
    }

    #[test]
    fn most_of_what_can_be_met_is_kept() {
        let possible = points().into_iter().filter(|point| point.never.is_none()).count();
        assert!(names().count() * 10 > possible * 9, "{} of {possible}", names().count());
    }
}
