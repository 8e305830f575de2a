//! Lines over a number, with a marker a value.

use super::super::number::shown;
use super::frame::{marker, px, Axis, Frame, Key};
use super::scale::Scale;
use super::style::Style;
use super::Plot;
use maud::{html, Markup};

/// Lines.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The lines.
    pub series: Vec<LineSeries>,
    /// Whether the vertical axis begins at zero.
    pub from_zero: bool,
}

/// A line.
#[derive(Clone, Debug, Default)]
pub struct LineSeries {
    /// What it is of.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

impl Lines {
    pub(super) fn draw(&self, plot: &Plot, id: &str) -> Markup {
        let named = self.series.iter().filter(|line| !line.name.is_empty());
        let keys = named.map(|line| (line.name.clone(), Key::Line)).collect();
        let mut frame = Frame::new(plot, id, 300.0, (66.0, 52.0), keys);
        frame.zoom = "xy";
        let points = || self.series.iter().flat_map(|line| &line.points);
        let across: Vec<f64> = points().map(|point| point.0).collect();
        let x = Scale::factors(&across, frame.area.width());
        let zero = self.from_zero.then_some(0.0);
        let y = Scale::round(points().map(|point| point.1).chain(zero), frame.area.height());
        let at = |point: &(f64, f64)| (x.at(point.0), y.at(point.1));
        let stretched = html! {
            @for (number, line) in self.series.iter().enumerate() {
                path class="series" data-s=(number) d=(path(line.points.iter().map(at))) fill="none"
                    stroke=(Style(number).colour()) stroke-width="2"
                    stroke-dasharray=(Style(number).dash()) vector-effect="non-scaling-stroke" {}
            }
        };
        let marks = html! {
            @for (number, line) in self.series.iter().enumerate() {
                g class="series" data-s=(number) {
                    @for point in &line.points {
                        @let said = said(plot, &line.name, *point);
                        (marker(Style(number), at(point), Some(said.trim_start())))
                    }
                }
            }
        };
        frame.svg(&Axis::of(x, &across), &Axis::of(y, &[]), stretched, marks)
    }
}

/// What a point of a plot says under the pointer.
pub(super) fn said(plot: &Plot, name: &str, (x, y): (f64, f64)) -> String {
    format!("{name}\n{}: {}\n{}: {}", plot.x, shown(x), plot.y, shown(y))
}

/// A path through points.
pub(super) fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let points: Vec<String> = points.map(|(x, y)| format!("{} {}", px(x), px(y))).collect();
    format!("M{}", points.join("L"))
}
