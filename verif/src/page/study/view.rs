//! The runs of a study as plots look at them: which axes vary, and means over runs.

use crate::reproduce::effect::{mean, RATIO};
use crate::study::baseline::SPEEDUP;
use crate::study::interval;
use crate::study::row::Row;
use crate::study::Header;

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

    /// Whether an axis says what runs, and not on what.
    pub(super) fn is_work(&self, axis: &str) -> bool {
        self.header.axes.iter().any(|own| own.name == axis && own.work)
    }

    /// The axis whose values are compared: the baseline's, or that of the schedulers, if it varies.
    pub(super) fn compared(&self) -> Option<&'a str> {
        let varying = self.varying();
        let wanted = self.header.baseline.keys().map(String::as_str).chain(["scheduler"]);
        wanted.into_iter().find_map(|axis| varying.iter().find(|own| **own == axis).copied())
    }

    /// What plots over numbers show: what the study says, else IPC, or cycles where nothing has
    /// instructions.
    pub(super) fn figures(&self) -> Vec<&'a str> {
        match self.header.figures.as_slice() {
            [] if self.has("ipc") => vec!["ipc"],
            [] => vec!["cycles"],
            figures => figures.iter().map(String::as_str).collect(),
        }
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

/// Half of the 95 % confidence interval of that mean, where seeds vary: one value a seed, the mean
/// of its rows.
pub(super) fn interval(figure: &str, rows: &[&Row]) -> Option<f64> {
    let by_seed = grouped(rows, |row| row.axes.get("seed").cloned());
    let values: Option<Vec<f64>> = by_seed
        .iter()
        .map(|(seed, rows)| seed.as_ref().and_then(|_| average(figure, rows)))
        .collect();
    interval::mean(&values?).1
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
