//! Plots as SVG: the same drawing in a page, in a file, and as PNG.
//!
//! ```text
//!   Plot --> bars, lines, points, heat, gantt (marks) --> frame (axes, legend) --> SVG --> png
//!                  \--> scale (values to pixels), style (colour, dash, marker, hatch)
//! ```

mod bars;
mod frame;
mod gantt;
mod heat;
mod lines;
pub mod png;
mod points;
mod scale;
mod style;

pub use bars::{BarSeries, Bars};
pub use gantt::{Gantt, GanttBar};
pub use heat::Heat;
pub use lines::{LineSeries, Lines};
pub use points::{Point, PointSeries, Points};

use maud::Markup;

/// Pixels of width of a plot.
pub(super) const WIDTH: f64 = 760.0;

/// What is drawn, with its words.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// What the horizontal axis has, with its unit.
    pub x: String,
    /// What the vertical axis has, with its unit.
    pub y: String,
    /// What a reader should know: of what values are the mean, what was left out.
    pub note: String,
    /// The command that makes it.
    pub command: String,
    /// The marks.
    pub marks: Marks,
}

/// The kinds of plots.
#[derive(Clone, Debug)]
pub enum Marks {
    /// Groups of bars.
    Bars(Bars),
    /// Lines over numbers.
    Lines(Lines),
    /// Points of two figures, with those that no other one beats.
    Points(Points),
    /// A grid of cells over time.
    Heat(Heat),
    /// What runs where, over time.
    Gantt(Gantt),
}

impl Plot {
    /// The drawing as an element of a page in which `id` is unique.
    pub(super) fn drawing(&self, id: &str) -> Markup {
        match &self.marks {
            Marks::Bars(bars) => bars.draw(self, id),
            Marks::Lines(lines) => lines.draw(self, id),
            Marks::Points(points) => points.draw(self, id),
            Marks::Heat(heat) => heat.draw(self, id),
            Marks::Gantt(gantt) => gantt.draw(self, id),
        }
    }

    /// The drawing as a file.
    pub fn svg(&self) -> String {
        self.drawing("p").into_string()
            + "
"
    }

    /// The title as the name of a file, without its ending.
    pub fn name(&self) -> String {
        let lower = self.title.to_lowercase();
        let words =
            lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("-")
    }
}
