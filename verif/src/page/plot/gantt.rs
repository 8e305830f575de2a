//! What runs where and when: a row a place, a bar for each thing that ran there.

use super::frame::{px, Axis, Frame, Key};
use super::heat::few;
use super::scale::Scale;
use super::style::Style;
use super::Plot;
use maud::{html, Markup};

/// Bars by place and time.
#[derive(Clone, Debug, Default)]
pub struct Gantt {
    /// The places from the top, each with its number of lanes.
    pub rows: Vec<(String, usize)>,
    /// What bars are of.
    pub series: Vec<String>,
    /// The bars.
    pub bars: Vec<GanttBar>,
    /// The first time and the last one.
    pub span: (u64, u64),
}

/// Something that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GanttBar {
    /// Its row.
    pub row: usize,
    /// Its lane in the row.
    pub lane: usize,
    /// Its series.
    pub series: usize,
    /// From when on.
    pub from: u64,
    /// Until when.
    pub until: u64,
    /// What it is.
    pub name: String,
}

impl Gantt {
    pub(super) fn draw(&self, plot: &Plot, id: &str) -> Markup {
        let lanes: usize = self.rows.iter().map(|(_, lanes)| lanes).sum();
        let high = (480.0 / lanes.max(1) as f64).clamp(3.0, 14.0);
        let gaps = 3.0 * self.rows.len() as f64;
        let keys = self.series.iter().map(|name| (name.clone(), Key::Area)).collect();
        let frame = Frame::new(plot, id, high * lanes as f64 + gaps, (66.0, 52.0), keys);
        let x = Scale::exact(self.span.0 as f64, self.span.1 as f64, frame.area.width());
        let mut tops = Vec::new();
        let mut top = frame.area.top + 1.5;
        for (_, lanes) in &self.rows {
            tops.push(top);
            top += high * *lanes as f64 + 3.0;
        }
        let marks = html! {
            @for number in 0..self.series.len() {
                g class="series" data-s=(number) fill=(Style(number).fill(id)) {
                    @for bar in self.bars.iter().filter(|bar| bar.series == number) {
                        @let (from, until) = (x.at(bar.from as f64), x.at(bar.until as f64));
                        // Neighbours are told apart where there is room.
                        @let gap = if until - from > 3.0 { 0.6 } else { 0.0 };
                        rect x=(px(from)) y=(px(tops[bar.row] + high * bar.lane as f64))
                            width=(px((until - from - gap).max(0.3))) height=(px(high - 1.0))
                            data-t=(bar.name) {}
                    }
                }
            }
        };
        let places: Vec<String> = self.rows.iter().map(|(name, _)| name.clone()).collect();
        let least = self.rows.iter().map(|(_, lanes)| *lanes).min().unwrap_or(1);
        let names = few(&places, high * least as f64 + 3.0, |row| {
            tops[row] + high * self.rows[row].1 as f64 / 2.0
        });
        frame.svg(&Axis::of(x, &[]), &Axis::names(names), html! {}, marks)
    }
}
