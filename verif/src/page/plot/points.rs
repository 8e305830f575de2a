//! Points of two figures, cost and gain, and those that no other one beats: the Pareto front.

use super::frame::{marker, px, Area, Axis, Frame, Key};
use super::lines::{path, said};
use super::scale::Scale;
use super::style::Style;
use super::Plot;
use maud::{html, Markup};

/// Points; less of `x` is better, and more of `y`.
#[derive(Clone, Debug, Default)]
pub struct Points {
    /// The points by series.
    pub series: Vec<PointSeries>,
}

/// Points that have something in common.
#[derive(Clone, Debug, Default)]
pub struct PointSeries {
    /// What it is of.
    pub name: String,
    /// Its points.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What it costs.
    pub x: f64,
    /// What it gains.
    pub y: f64,
    /// What it is.
    pub name: String,
}

impl Points {
    /// The points that no other one beats: none costs no more and gains as much. By cost.
    pub fn front(&self) -> Vec<&Point> {
        let mut points: Vec<&Point> =
            self.series.iter().flat_map(|series| &series.points).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(b.y.total_cmp(&a.y)));
        let mut best = f64::NEG_INFINITY;
        points.retain(|point| {
            let is_better = point.y > best;
            best = best.max(point.y);
            is_better
        });
        points
    }

    pub(super) fn draw(&self, plot: &Plot, id: &str) -> Markup {
        let keys = self.series.iter().map(|series| (series.name.clone(), Key::Marker)).collect();
        let mut frame = Frame::new(plot, id, 320.0, (66.0, 52.0), keys);
        frame.zoom = "xy";
        let points = || self.series.iter().flat_map(|series| &series.points);
        let across: Vec<f64> = points().map(|point| point.x).collect();
        let x = Scale::factors(&across, frame.area.width());
        let y = Scale::round(points().map(|point| point.y), frame.area.height());
        let at = |point: &Point| (x.at(point.x), y.at(point.y));
        let front = self.front();
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for point in &front {
            let (x, y) = at(point);
            corners.extend(corners.last().map(|last| (x, last.1)));
            corners.push((x, y));
        }
        let stretched = html! {
            path class="front" d=(path(corners.into_iter())) fill="none" stroke="currentColor"
                stroke-opacity="0.6" stroke-dasharray="4 3" vector-effect="non-scaling-stroke" {}
        };
        let marks = html! {
            @for (number, series) in self.series.iter().enumerate() {
                g class="series" data-s=(number) {
                    @for point in &series.points {
                        @let said = said(plot, &point.name, (point.x, point.y));
                        (marker(Style(number), at(point), Some(&said)))
                    }
                }
            }
            @for name in names(&front, at, frame.area) {
                g class="name" transform=(format!("translate({} {})", px(name.at.0), px(name.at.1))) {
                    text x=(if name.right { "8" } else { "-8" })
                        y=(if name.down { "14" } else { "-7" }) font-size="10" fill="currentColor"
                        text-anchor=[(!name.right).then_some("end")] { (name.text) }
                }
            }
        };
        frame.svg(&Axis::of(x, &across), &Axis::of(y, &[]), stretched, marks)
    }
}

/// The name of a point at its place, on the right and below if it says so.
struct Name<'a> {
    text: &'a str,
    at: (f64, f64),
    right: bool,
    down: bool,
}

/// The names of points; one that would lie over another one is left to the pointer.
fn names<'a>(points: &[&'a Point], at: impl Fn(&Point) -> (f64, f64), area: Area) -> Vec<Name<'a>> {
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    let mut names = Vec::new();
    for point in points {
        let (x, y) = at(point);
        let wide = 5.6 * point.name.chars().count() as f64 + 8.0;
        let sides = [(true, false), (true, true), (false, false), (false, true)];
        let free = sides.into_iter().find_map(|(right, down)| {
            let (left, top) = (if right { x } else { x - wide }, if down { y } else { y - 16.0 });
            let is_in = left >= area.left && left + wide <= area.right;
            let is_free = taken.iter().all(|(from, until, other)| {
                left + wide <= *from || left >= *until || (top - other).abs() >= 13.0
            });
            (is_in && is_free).then_some(((left, left + wide, top), (right, down)))
        });
        if let Some((place, (right, down))) = free {
            taken.push(place);
            names.push(Name { text: &point.name, at: (x, y), right, down });
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_on_the_front_unless_one_gains_as_much_for_no_more() {
        let point = |x, y| Point { x, y, name: format!("{x}/{y}") };
        let points = vec![
            point(2.0, 3.0),
            point(1.0, 1.0),
            point(1.0, 2.0),
            point(3.0, 3.0),
            point(4.0, 5.0),
        ];
        let points = Points { series: vec![PointSeries { name: String::new(), points }] };
        let names: Vec<&str> = points.front().iter().map(|point| point.name.as_str()).collect();
        assert_eq!(names, ["1/2", "2/3", "4/5"]);
    }

    #[test]
    fn no_name_lies_over_another_one_or_outside() {
        let area = Area { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };
        let points: Vec<Point> = [0.0, 1.0, 2.0, 99.0, 50.0]
            .into_iter()
            .map(|x| Point { x, y: 50.0, name: "name".to_owned() })
            .collect();
        let points: Vec<&Point> = points.iter().collect();
        let found = names(&points, |point| (point.x, point.y), area);
        let found: Vec<_> = found.iter().map(|name| (name.at.0, (name.right, name.down))).collect();
        let (above, below) = ((true, false), (true, true));
        let expected = [(0.0, above), (1.0, below), (99.0, (false, false)), (50.0, below)];
        assert_eq!(found, expected, "the third has no room");
    }
}
