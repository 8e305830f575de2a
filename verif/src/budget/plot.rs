//! A sweep as a picture: bytes of the whole GPU against one parameter.

use super::sweep::Sweep;
use super::{Budget, Total};
use crate::page::plot::{LineSeries, Lines, Marks, Plot};
use crate::palette::COLOURS;

/// Why a sweep cannot be drawn.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum PlotError {
    /// No parameter can be the axis.
    #[error(
        "there is nothing to plot against: no parameter of the sweep takes two or more numbers"
    )]
    #[diagnostic(help("expected --sweep with a key of two or more numbers: gpu.smx=4,8,13"))]
    NoNumbers,
    /// More lines than colours.
    #[error("{0} lines cannot be told apart")]
    #[diagnostic(help("expected at most {} combinations of the other parameters", COLOURS.len()))]
    TooMany(usize),
}

/// The SVG of a sweep: the last parameter that takes numbers is the horizontal axis, and there is a
/// line for each combination of the others, or, where there are no others, for each kind of
/// storage.
///
/// # Errors
/// When no parameter takes numbers, or there are too many lines.
pub fn svg(
    scheduler: &str,
    sweeps: &[Sweep],
    budgets: &[(Vec<String>, Budget)],
) -> Result<String, PlotError> {
    let axis = axis(sweeps)?;
    let mut series = lines(sweeps, axis, budgets);
    if let [whole] = series.as_mut_slice() {
        whole.name = "all".to_owned();
        series.extend(kinds(axis, budgets));
    }
    if series.len() > COLOURS.len() {
        return Err(PlotError::TooMany(series.len()));
    }
    let is_swept = |key| sweeps.iter().any(|sweep| sweep.key == key);
    let whose = if is_swept("scheduler") { "schedulers" } else { scheduler };
    let launch = budgets.first().filter(|_| !is_swept("launch"));
    let launch =
        launch.map_or(String::new(), |(_, budget)| format!(", --launch {}", budget.launch));
    let plot = Plot {
        title: format!("Storage of {whose}{launch}"),
        x: sweeps[axis].key.clone(),
        y: "kilobytes (1,024 bytes) of the whole GPU".to_owned(),
        note: String::new(),
        command: String::new(),
        marks: Marks::Lines(Lines { series, from_zero: true }),
    };
    Ok(plot.svg())
}

/// The place of the parameter that is the horizontal axis.
///
/// # Errors
/// When no parameter takes numbers, or there are too many lines.
pub fn axis(sweeps: &[Sweep]) -> Result<usize, PlotError> {
    let axis = sweeps.iter().rposition(is_axis).ok_or(PlotError::NoNumbers)?;
    let others = sweeps.iter().enumerate().filter(|(place, _)| *place != axis);
    match others.map(|(_, sweep)| sweep.values.len()).product() {
        lines if lines > COLOURS.len() => Err(PlotError::TooMany(lines)),
        _ => Ok(axis),
    }
}

fn is_axis(sweep: &Sweep) -> bool {
    sweep.values.len() > 1 && sweep.values.iter().all(|value| number(value).is_some())
}

fn number(value: &str) -> Option<f64> {
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

fn lines(sweeps: &[Sweep], axis: usize, budgets: &[(Vec<String>, Budget)]) -> Vec<LineSeries> {
    let mut lines: Vec<LineSeries> = Vec::new();
    for (values, budget) in budgets {
        let others = sweeps.iter().zip(values).enumerate().filter(|(place, _)| *place != axis);
        let label: Vec<String> =
            others.map(|(_, (sweep, value))| format!("{}={value}", sweep.key)).collect();
        let label = label.join(", ");
        let point = (number(&values[axis]).unwrap_or_default(), kilobytes(budget.total.bits));
        match lines.iter_mut().find(|line| line.name == label) {
            Some(line) => line.points.push(point),
            None => {
                lines.push(LineSeries { name: label, points: vec![point], intervals: Vec::new() })
            }
        }
    }
    for line in &mut lines {
        line.points.sort_by(|left, right| left.0.total_cmp(&right.0));
    }
    lines
}

/// The bits of one kind of storage.
type Bits = fn(&Total) -> u64;

/// A line for each kind of storage that there is.
fn kinds(axis: usize, budgets: &[(Vec<String>, Budget)]) -> Vec<LineSeries> {
    let kinds: [(&str, Bits); 3] = [
        ("flip-flops", |total| total.register_bits),
        ("register files", |total| total.register_file_bits),
        ("SRAM", |total| total.sram_bits),
    ];
    let there =
        |(_, bits): &(&str, Bits)| budgets.iter().any(|(_, budget)| bits(&budget.total) > 0);
    let line = |(name, bits): (&str, Bits)| LineSeries {
        name: name.to_owned(),
        points: points(axis, budgets, |budget| bits(&budget.total)),
        intervals: Vec::new(),
    };
    kinds.into_iter().filter(there).map(line).collect()
}

fn points(
    axis: usize,
    budgets: &[(Vec<String>, Budget)],
    bits: impl Fn(&Budget) -> u64,
) -> Vec<(f64, f64)> {
    let point = |(values, budget): &(Vec<String>, Budget)| {
        (number(&values[axis]).unwrap_or_default(), kilobytes(bits(budget)))
    };
    let mut points: Vec<_> = budgets.iter().map(point).collect();
    points.sort_by(|left, right| left.0.total_cmp(&right.0));
    points
}

fn kilobytes(bits: u64) -> f64 {
    bits as f64 / 8.0 / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(text: &str) -> Sweep {
        Sweep::parse(text).expect("it reads")
    }

    #[test]
    fn only_a_parameter_of_two_numbers_is_an_axis() {
        assert!(is_axis(&sweep("smx=4,13")));
        assert!(!is_axis(&sweep("smx=4")));
        assert!(!is_axis(&sweep("laperm.queue=linked,shifting")));
        assert!(!is_axis(&sweep("smx=4,inf")));
        let refused = svg("rr", &[sweep("smx=4")], &[]);
        assert!(matches!(refused, Err(PlotError::NoNumbers)));
    }
}
