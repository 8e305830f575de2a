//! The points of a study: choices of a value on each axis.

use super::axis::{Axis, Value, Values};
use super::Study;
use crate::cli::run_options::is_option;
use std::collections::BTreeMap;

/// A choice of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Where it lies, by axis, as the study writes it. Parameters that its run does not use are not
    /// there.
    pub axes: BTreeMap<String, String>,
    /// The options of its run, parameters put in; later ones win.
    pub options: Vec<(String, String)>,
}

impl Axis {
    /// Whether it is a parameter: its values stand in braces in values of other axes.
    pub fn is_parameter(&self) -> bool {
        let own = |value: Value| value.gives.iter().all(|(name, _)| *name == self.name);
        !is_option(&self.name) && self.value(0).is_some_and(own)
    }

    /// Whether a value of it has parameters.
    fn has_holes(&self) -> bool {
        let holes = |value: &Value| value.gives.iter().any(|(_, text)| !holes(text).is_empty());
        matches!(&self.values, Values::Listed(values) if values.iter().any(holes))
    }
}

impl Study {
    /// How many points there are before constraints.
    pub fn count(&self) -> u64 {
        let (parameters, main): (Vec<_>, Vec<_>) =
            self.axes.iter().partition(|axis| axis.is_parameter());
        let (with, plain): (Vec<&Axis>, Vec<&Axis>) =
            main.into_iter().partition(|axis| axis.has_holes());
        let product = |axes: &[&Axis]| {
            let lengths = axes.iter().map(|axis| axis.values.len());
            lengths.fold(1_u64, u64::saturating_mul)
        };
        let mut sum = 0_u64;
        for values in Combinations::new(with) {
            let used = parameters.iter().filter(|axis| uses(&values, &axis.name));
            sum = sum.saturating_add(product(&used.copied().collect::<Vec<_>>()));
        }
        product(&plain).saturating_mul(sum)
    }

    /// The points that the constraints leave: the last axis changes fastest, and parameters faster.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let (parameters, main): (Vec<_>, Vec<_>) =
            self.axes.iter().partition(|axis| axis.is_parameter());
        let names: Vec<&str> = main.iter().map(|axis| axis.name.as_str()).collect();
        Combinations::new(main).flat_map(move |values| {
            let mut axes: BTreeMap<String, String> = names
                .iter()
                .zip(&values)
                .map(|(n, v)| ((*n).to_owned(), v.label.clone()))
                .collect();
            let left_out: Vec<&String> = self
                .constraints
                .iter()
                .filter(|constraint| constraint.is_about(&axes))
                .flat_map(|constraint| &constraint.without)
                .collect();
            let left: Vec<Value> = names
                .iter()
                .zip(values)
                .filter(|(name, _)| !left_out.iter().any(|left_out| left_out == name))
                .map(|(_, value)| value)
                .collect();
            axes.retain(|axis, _| !left_out.contains(&axis));
            let used: Vec<&Axis> =
                parameters.iter().copied().filter(|axis| uses(&left, &axis.name)).collect();
            let points = Combinations::new(used.clone()).map(move |chosen| {
                let parameters: BTreeMap<&str, &str> =
                    used.iter().zip(&chosen).map(|(a, v)| (&*a.name, &*v.label)).collect();
                let mut axes = axes.clone();
                axes.extend(parameters.iter().map(|(&a, &label)| (a.to_owned(), label.to_owned())));
                let gives = left.iter().flat_map(|value| &value.gives);
                let options = gives.map(|(name, text)| (name.clone(), fill(text, &parameters)));
                Point { axes, options: options.collect() }
            });
            let kept = points.filter(|point| self.constraints.iter().all(|c| c.keeps(&point.axes)));
            kept.collect::<Vec<_>>()
        })
    }
}

fn uses(values: &[Value], parameter: &str) -> bool {
    let mut texts = values.iter().flat_map(|value| &value.gives);
    texts.any(|(_, text)| holes(text).contains(&parameter))
}

/// What stands in braces in `text`.
pub fn holes(text: &str) -> Vec<&str> {
    let parts = text.split('{').skip(1);
    parts.filter_map(|part| part.split_once('}').map(|(name, _)| name)).collect()
}

fn fill(text: &str, parameters: &BTreeMap<&str, &str>) -> String {
    let mut filled = text.to_owned();
    for name in holes(text) {
        if let Some(value) = parameters.get(name) {
            filled = filled.replace(&format!("{{{name}}}"), value);
        }
    }
    filled
}

/// Every choice of one value on each of some axes; one choice if there are none.
struct Combinations<'a> {
    axes: Vec<&'a Axis>,
    /// The places of the next choice's values.
    next: Option<Vec<u64>>,
}

impl<'a> Combinations<'a> {
    fn new(axes: Vec<&'a Axis>) -> Self {
        let some = axes.iter().all(|axis| !axis.values.is_empty());
        let next = some.then(|| vec![0; axes.len()]);
        Self { axes, next }
    }
}

impl Iterator for Combinations<'_> {
    type Item = Vec<Value>;

    fn next(&mut self) -> Option<Vec<Value>> {
        let places = self.next.as_mut()?;
        let chosen = self.axes.iter().zip(&*places).map(|(axis, &place)| axis.value(place));
        let chosen: Option<Vec<Value>> = chosen.collect();
        let mut ended = true;
        for (axis, place) in self.axes.iter().zip(places).rev() {
            *place += 1;
            if *place < axis.values.len() {
                ended = false;
                break;
            }
            *place = 0;
        }
        if ended {
            self.next = None;
        }
        chosen
    }
}
