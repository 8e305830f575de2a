//! Groups of bars, a bar a series.

use super::super::number::shown;
use super::frame::{px, Axis, Frame, Key, CHARACTER};
use super::scale::Scale;
use super::style::Style;
use super::Plot;
use maud::{html, Markup};

/// Share of its room that a group fills.
const FILLED: f64 = 0.84;

/// Groups of bars.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// The names of the groups.
    pub groups: Vec<String>,
    /// A bar in each group.
    pub series: Vec<BarSeries>,
    /// A value at which a line is drawn: the baseline's.
    pub level: Option<f64>,
    /// The number of the first series among the styles: that of the same thing in other plots.
    pub first: usize,
}

/// The bars of a series.
#[derive(Clone, Debug, Default)]
pub struct BarSeries {
    /// What it is of.
    pub name: String,
    /// A value a group, where there is one.
    pub values: Vec<Option<f64>>,
    /// What a paper states, where it does: a black line over the bar.
    pub stated: Vec<Option<f64>>,
}

impl Bars {
    pub(super) fn draw(&self, plot: &Plot, id: &str) -> Markup {
        let longest = self.groups.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let room = 680.0 / self.groups.len().max(1) as f64;
        let is_turned = longest as f64 * CHARACTER > room;
        let label = if plot.x.is_empty() { 0.0 } else { 22.0 };
        let below = label + if is_turned { 28.0 + longest as f64 * CHARACTER * 0.58 } else { 34.0 };
        let keys = self.series.iter().map(|series| (series.name.clone(), Key::Area)).collect();
        let mut frame = Frame::new(plot, id, 280.0, (66.0, below), keys);
        frame.is_turned = is_turned;
        frame.first = self.first;
        let values =
            self.series.iter().flat_map(|series| series.values.iter().chain(&series.stated));
        let values = values.copied().flatten().chain(self.level).chain([0.0]);
        let y = Scale::round(values, frame.area.height());
        let x = Scale::exact(0.0, self.groups.len() as f64, frame.area.width());
        let names = self.groups.iter().enumerate();
        let names = names.map(|(place, name)| (x.at(place as f64 + 0.5), name.clone())).collect();
        let width = FILLED / self.series.len().max(1) as f64;
        let left = |group: usize, series: usize| {
            x.at(group as f64 + (1.0 - FILLED) / 2.0 + width * series as f64)
        };
        let wide = px((x.at(width) - x.at(0.0)) * 0.92);
        let marks = html! {
            @for (number, series) in self.series.iter().enumerate() {
                g class="series" data-s=(number) {
                    @for (group, value) in each(&series.values) {
                        @let (top, bottom) = (y.at(value.max(0.0)), y.at(value.min(0.0)));
                        rect x=(px(left(group, number))) y=(px(top)) width=(wide)
                            height=(px((bottom - top).max(0.5)))
                            fill=(Style(self.first + number).fill(id))
                            data-t=(self.said(group, series, value)) {}
                    }
                    @for (group, value) in each(&series.stated) {
                        rect x=(px(left(group, number))) y=(px(y.at(value) - 1.5)) width=(wide)
                            height="3" fill="currentColor" stroke="#fff" stroke-width="0.5"
                            data-t=(self.stated(group, series, value)) {}
                    }
                }
            }
        };
        let level = html! {
            @if let Some(level) = self.level {
                @let (left, right) = (px(frame.area.left), px(frame.area.right));
                path d=(format!("M{left} {}H{right}", px(y.at(level)))) stroke="currentColor"
                    stroke-dasharray="5 4" {}
            }
        };
        frame.svg(&Axis::names(names), &Axis::of(y, &[]), level, marks)
    }

    fn stated(&self, group: usize, series: &BarSeries, value: f64) -> String {
        format!("{}\n{}: the paper has {}", self.groups[group], series.name, shown(value))
    }

    fn said(&self, group: usize, series: &BarSeries, value: f64) -> String {
        let stated = series.stated.get(group).copied().flatten();
        let stated =
            stated.map_or(String::new(), |stated| format!("\nthe paper has {}", shown(stated)));
        format!("{}\n{}: {}{stated}", self.groups[group], series.name, shown(value))
    }
}

/// The values that are there, with their groups.
fn each(values: &[Option<f64>]) -> impl Iterator<Item = (usize, f64)> + '_ {
    values.iter().enumerate().filter_map(|(group, value)| Some((group, (*value)?)))
}
