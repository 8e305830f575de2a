//! What views need to know of a dump: which signals it has, and what its texts say.

use crate::read::DumpSignal;
use std::collections::BTreeMap;
use std::ops::Range;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Who wrote the dump, and of what.
    pub version: String,
    /// All signals, in the order of the dump.
    pub signals: Vec<DumpSignal>,
    /// From the first cycle on to the end of the last one; at least one cycle.
    pub cycles: Range<u64>,
    /// The first of the stretches of which it is: all of `cycles`, but for a dump around some
    /// events.
    pub stretch: Range<u64>,
    /// By path what each text that is not always empty says, and from which cycle on.
    pub texts: BTreeMap<String, Vec<(u64, String)>>,
}

impl Contents {
    /// What the text at `path` says, with the cycle from which on it does; without where it is
    /// empty.
    pub fn said(&self, path: &str) -> &[(u64, String)] {
        self.texts.get(path).map_or(&[], Vec::as_slice)
    }
}

/// What is written into a dump but for the values of its signals.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// The first time, and the last.
    times: Option<(u64, u64)>,
    /// Number of a text, since when, and what it says.
    said: Vec<(usize, u64, String)>,
}

impl Told {
    pub(crate) fn time(&mut self, time: u64) {
        self.times = Some((self.times.map_or(time, |(first, _)| first), time));
    }

    pub(crate) fn text(&mut self, number: usize, text: &str) {
        let now = self.times.map_or(0, |(_, last)| last);
        self.said.push((number, now, text.to_owned()));
    }

    /// The contents of the dump, which has these signals; `texts` are the paths of its texts by
    /// number.
    pub(crate) fn contents(
        self,
        version: String,
        signals: Vec<DumpSignal>,
        texts: &[String],
    ) -> Contents {
        let mut said: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
        for (number, cycle, text) in self.said {
            if !text.is_empty() {
                said.entry(texts[number].clone()).or_default().push((cycle, text));
            }
        }
        let cycles = cycles(self.times.map(|times| times.0), self.times.map(|times| times.1));
        Contents { version, signals, stretch: cycles.clone(), cycles, texts: said }
    }
}

/// The cycles of a dump whose first and last time these are.
pub(crate) fn cycles(first: Option<u64>, last: Option<u64>) -> Range<u64> {
    match (first, last) {
        (Some(first), Some(last)) => first..last.max(first.saturating_add(1)),
        _ => 0..1,
    }
}
