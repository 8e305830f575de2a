//! What is around the marks: title, axes with their grid, the legend.
//!
//! The script of the page finds what it needs in attributes: `data-x` and `data-y` have the values
//! at the ends of a linear axis, `data-area` the pixels of the marks, `data-zoom` the axes that can
//! be zoomed. `.stretch` has paths, `.marks` rectangles and markers, which carry their values in
//! `data-t`.

use super::scale::{Scale, Tick};
use super::style::Style;
use super::{Plot, WIDTH};
use maud::{html, Markup};

/// Pixels of a line of the legend.
const LINE: f64 = 20.0;
/// Pixels of a character, on average.
pub(super) const CHARACTER: f64 = 6.4;
const FONT: &str = "Ubuntu, 'DejaVu Sans', Arial, sans-serif";

/// How a series is shown in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Area,
    Line,
    Marker,
}

/// The pixels of the marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(self) -> (f64, f64) {
        (self.left, self.right)
    }

    /// From the bottom up.
    pub(super) fn height(self) -> (f64, f64) {
        (self.bottom, self.top)
    }
}

/// An axis: its ticks, and its scale if new ones can be made from it.
pub(super) struct Axis {
    pub(super) ticks: Vec<Tick>,
    pub(super) scale: Option<Scale>,
}

impl Axis {
    /// Round values of a linear scale; of one in factors, those of `values` that have room.
    pub(super) fn of(scale: Scale, values: &[f64]) -> Self {
        if !scale.is_log() {
            return Self { ticks: scale.ticks(), scale: Some(scale) };
        }
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        let mut ticks: Vec<Tick> = Vec::new();
        for value in values {
            let text = super::super::number::shown(value);
            let tick = (scale.at(value), text);
            let room = (tick.1.len() as f64 + 2.0) * CHARACTER;
            if ticks.last().is_none_or(|last| (tick.0 - last.0).abs() > room) {
                ticks.push(tick);
            }
        }
        Self { ticks, scale: None }
    }

    /// Names at their places.
    pub(super) fn names(ticks: Vec<Tick>) -> Self {
        Self { ticks, scale: None }
    }

    fn ends(&self) -> Option<String> {
        self.scale.map(|scale| format!("{},{}", scale.from, scale.to))
    }
}

/// The frame of a plot.
pub(super) struct Frame<'a> {
    plot: &'a Plot,
    id: &'a str,
    height: f64,
    keys: Vec<(String, Key)>,
    /// Where marks go.
    pub(super) area: Area,
    /// Axes that can be zoomed: `x` or `xy`.
    pub(super) zoom: &'static str,
    /// Whether the names of the horizontal axis are turned.
    pub(super) is_turned: bool,
    /// How far below the marks the name of the horizontal axis stands.
    pub(super) label: f64,
    /// The style of the first series.
    pub(super) first: usize,
    /// What else stands beside the marks.
    pub(super) beside: Markup,
}

impl<'a> Frame<'a> {
    /// A frame for marks of that height, with room on the left and below; the legend is above.
    pub(super) fn new(
        plot: &'a Plot,
        id: &'a str,
        inner: f64,
        (left, below): (f64, f64),
        keys: Vec<(String, Key)>,
    ) -> Self {
        let lines = places(&keys).last().map_or(0.0, |(_, line)| line + 1.0);
        let top = 34.0 + LINE * lines + if lines > 0.0 { 10.0 } else { 0.0 };
        let area = Area { left, top, right: WIDTH - 26.0, bottom: top + inner };
        let height = area.bottom + below;
        Self {
            plot,
            id,
            height,
            keys,
            area,
            zoom: "x",
            is_turned: false,
            label: below - 10.0,
            first: 0,
            beside: html! {},
        }
    }

    /// The whole drawing.
    pub(super) fn svg(&self, x: &Axis, y: &Axis, stretched: Markup, marks: Markup) -> Markup {
        let Area { left, top, right, bottom } = self.area;
        let clip = format!("{}-clip", self.id);
        let beyond = if self.zoom == "xy" { 6.0 } else { 0.0 };
        let (width, height) = (px(WIDTH), px(self.height));
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="plot" role="group" width=(width)
                height=(height) viewBox=(format!("0 0 {width} {height}")) color="#000"
                aria-label=(self.plot.title) font-family=(FONT) font-size="12"
                data-area=(format!("{left},{top},{right},{bottom}")) data-zoom=(self.zoom)
                data-x=[x.ends()] data-y=[y.ends()] {
                defs {
                    @for number in 0..self.keys.len() {
                        (Style(self.first + number).hatch(self.id))
                    }
                    clipPath id=(clip) {
                        // Markers at the ends are whole.
                        rect x=(px(left - beyond)) y=(px(top - 7.0))
                            width=(px(right - left + 2.0 * beyond))
                            height=(px(bottom - top + 14.0)) {}
                    }
                }
                rect class="paper" width=(width) height=(height) fill="#fff" {}
                text x="12" y="22" font-size="15" font-weight="bold" fill="currentColor" {
                    (self.plot.title)
                }
                (self.legend())
                (self.beside)
                (self.vertical(y))
                (self.horizontal(x))
                g clip-path=(format!("url(#{clip})")) {
                    g class="stretch" { (stretched) }
                    g class="marks" { (marks) }
                }
                path d=(format!("M{left} {top}V{bottom}H{right}")) stroke="currentColor"
                    fill="none" {}
            }
        }
    }

    fn vertical(&self, axis: &Axis) -> Markup {
        let Area { left, top, right, bottom } = self.area;
        let middle = (top + bottom) / 2.0;
        html! {
            g class="y-ticks" text-anchor="end" fill="currentColor" {
                @for (at, text) in &axis.ticks {
                    g transform=(format!("translate(0 {})", px(*at))) {
                        path d=(format!("M{left} 0H{right}")) stroke="currentColor"
                            stroke-opacity="0.15" {}
                        text x=(px(left - 6.0)) y="4" { (text) }
                    }
                }
            }
            text transform=(format!("translate(14 {}) rotate(-90)", px(middle)))
                text-anchor="middle" fill="currentColor" { (self.plot.y) }
        }
    }

    fn horizontal(&self, axis: &Axis) -> Markup {
        let Area { left, right, bottom, .. } = self.area;
        let (anchor, turn) =
            if self.is_turned { ("end", Some("rotate(-35)")) } else { ("middle", None) };
        let (x, y) = if self.is_turned { ("0", "12") } else { ("0", "18") };
        html! {
            g class="x-ticks" text-anchor=(anchor) fill="currentColor" {
                @for (at, text) in &axis.ticks {
                    g transform=(format!("translate({} {})", px(*at), px(bottom))) {
                        path d="M0 0v5" stroke="currentColor" {}
                        text x=(x) y=(y) transform=[turn] { (text) }
                    }
                }
            }
            text x=(px((left + right) / 2.0)) y=(px(bottom + self.label)) text-anchor="middle"
                fill="currentColor" { (self.plot.x) }
        }
    }

    fn legend(&self) -> Markup {
        let keys = self.keys.iter().zip(places(&self.keys)).enumerate();
        html! {
            g class="legend" {
                @for (number, ((name, key), (x, line))) in keys {
                    g class="key" data-s=(number)
                        transform=(format!("translate({} {})", px(x), px(34.0 + LINE * line))) {
                        rect width=(px(key_width(name) - 6.0)) height="18" fill="none"
                            pointer-events="all" {}
                        (sample(Style(self.first + number), *key, self.id))
                        text x="32" y="13" fill="currentColor" { (name) }
                    }
                }
            }
        }
    }
}

fn sample(style: Style, key: Key, id: &str) -> Markup {
    let colour = style.colour();
    html! {
        @match key {
            Key::Area => rect x="2" y="2" width="24" height="14" fill=(style.fill(id)) {},
            Key::Line => {
                path d="M0 9h28" stroke=(colour) stroke-width="2" stroke-dasharray=(style.dash()) {}
                (marker(style, (14.0, 9.0), None))
            },
            Key::Marker => (marker(style, (14.0, 9.0), None)),
        }
    }
}

/// The marker of a series, with what it says under the pointer.
pub(super) fn marker(style: Style, (x, y): (f64, f64), said: Option<&str>) -> Markup {
    let colour = style.colour();
    html! {
        path transform=(format!("translate({} {})", px(x), px(y))) d=(style.marker()) fill=(colour)
            stroke=(colour) stroke-width="1.5" data-t=[said] {}
    }
}

fn key_width(name: &str) -> f64 {
    44.0 + CHARACTER * name.chars().count() as f64
}

/// For each key its pixel and its line.
fn places(keys: &[(String, Key)]) -> Vec<(f64, f64)> {
    let (mut x, mut line) = (12.0, 0.0);
    let place = |(name, _): &(String, Key)| {
        if x > 12.0 && x + key_width(name) > WIDTH {
            (x, line) = (12.0, line + 1.0);
        }
        let place = (x, line);
        x += key_width(name);
        place
    };
    keys.iter().map(place).collect()
}

/// A pixel with one digit behind the point, where there is something.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
