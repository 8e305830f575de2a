//! Whether a study makes sense, value by value, before anything runs.

use crate::cli::run_options::{self, is_option, OPTIONS};
use crate::study::axis::{Axis, Value, Values};
use crate::study::points::holes;
use crate::study::{Study, MAX_RUNS};
use blockyard_sim::diagnostic::InputError;
use indicatif::HumanCount;
use std::ops::Range;

impl Study {
    /// Checks the names and values of everything, and that the study is no larger than is meant.
    ///
    /// # Errors
    /// The first thing that is wrong, with line and key.
    pub fn check(&self) -> Result<(), InputError> {
        for (place, axis) in self.axes.iter().enumerate() {
            if self.axes[..place].iter().any(|other| other.name == axis.name) {
                let message = format!("there are two axes `{}`", axis.name);
                return Err(self.source.wrong(axis.place.clone(), message));
            }
            self.check_axis(axis)?;
        }
        for (axis, label) in &self.baseline {
            self.check_label(axis, label, "baseline", &self.place_of("baseline"))?;
        }
        for constraint in &self.constraints {
            for (axis, labels) in
                [&constraint.when, &constraint.only, &constraint.not].into_iter().flatten()
            {
                for label in labels {
                    self.check_label(axis, label, "constraint", &constraint.place)?;
                }
            }
            for name in &constraint.without {
                let place = constraint.place.clone();
                let axis = self.known_axis(name, "constraint", &place)?;
                if axis.is_parameter() {
                    let message = format!("constraint: `{name}` is a parameter");
                    let help = "it is left out wherever it stands in no value; use `only` for it";
                    return Err(self.source.wrong(place, message).help(help));
                }
            }
        }
        if let Some(search) = &self.search {
            for name in &search.axes {
                self.known_axis(name, "search", &search.place)?;
            }
        }
        self.check_count()
    }

    fn check_axis(&self, axis: &Axis) -> Result<(), InputError> {
        if axis.is_parameter() {
            let stands = |text: &str| holes(text).contains(&axis.name.as_str());
            let others = self.axes.iter().filter(|other| matches!(other.values, Values::Listed(_)));
            let used = others.flat_map(Axis::iter).any(|v| v.gives.iter().any(|(_, t)| stands(t)));
            let name = &axis.name;
            return if used {
                Ok(())
            } else {
                let message =
                    format!("`{name}` is no option of `run`, and no value has `{{{name}}}`");
                let help = format!("expected {}, or a key of --set in quotes", OPTIONS.join(", "));
                Err(self.source.wrong(axis.place.clone(), message).help(help))
            };
        }
        let all: Vec<Value> = match axis.values {
            Values::Listed(ref values) => values.clone(),
            // What holds for both ends holds between.
            Values::Counted { .. } => [0, axis.values.len().saturating_sub(1)]
                .into_iter()
                .filter_map(|place| axis.value(place))
                .collect(),
        };
        all.iter().try_for_each(|value| self.check_value(axis, value))
    }

    fn check_value(&self, axis: &Axis, value: &Value) -> Result<(), InputError> {
        for (name, text) in &value.gives {
            let wrong = |message| self.source.wrong(value.place.clone(), message);
            if !is_option(name) {
                let help = format!("expected {}, or a key of --set in quotes", OPTIONS.join(", "));
                return Err(
                    wrong(format!("{}: `{name}` is no option of `run`", axis.name)).help(help)
                );
            }
            let unknown =
                |hole: &&str| !self.axis(hole).is_some_and(|parameter| parameter.is_parameter());
            let holes = holes(text);
            if let Some(hole) = holes.iter().find(|hole| unknown(hole)) {
                let help = format!("[axes] needs {hole} = [1, 2], the values that stand for it");
                return Err(wrong(format!("{name}: there is no axis `{hole}`")).help(help));
            }
            if holes.is_empty() {
                run_options::check(name, text, &self.paths).map_err(|report| {
                    self.source.wrong_value(value.place.clone(), name, &report)
                })?;
            }
        }
        Ok(())
    }

    fn known_axis(&self, name: &str, by: &str, place: &Range<usize>) -> Result<&Axis, InputError> {
        self.axis(name).ok_or_else(|| {
            let names: Vec<&str> = self.axes.iter().map(|axis| axis.name.as_str()).collect();
            let wrong =
                self.source.wrong(place.clone(), format!("{by}: there is no axis `{name}`"));
            wrong.help(format!("the axes are {}", names.join(", ")))
        })
    }

    fn check_label(
        &self,
        name: &str,
        label: &str,
        by: &str,
        place: &Range<usize>,
    ) -> Result<(), InputError> {
        let axis = self.known_axis(name, by, place)?;
        if axis.values.has(label) {
            return Ok(());
        }
        let known: Vec<String> = axis.iter().take(20).map(|value| value.label).collect();
        let message = format!("{by}: the axis `{name}` has no value `{label}`");
        let help = format!("its values are {}", known.join(", "));
        Err(self.source.wrong(place.clone(), message).help(help))
    }

    fn check_count(&self) -> Result<(), InputError> {
        let (count, most) = (self.count(), self.max_runs.unwrap_or(MAX_RUNS));
        let longest = self.axes.iter().max_by_key(|axis| axis.values.len());
        match longest {
            Some(axis) if count > most => {
                let length = axis.values.len();
                let message = format!(
                    "these axes make {} runs, more than {}; `{}` alone has {} values",
                    HumanCount(count),
                    HumanCount(most),
                    axis.name,
                    HumanCount(length)
                );
                let help = format!("if all of them are meant, set max_runs = {count}");
                Err(self.source.wrong(axis.place.clone(), message).help(help))
            }
            Some(_) => Ok(()),
            None => {
                let help = "[axes] names what differs: scheduler = [\"rr\", \"rr+claso\"]";
                Err(self.source.wrong(0..0, "there are no axes").help(help))
            }
        }
    }

    /// Where a key of the top level stands in the text.
    fn place_of(&self, key: &str) -> Range<usize> {
        let start = self.source.text.find(key).unwrap_or(0);
        start..(start + key.len()).min(self.source.text.len())
    }
}
