//! What a Bayesian search expects of candidates that were not tried yet.
//!
//! A [Gaussian process](super::process) over the searched axes, and the improvement over the best
//! one so far that it lets expect (Jones, Schonlau and Welch: Efficient Global Optimization of
//! Expensive Black-Box Functions, Journal of Global Optimization 13, 1998, section 4). Its
//! functions are those of `libm`, so that every machine chooses the same candidates.

use super::candidates::Axes;
use super::process::Process;
use crate::study::axis::Axis;
use std::collections::HashMap;
use std::f64::consts::{PI, SQRT_2};

/// How far values of an axis speak for each other, as a part of the axis from its first to its last
/// value. Of 0.2, 0.3 and 0.5, tried on functions of two axes that no run has to do with, it was
/// the best of few.
const REACH: f64 = 0.3;

/// The square of how far two names are from each other, by [`REACH`]: their correlation is 1/e.
const BETWEEN_NAMES: f64 = 2.0;

/// Where a candidate lies on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Coordinate {
    /// Nowhere: it does not lie on it.
    Off,
    /// The place of a number among the axis' values, from 0 to 1.
    Number(f64),
    /// The place of a name.
    Name(usize),
}

type Place = Vec<Coordinate>;

/// See the module.
pub(super) struct Model {
    /// The searched axes, with the coordinate of each value.
    axes: Vec<(String, HashMap<String, Coordinate>)>,
    process: Process<Place>,
    /// The least value that was seen.
    best: f64,
}

impl Model {
    /// Learns from candidates that were `tried`, each with a score of which less is better, or
    /// infinity if it failed; `searched` are the names of the axes that count.
    pub fn new(axes: &[Axis], searched: &[String], tried: &[(&Axes, f64)]) -> Self {
        let searched = axes.iter().filter(|axis| searched.contains(&axis.name));
        let axes = searched.map(|axis| (axis.name.clone(), coordinates(axis))).collect();
        let mut model = Self { axes, process: Process::new(correlation), best: f64::INFINITY };
        let scores: Vec<f64> = tried.iter().map(|(_, score)| *score).collect();
        for ((axes, _), score) in tried.iter().zip(standard(&scores)) {
            model.process.see(model.place(axes), score);
            model.best = model.best.min(score);
        }
        model
    }

    /// The improvement over the best one that may be expected of a candidate; not negative.
    pub fn promise(&self, candidate: &Axes) -> f64 {
        let (mean, deviation) = self.process.expect(&self.place(candidate));
        let gain = self.best - mean;
        if deviation == 0.0 {
            return gain.max(0.0);
        }
        let u = gain / deviation;
        let below = (1.0 + libm::erf(u / SQRT_2)) / 2.0;
        gain * below + deviation * libm::exp(-u * u / 2.0) / (2.0 * PI).sqrt()
    }

    /// Takes for granted that a candidate, which is about to be tried, is as expected, so that
    /// another one is not chosen for the same reason.
    pub fn believe(&mut self, candidate: &Axes) {
        let place = self.place(candidate);
        let (mean, _) = self.process.expect(&place);
        self.process.see(place, mean);
    }

    fn place(&self, axes: &Axes) -> Place {
        let on = |(name, values): &(String, HashMap<String, Coordinate>)| {
            axes.get(name).and_then(|label| values.get(label)).copied().unwrap_or(Coordinate::Off)
        };
        self.axes.iter().map(on).collect()
    }
}

fn coordinates(axis: &Axis) -> HashMap<String, Coordinate> {
    let labels: Vec<String> = axis.iter().map(|value| value.label).collect();
    let are_numbers = labels.iter().all(|label| label.parse::<f64>().is_ok());
    let last = (labels.len().max(2) - 1) as f64;
    let coordinate = |place: usize| match are_numbers {
        true => Coordinate::Number(place as f64 / last),
        false => Coordinate::Name(place),
    };
    labels.into_iter().enumerate().map(|(place, label)| (label, coordinate(place))).collect()
}

fn correlation(a: &Place, b: &Place) -> f64 {
    let square = |(a, b): (&Coordinate, &Coordinate)| match (a, b) {
        (Coordinate::Number(a), Coordinate::Number(b)) => ((a - b) / REACH).powi(2),
        (a, b) if a == b => 0.0,
        _ => BETWEEN_NAMES,
    };
    libm::exp(-a.iter().zip(b).map(square).sum::<f64>() / 2.0)
}

/// The scores with mean 0 and standard deviation 1: their logarithms, if all have one sign and
/// ratios mean something. One that failed counts as the worst.
fn standard(scores: &[f64]) -> Vec<f64> {
    let finite = || scores.iter().copied().filter(|score| score.is_finite());
    let worst = finite().fold(f64::NEG_INFINITY, f64::max);
    let worst = if worst.is_finite() { worst } else { 0.0 };
    let (positive, negative) =
        (finite().all(|score| score > 0.0), finite().all(|score| score < 0.0));
    let scaled = |score: &f64| {
        let score = if score.is_finite() { *score } else { worst };
        match (positive, negative) {
            (true, false) => libm::log(score),
            (false, true) => -libm::log(-score),
            _ => score,
        }
    };
    let scaled: Vec<f64> = scores.iter().map(scaled).collect();
    let count = scaled.len().max(1) as f64;
    let mean = scaled.iter().sum::<f64>() / count;
    let variance = scaled.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count;
    let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
    scaled.iter().map(|score| (score - mean) / deviation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::axis::{Value, Values};

    fn axis(name: &str, labels: &[&str]) -> Axis {
        let value = |label: &&str| Value {
            label: (*label).to_owned(),
            gives: vec![(name.to_owned(), (*label).to_owned())],
            place: 0..0,
        };
        let values = Values::Listed(labels.iter().map(value).collect());
        Axis { name: name.to_owned(), values, place: 0..0 }
    }

    fn at(label: &str) -> Axes {
        [("p".to_owned(), label.to_owned())].into()
    }

    /// A model of one axis.
    fn model(labels: &[&str], tried: &[(&str, f64)]) -> Model {
        let tried: Vec<(Axes, f64)> = tried.iter().map(|(label, s)| (at(label), *s)).collect();
        let tried: Vec<(&Axes, f64)> = tried.iter().map(|(axes, score)| (axes, *score)).collect();
        Model::new(&[axis("p", labels)], &["p".to_owned()], &tried)
    }

    const NUMBERS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

    #[test]
    fn beside_the_good_more_is_expected_than_beside_the_bad() {
        let model = model(&NUMBERS, &[("2", 10.0), ("8", 90.0)]);
        assert!(model.promise(&at("3")) > model.promise(&at("7")));
        assert!(model.promise(&at("3")) > model.promise(&at("2")), "it is known");
        assert!(NUMBERS.iter().all(|label| model.promise(&at(label)) >= 0.0));
    }

    #[test]
    fn less_is_better_and_what_failed_is_the_worst() {
        let gained = model(&NUMBERS, &[("2", -90.0), ("8", -10.0)]);
        assert!(gained.promise(&at("3")) > gained.promise(&at("7")), "a goal that is maximised");
        let failed = model(&NUMBERS, &[("2", 10.0), ("5", 20.0), ("8", f64::INFINITY)]);
        assert!(failed.promise(&at("3")) > failed.promise(&at("7")));
        let none = model(&NUMBERS, &[("2", f64::INFINITY)]);
        assert!(none.promise(&at("3")).is_finite(), "nothing but failures");
    }

    #[test]
    fn names_are_as_far_from_each_other_as_they_are() {
        let model = model(&["a", "b", "c", "d"], &[("a", 1.0), ("d", 9.0)]);
        assert_eq!(model.promise(&at("b")), model.promise(&at("c")));
        assert!(model.promise(&at("b")) > model.promise(&at("a")));
    }

    #[test]
    fn what_is_about_to_be_tried_promises_less() {
        let mut model = model(&NUMBERS, &[("2", 10.0), ("8", 90.0)]);
        let before = model.promise(&at("4"));
        model.believe(&at("4"));
        assert!(model.promise(&at("4")) < before);
    }
}
