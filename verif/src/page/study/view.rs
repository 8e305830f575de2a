//! The runs of a study as plots look at them: which axes vary, and means over runs.

use crate::reproduce::effect::{mean, RATIO};
use crate::study::baseline::SPEEDUP;
use crate::study::row::Row;
use crate::study::Header;

/// Axes that say what runs, and not on what: means over them compare machines.
const WORK: [&str; 6] = ["workload", "input", "scenario", "trace", "kernel", "seed"];

/// A study with the runs that did not fail.
pub(super) struct View<'a> {
    pub(super) header: &'a Header,
    pub(super) rows: Vec<&'a Row>,
}

impl<'a> View<'a> {
    pub(super) fn new(header: &'a Header, rows: &'a [Row]) -> Self {
        Self { header, rows: rows.iter().filter(|row| row.failure.is_none()).collect() }
    }

    /// The same with the runs of the baseline first: it has one colour in all plots.
    pub(super) fn baseline_first(&self) -> Self {
        let baseline = &self.header.baseline;
        let mut rows = self.rows.clone();
        rows.sort_by_key(|row| {
            baseline.iter().any(|(axis, label)| row.axes.get(axis) != Some(label))
        });
        Self { header: self.header, rows }
    }

    /// The axes on which runs differ, in order.
    pub(super) fn varying(&self) -> Vec<&'a str> {
        let axes = self.header.axes.iter().map(|axis| axis.name.as_str());
        axes.filter(|axis| self.labels(axis).len() > 1).collect()
    }

    /// The labels that runs have on an axis, in order; numbers by size.
    pub(super) fn labels(&self, axis: &str) -> Vec<&'a str> {
        let mut labels: Vec<&str> = Vec::new();
        for label in self.rows.iter().filter_map(|row| row.axes.get(axis)) {
            if !labels.contains(&label.as_str()) {
                labels.push(label);
            }
        }
        labels
    }

    /// Whether an axis is one of numbers that mean a quantity.
    pub(super) fn is_numeric(&self, axis: &str) -> bool {
        axis != "seed" && self.labels(axis).iter().all(|label| number(label).is_some())
    }

    /// The axis whose values are compared: the baseline's, or that of the schedulers, if it varies.
    pub(super) fn compared(&self) -> Option<&'a str> {
        let varying = self.varying();
        let wanted = self.header.baseline.keys().map(String::as_str).chain(["scheduler"]);
        wanted.into_iter().find_map(|axis| varying.iter().find(|own| **own == axis).copied())
    }

    /// Whether any run has that figure.
    pub(super) fn has(&self, figure: &str) -> bool {
        self.rows.iter().any(|row| row.figures.contains_key(figure))
    }
}

/// The mean of a figure: of speed-ups the geometric one.
pub(super) fn average<'a>(
    figure: &str,
    rows: impl IntoIterator<Item = &'a &'a Row>,
) -> Option<f64> {
    let unit = if figure == SPEEDUP { RATIO } else { "" };
    mean(unit, rows.into_iter().map(|row| row.figures.get(figure).copied()))
}

/// Where a row lies on some axes, in one text.
pub(super) fn label(row: &Row, axes: &[&str]) -> String {
    let labels = axes.iter().filter_map(|axis| {
        let label = row.axes.get(*axis)?;
        // A number alone says little.
        Some(if number(label).is_some() { format!("{axis}={label}") } else { label.clone() })
    });
    labels.collect::<Vec<_>>().join(", ")
}

/// Whether an axis says what runs.
pub(super) fn is_work(axis: &str) -> bool {
    WORK.contains(&axis) || axis.starts_with("graph.")
}

pub(super) fn number(label: &str) -> Option<f64> {
    label.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Rows by `key`, in the order in which keys come.
pub(super) fn grouped<'a, K: PartialEq>(
    rows: &[&'a Row],
    key: impl Fn(&Row) -> K,
) -> Vec<(K, Vec<&'a Row>)> {
    let mut groups: Vec<(K, Vec<&Row>)> = Vec::new();
    for row in rows {
        let own = key(row);
        match groups.iter_mut().find(|(key, _)| *key == own) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((own, vec![row])),
        }
    }
    groups
}
