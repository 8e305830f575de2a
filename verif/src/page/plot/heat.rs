//! A grid of cells: a row a thing, a column a stretch of time, darker where there is more.

use super::super::number::shown;
use super::frame::{px, Axis, Frame, CHARACTER};
use super::scale::Scale;
use super::Plot;
use maud::{html, Markup};

/// From white to dark blue: only the lightness tells (ColorBrewer's Blues).
const STOPS: [[f64; 3]; 5] = [
    [247.0, 251.0, 255.0],
    [198.0, 219.0, 239.0],
    [107.0, 174.0, 214.0],
    [33.0, 113.0, 181.0],
    [8.0, 48.0, 107.0],
];

/// Steps of the legend.
const STEPS: usize = 8;

/// A grid.
#[derive(Clone, Debug, Default)]
pub struct Heat {
    /// The names of the rows, from the top.
    pub rows: Vec<String>,
    /// Where the first column begins.
    pub start: f64,
    /// What a column is wide.
    pub column: f64,
    /// The values by row and column.
    pub values: Vec<Vec<f64>>,
    /// The value of the darkest colour.
    pub most: f64,
}

impl Heat {
    pub(super) fn draw(&self, plot: &Plot, id: &str) -> Markup {
        let high = (420.0 / self.rows.len().max(1) as f64).clamp(5.0, 22.0);
        let inner = high * self.rows.len() as f64;
        let mut frame = Frame::new(plot, id, inner, (66.0, 92.0), Vec::new());
        frame.label = 38.0;
        frame.beside = self.legend(frame.area.left, frame.area.bottom + 54.0);
        let columns = self.values.iter().map(Vec::len).max().unwrap_or(0);
        let end = self.start + self.column * columns as f64;
        let x = Scale::exact(self.start, end, frame.area.width());
        let top = |row: usize| frame.area.top + high * row as f64;
        // Cells lie a little over their neighbours, so that no gap shows.
        let wide = px(x.at(self.start + self.column) - x.at(self.start) + 0.5);
        let marks = html! {
            g shape-rendering="crispEdges" {
                @for (row, values) in self.values.iter().enumerate() {
                    @for (column, value) in values.iter().enumerate() {
                        @let from = self.start + self.column * column as f64;
                        @let until = shown((from + self.column).round());
                        @let (name, from_text) = (&self.rows[row], shown(from.round()));
                        rect x=(px(x.at(from))) y=(px(top(row))) width=(wide) height=(px(high + 0.3))
                            fill=(self.colour(*value))
                            data-t=(format!("{name}, {from_text} to {until}\n{}", shown(*value))) {}
                    }
                }
            }
        };
        let names = few(&self.rows, high, |row| top(row) + high / 2.0);
        frame.svg(&Axis::of(x, &[]), &Axis::names(names), html! {}, marks)
    }

    fn legend(&self, left: f64, top: f64) -> Markup {
        let step = |number: usize| self.most * number as f64 / (STEPS - 1) as f64;
        html! {
            g class="scale" fill="currentColor" {
                @for number in 0..STEPS {
                    @let left = left + 40.0 * number as f64;
                    rect x=(px(left)) y=(px(top)) width="40" height="10" stroke="currentColor"
                        stroke-opacity="0.4" fill=(self.colour(step(number))) {}
                    text x=(px(left + 20.0)) y=(px(top + 22.0)) font-size="10"
                        text-anchor="middle" { (shown((step(number) * 100.0).round() / 100.0)) }
                }
            }
        }
    }

    fn colour(&self, value: f64) -> String {
        let share = if self.most > 0.0 { (value / self.most).clamp(0.0, 1.0) } else { 0.0 };
        let place = share * (STOPS.len() - 1) as f64;
        let below = (place as usize).min(STOPS.len() - 2);
        let part = |of: usize| {
            let (low, high) = (STOPS[below][of], STOPS[below + 1][of]);
            (low + (high - low) * (place - below as f64)).round() as u8
        };
        format!("#{:02x}{:02x}{:02x}", part(0), part(1), part(2))
    }
}

/// The names of rows that are `high` pixels each, as many as have room.
pub(super) fn few(names: &[String], high: f64, at: impl Fn(usize) -> f64) -> Vec<(f64, String)> {
    let each = (14.0 / high.max(0.1)).ceil().max(1.0) as usize;
    let shortened = |name: &String| name.chars().take((52.0 / CHARACTER) as usize).collect();
    let names = names.iter().enumerate().step_by(each);
    names.map(|(row, name)| (at(row), shortened(name))).collect()
}
