//! Which points belong to a study.

use std::collections::BTreeMap;
use std::ops::Range;

/// Axes with some of their values.
pub type Where = Vec<(String, Vec<String>)>;

/// A rule for the points that lie at [`when`](Self::when); all of them if that is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraint {
    /// Which points it is about.
    pub when: Where,
    /// They stay only at these values of these axes.
    pub only: Where,
    /// They do not stay at these values, on all of these axes at once.
    pub not: Where,
    /// Axes that they do not lie on: their values are not given to the run.
    pub without: Vec<String>,
    /// Where it stands in the study, in bytes.
    pub place: Range<usize>,
}

impl Constraint {
    /// Whether it is about `point`: where it lies, by axis.
    pub fn is_about(&self, point: &BTreeMap<String, String>) -> bool {
        lies_in(&self.when, point)
    }

    /// Whether it lets `point` stay.
    pub fn keeps(&self, point: &BTreeMap<String, String>) -> bool {
        let outside = |(axis, labels): &(String, Vec<String>)| {
            point.get(axis).is_some_and(|label| !labels.contains(label))
        };
        let leaves =
            self.only.iter().any(outside) || (!self.not.is_empty() && lies_in(&self.not, point));
        !(leaves && self.is_about(point))
    }
}

/// Whether `point` lies on all of these axes, at one of these values.
fn lies_in(place: &Where, point: &BTreeMap<String, String>) -> bool {
    place.iter().all(|(axis, labels)| point.get(axis).is_some_and(|label| labels.contains(label)))
}
