//! What differs from run to run.

use std::ops::Range;

/// An axis of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// An option of a run, a key of `--set`, a name of named settings, or a parameter that stands
    /// in braces in values of other axes.
    pub name: String,
    /// Where runs lie on it.
    pub values: Values,
    /// Where its name stands in the study, in bytes.
    pub place: Range<usize>,
}

/// The values of an axis, in order. They are not all kept: an axis may have very many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// As they are listed.
    Listed(Vec<Value>),
    /// Numbers from one to another one, both included if the steps lead there.
    Counted {
        /// The first.
        from: u64,
        /// None is above.
        to: u64,
        /// From one to the next.
        step: Step,
        /// Where they stand in the study, in bytes.
        place: Range<usize>,
    },
}

/// How numbers follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// By adding, at least 1.
    Plus(u64),
    /// By multiplying, with at least 2.
    Times(u64),
}

/// A value of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// As tables show it.
    pub label: String,
    /// The options and keys that it gives to a run: itself to that of the axis' name, or its
    /// settings.
    pub gives: Vec<(String, String)>,
    /// Where it stands in the study, in bytes.
    pub place: Range<usize>,
}

impl Axis {
    /// The value at a place, if there are so many.
    pub fn value(&self, place: u64) -> Option<Value> {
        match &self.values {
            Values::Listed(values) => values.get(usize::try_from(place).ok()?).cloned(),
            Values::Counted { place: span, .. } => {
                let label = self.values.number(place)?.to_string();
                let gives = vec![(self.name.clone(), label.clone())];
                Some(Value { label, gives, place: span.clone() })
            }
        }
    }

    /// All values: as many as are asked for.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..).map_while(|place| self.value(place))
    }
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> u64 {
        match *self {
            Self::Listed(ref values) => values.len() as u64,
            Self::Counted { from, to, .. } if from > to => 0,
            Self::Counted { from, to, step: Step::Plus(step), .. } => {
                ((to - from) / step).saturating_add(1)
            }
            Self::Counted { .. } => (0..).take_while(|&i| self.number(i).is_some()).count() as u64,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether one of them is shown as `label`.
    pub fn has(&self, label: &str) -> bool {
        match *self {
            Self::Listed(ref values) => values.iter().any(|value| value.label == label),
            Self::Counted { from, to, step, .. } => match (label.parse::<u64>(), step) {
                (Ok(number), _) if number < from || number > to => false,
                (Ok(number), Step::Plus(step)) => (number - from).is_multiple_of(step),
                (Ok(number), Step::Times(_)) => {
                    (0..).map_while(|place| self.number(place)).any(|other| other == number)
                }
                (Err(_), _) => false,
            },
        }
    }

    /// The number at a place of those that are counted.
    fn number(&self, place: u64) -> Option<u64> {
        let &Self::Counted { from, to, step, .. } = self else { return None };
        let number = match step {
            Step::Plus(step) => from.checked_add(place.checked_mul(step)?)?,
            Step::Times(factor) => {
                from.checked_mul(factor.checked_pow(u32::try_from(place).ok()?)?)?
            }
        };
        (number <= to).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(from: u64, to: u64, step: Step) -> Axis {
        let values = Values::Counted { from, to, step, place: 0..0 };
        Axis { name: "seed".to_owned(), values, place: 0..0 }
    }

    fn labels(axis: &Axis) -> Vec<String> {
        axis.iter().map(|value| value.label).collect()
    }

    #[test]
    fn a_range_has_its_ends_if_the_steps_lead_there() {
        let odd = counted(1, 6, Step::Plus(2));
        assert_eq!(labels(&odd), ["1", "3", "5"]);
        assert_eq!(odd.values.len(), 3);
        assert_eq!(labels(&counted(1, 7, Step::Plus(2))), ["1", "3", "5", "7"]);
        let doubled = counted(4, 16, Step::Times(2));
        assert_eq!(labels(&doubled), ["4", "8", "16"]);
        assert_eq!((doubled.values.len(), counted(4, 15, Step::Times(2)).values.len()), (3, 2));
        assert_eq!(counted(3, 2, Step::Plus(1)).values.len(), 0);
    }

    #[test]
    fn a_range_has_the_numbers_on_its_steps_alone() {
        let odd = counted(1, 7, Step::Plus(2)).values;
        let has: Vec<bool> = ["0", "1", "2", "7", "9", "x"].map(|label| odd.has(label)).to_vec();
        assert_eq!(has, [false, true, false, true, false, false]);
        let doubled = counted(4, 16, Step::Times(2)).values;
        assert_eq!(["4", "6", "16", "32"].map(|l| doubled.has(l)), [true, false, true, false]);
    }

    #[test]
    fn a_range_that_ends_with_the_numbers_ends() {
        let last = counted(u64::MAX - 1, u64::MAX, Step::Plus(1));
        assert_eq!((last.values.len(), last.iter().count()), (2, 2));
        assert_eq!(counted(1, u64::MAX, Step::Times(2)).iter().count(), 64);
        assert_eq!(counted(0, u64::MAX, Step::Plus(1)).values.len(), u64::MAX);
    }
}
