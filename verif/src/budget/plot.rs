//! A sweep as a picture: bytes of the whole GPU against one parameter.

use super::sweep::Sweep;
use super::Budget;
use crate::palette::COLOURS;
use plotters::prelude::*;

const SIZE: (u32, u32) = (860, 520);

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
    /// The drawing failed.
    #[error("cannot draw the plot: {0}")]
    Drawing(String),
}

/// The points of one line.
struct Series<'a> {
    label: String,
    points: Vec<(f64, &'a Budget)>,
}

/// The SVG of a sweep: the last parameter that takes numbers is the horizontal axis, and there is a line
/// for each combination of the others.
///
/// # Errors
/// When no parameter takes numbers, or there are too many lines.
pub fn svg(
    scheduler: &str,
    sweeps: &[Sweep],
    budgets: &[(Vec<String>, Budget)],
) -> Result<String, PlotError> {
    let axis = sweeps.iter().rposition(is_axis).ok_or(PlotError::NoNumbers)?;
    let series = lines(sweeps, axis, budgets);
    if series.len() > COLOURS.len() {
        return Err(PlotError::TooMany(series.len()));
    }
    let mut text = String::new();
    let launch = budgets.first().map_or("", |(_, budget)| budget.launch);
    let title = format!("Storage of {scheduler}, --launch {launch}");
    draw(&mut text, &title, &sweeps[axis].key, &series)
        .map_err(|error| PlotError::Drawing(error.to_string()))?;
    Ok(text)
}

fn is_axis(sweep: &Sweep) -> bool {
    sweep.values.len() > 1 && sweep.values.iter().all(|value| number(value).is_some())
}

fn number(value: &str) -> Option<f64> {
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

fn lines<'a>(
    sweeps: &[Sweep],
    axis: usize,
    budgets: &'a [(Vec<String>, Budget)],
) -> Vec<Series<'a>> {
    let mut lines: Vec<Series> = Vec::new();
    for (values, budget) in budgets {
        let others = sweeps.iter().zip(values).enumerate().filter(|(place, _)| *place != axis);
        let label: Vec<String> =
            others.map(|(_, (sweep, value))| format!("{}={value}", sweep.key)).collect();
        let label = label.join(", ");
        let point = (number(&values[axis]).unwrap_or_default(), budget);
        match lines.iter_mut().find(|line| line.label == label) {
            Some(line) => line.points.push(point),
            None => lines.push(Series { label, points: vec![point] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|left, right| left.0.total_cmp(&right.0));
    }
    lines
}

/// Up to three decimals.
fn plain(number: &f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn kilobytes(budget: &Budget) -> f64 {
    budget.total.bits as f64 / 8.0 / 1024.0
}

fn draw(
    text: &mut String,
    title: &str,
    key: &str,
    series: &[Series],
) -> Result<(), Box<dyn std::error::Error>> {
    let all = || series.iter().flat_map(|line| &line.points);
    let legend = series.iter().any(|line| !line.label.is_empty());
    // The legend stands above the lines.
    let room = if legend { 1.08 + 0.06 * series.len() as f64 } else { 1.08 };
    let most = all().map(|(_, budget)| kilobytes(budget)).fold(0.0, f64::max) * room;
    let last = all().map(|(x, _)| *x).fold(0.0, f64::max) * 1.03;
    let first = all().map(|(x, _)| *x).fold(0.0, f64::min);
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(72)
        .build_cartesian_2d(first..last, 0.0..most.max(1e-3))?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.15))
        .x_label_formatter(&plain)
        .y_label_formatter(&plain)
        .x_desc(key)
        .y_desc("kilobytes (1,024 bytes) of the whole GPU")
        .label_style(("sans-serif", 14))
        .draw()?;
    for (line, colour) in series.iter().zip(COLOURS) {
        let points = line.points.iter().map(|(x, budget)| (*x, kilobytes(budget)));
        let drawn = chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
        if !line.label.is_empty() {
            drawn.label(&line.label).legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2))
            });
        }
        let dot =
            |(x, budget): &(f64, &Budget)| Circle::new((*x, kilobytes(budget)), 4, colour.filled());
        chart.draw_series(line.points.iter().map(dot))?;
    }
    if legend {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE)
            .border_style(BLACK)
            .label_font(("sans-serif", 14))
            .draw()?;
    }
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(text: &str) -> Sweep {
        Sweep::parse(text).expect("it reads")
    }

    #[test]
    fn ticks_have_no_zeros_behind_them() {
        assert_eq!(
            [0.0, 20.0, 0.125, 100.0].map(|number| plain(&number)),
            ["0", "20", "0.125", "100"]
        );
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
