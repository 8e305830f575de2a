//! From values to pixels, and the values that axes name.

use super::super::number::shown;

/// A value of an axis, in pixels, with what is written there.
pub(super) type Tick = (f64, String);

/// From this ratio of the largest to the smallest value on, steps are factors.
const WIDE: f64 = 30.0;

/// Values from `from` to `to` on the pixels from `start` to `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) start: f64,
    pub(super) end: f64,
    is_log: bool,
}

impl Scale {
    /// From `from` to `to`, exactly; one that is empty is made wider.
    pub(super) fn exact(from: f64, to: f64, (start, end): (f64, f64)) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        Self { from, to, start, end, is_log: false }
    }

    /// Wide enough for all `values`, up to the next round ones.
    pub(super) fn round(values: impl Iterator<Item = f64>, pixels: (f64, f64)) -> Self {
        let (least, most) = span(values);
        let most = if most > least { most } else { least + 1.0 };
        let step = step(most - least);
        Self::exact((least / step).floor() * step, (most / step).ceil() * step, pixels)
    }

    /// As [`round`](Self::round), in factors where values are positive and far apart.
    pub(super) fn factors(values: &[f64], pixels: (f64, f64)) -> Self {
        let (least, most) = span(values.iter().copied());
        if least <= 0.0 || most / least < WIDE {
            return Self::round(values.iter().copied(), pixels);
        }
        let room = (most / least).powf(0.03);
        let exact = Self::exact(least / room, most * room, pixels);
        Self { is_log: true, ..exact }
    }

    /// Whether equal distances are equal factors.
    pub(super) fn is_log(&self) -> bool {
        self.is_log
    }

    /// The pixel of a value.
    pub(super) fn at(&self, value: f64) -> f64 {
        let on = |value: f64| if self.is_log { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let share = (on(value) - on(self.from)) / (on(self.to) - on(self.from));
        self.start + share * (self.end - self.start)
    }

    /// Round values with their pixels.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let step = step(self.to - self.from);
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        let values = (first..=last).map(|times| times as f64 * step);
        values.map(|value| (self.at(value), shown((value / step).round() * step))).collect()
    }
}

fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let span = values.filter(|value| value.is_finite());
    let (least, most) = span.fold(none, |(least, most), value| (least.min(value), most.max(value)));
    if least <= most {
        (least, most)
    } else {
        (0.0, 1.0)
    }
}

/// One, two or five times a power of ten, of which about six make `span`.
fn step(span: f64) -> f64 {
    let rough = (span / 6.0).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= rough * 0.999);
    times.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_values_and_name_round_values() {
        let scale = Scale::round([0.0, 1.27].into_iter(), (100.0, 0.0));
        assert_eq!((scale.from, scale.to), (0.0, 1.5));
        let texts: Vec<String> = scale.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["0", "0.5", "1", "1.5"]);
        assert_eq!((scale.at(0.0), scale.at(1.5)), (100.0, 0.0));
    }

    #[test]
    fn values_far_apart_are_factors_unless_one_is_zero() {
        let scale = Scale::factors(&[1.0, 32.0, 1024.0], (0.0, 100.0));
        assert!(scale.is_log() && (scale.at(32.0) - 50.0).abs() < 1e-9);
        assert!(!Scale::factors(&[0.0, 32.0, 1024.0], (0.0, 100.0)).is_log());
        assert!(!Scale::factors(&[100.0, 120.0], (0.0, 100.0)).is_log());
    }

    #[test]
    fn no_value_and_one_value_have_an_axis_too() {
        for values in [vec![], vec![3.0], vec![f64::NAN]] {
            let scale = Scale::round(values.iter().copied(), (0.0, 10.0));
            assert!(scale.to > scale.from && scale.ticks().len() > 1, "{values:?}");
        }
    }
}
