//! What a dump records: signals and texts with their places and last values.

use crate::error::WaveError;
use crate::layout::{split, Variable};
use crate::sink::{Body, Code};
use crate::text::fitted;
use rust_hdl::core::atom::Atom;
use rust_hdl::core::synth::VCDValue;
use std::io::{Seek, Write};

/// The value of a track.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Signal(VCDValue),
    Text(String),
}

impl Value {
    /// A signal's before the first sample.
    pub(crate) fn unknown() -> Self {
        Self::Signal(VCDValue::Composite(Vec::new()))
    }
}

/// A signal or a text with its place in the dump and its last value.
pub(crate) struct Track {
    pub(crate) variables: Vec<Variable>,
    /// One for each variable; none for a signal that is only watched.
    pub(crate) codes: Vec<Code>,
    pub(crate) last: Value,
    /// Of a text, its number.
    number: usize,
}

impl Track {
    pub(crate) fn signal(variables: Vec<Variable>, codes: Vec<Code>) -> Self {
        Self { variables, codes, last: Value::unknown(), number: 0 }
    }

    pub(crate) fn text(code: Code, number: usize) -> Self {
        let last = Value::Text(String::new());
        Self { variables: Vec::new(), codes: vec![code], last, number }
    }

    /// Takes a signal's value over; whether it is another one.
    pub(crate) fn take(&mut self, value: VCDValue) -> bool {
        if matches!(&self.last, Value::Signal(last) if *last == value) {
            return false;
        }
        self.last = Value::Signal(value);
        true
    }

    /// Takes a text over; whether it is another one.
    fn say(&mut self, text: &str, length: usize) -> bool {
        let text = fitted(text, length);
        if matches!(&self.last, Value::Text(last) if *last == text) {
            return false;
        }
        self.last = Value::Text(text);
        true
    }

    /// The bits of one of its variables, highest first; `None` before the first sample.
    pub(crate) fn bits(&self, variable: usize) -> Option<Vec<vcd::Value>> {
        let Value::Signal(value) = &self.last else { return None };
        split(value, &self.variables).into_iter().nth(variable)
    }

    /// Writes `value`.
    pub(crate) fn write<W: Write + Seek>(
        &self,
        body: &mut Body<W>,
        value: &Value,
    ) -> Result<(), WaveError> {
        match value {
            // Most signals are one word.
            Value::Signal(VCDValue::Vector(bits)) if self.codes.len() == 1 => {
                body.change(self.codes[0], bits)?;
            }
            Value::Signal(VCDValue::Single(bit)) if self.codes.len() == 1 => {
                body.change(self.codes[0], &[*bit])?;
            }
            Value::Signal(value) if !self.codes.is_empty() => {
                let parts = split(value, &self.variables);
                for (code, bits) in self.codes.iter().zip(parts) {
                    body.change(*code, &bits)?;
                }
            }
            Value::Signal(_) => {}
            Value::Text(text) => body.text(self.number, self.codes[0], text)?,
        }
        Ok(())
    }

    /// Writes that nothing is known.
    pub(crate) fn blank<W: Write + Seek>(&self, body: &mut Body<W>) -> Result<(), WaveError> {
        if let Value::Text(_) = self.last {
            return body.text(self.number, self.codes[0], "");
        }
        for (code, variable) in self.codes.iter().zip(&self.variables) {
            body.change(*code, &vec![vcd::Value::X; variable.width as usize])?;
        }
        Ok(())
    }
}

/// All tracks: those of signals in the order in which the probe visits them, with gaps for what is
/// neither dumped nor watched, then those of texts.
pub(crate) struct Tracks {
    all: Vec<Option<Track>>,
    texts_from: usize,
    /// The places of those that have changed; one may be there twice.
    changed: Vec<usize>,
}

impl Tracks {
    pub(crate) fn new(signals: Vec<Option<Track>>, texts: Vec<Track>) -> Self {
        let (texts_from, mut all) = (signals.len(), signals);
        all.extend(texts.into_iter().map(Some));
        Self { all, texts_from, changed: Vec::new() }
    }

    /// The last value of each place.
    pub(crate) fn values(&self) -> Vec<Option<Value>> {
        self.all.iter().map(|track| Some(track.as_ref()?.last.clone())).collect()
    }

    /// With their places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &Track)> {
        self.all.iter().enumerate().filter_map(|(place, track)| Some((place, track.as_ref()?)))
    }

    /// Those that have changed, with their places.
    pub(crate) fn changed(&self) -> impl Iterator<Item = (usize, &Track)> {
        self.changed.iter().map(|&place| (place, self.at(place)))
    }

    /// How many changes of signals are known.
    pub(crate) fn changed_signals(&self) -> usize {
        self.changed.iter().filter(|place| **place < self.texts_from).count()
    }

    /// Nothing has changed since.
    pub(crate) fn settle(&mut self) {
        self.changed.clear();
    }

    /// # Panics
    /// When there is no track.
    pub(crate) fn at(&self, place: usize) -> &Track {
        self.all[place].as_ref().expect("a track")
    }

    /// The text of that number is `text`, cut to `length`.
    ///
    /// # Panics
    /// When there is no such text.
    pub(crate) fn say(&mut self, number: usize, text: &str, length: usize) {
        let place = self.texts_from + number;
        let track = self.all[place].as_mut().expect("texts have no gaps");
        if track.say(text, length) && !self.changed.contains(&place) {
            self.changed.push(place);
        }
    }

    /// Whether the signal of that number is dumped or watched.
    pub(crate) fn wants(&self, number: usize) -> bool {
        number < self.texts_from && self.all[number].is_some()
    }

    /// Takes the value of the signal of that number over.
    pub(crate) fn take(&mut self, number: usize, signal: &dyn Atom) {
        let track = self.all[..self.texts_from].get_mut(number).and_then(Option::as_mut);
        if track.is_some_and(|track| track.take(signal.vcd())) {
            self.changed.push(number);
        }
    }
}
