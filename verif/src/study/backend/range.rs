//! Which runs a task makes.

use std::fmt;
use std::str::FromStr;

/// The runs of a task: from one place in the plan to another one, both included; written `FROM-TO`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first.
    pub from: usize,
    /// The last.
    pub to: usize,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl FromStr for Range {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let range = text.split_once('-').and_then(|(from, to)| {
            let (from, to) = (from.parse().ok()?, to.parse().ok()?);
            (from <= to).then_some(Self { from, to })
        });
        range.ok_or("expected FROM-TO, two places from 0, such as 0-9")
    }
}
