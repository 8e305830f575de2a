//! What a dump records: variables and texts with their places and last values.

use crate::layout::{parts, Variable};
use crate::outbox::{Outbox, Target};
use crate::sink::Code;
use crate::text::fitted;
use rust_hdl::core::atom::Atom;
use std::ops::Range;

/// The value of a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A character a bit, highest first.
    Bits(Box<[u8]>),
    Text(String),
}

/// A variable with its place in the dump.
struct Track {
    variable: Variable,
    /// None for a variable that is only watched.
    code: Option<Code>,
    /// Where its last value is among those of all variables.
    bits: Range<usize>,
}

/// A text with its place in the dump and its last value.
struct Text {
    code: Code,
    length: usize,
    last: String,
    changed: bool,
}

/// All tracks: those of the variables of signals, then those of texts.
#[derive(Default)]
pub(crate) struct Tracks {
    /// By number, in the order in which the probe visits them, the variables of each signal; `None`
    /// for what is neither dumped nor watched.
    signals: Vec<Option<Range<usize>>>,
    variables: Vec<Track>,
    /// The last values of all variables, a character a bit: `x` before the first sample.
    bits: Vec<u8>,
    texts: Vec<Text>,
    /// The places of those that have changed.
    changed: Vec<usize>,
    /// Whether a variable has, be it one that is only watched.
    signal_changed: bool,
}

impl Tracks {
    /// The next signal that the probe visits is neither dumped nor watched.
    pub(crate) fn add_gap(&mut self) {
        self.signals.push(None);
    }

    /// The next signal that the probe visits; a variable without a code is only watched.
    pub(crate) fn add_signal(
        &mut self,
        variables: impl IntoIterator<Item = (Variable, Option<Code>)>,
    ) {
        let first = self.variables.len();
        for (variable, code) in variables {
            let from = self.bits.len();
            self.bits.resize(from + variable.width as usize, b'x');
            self.variables.push(Track { variable, code, bits: from..self.bits.len() });
        }
        self.signals.push(Some(first..self.variables.len()));
    }

    /// The next text, of at most `length` characters.
    pub(crate) fn add_text(&mut self, code: Code, length: usize) {
        self.texts.push(Text { code, length, last: String::new(), changed: false });
    }

    /// How many signals there are, with the gaps.
    pub(crate) fn signals(&self) -> usize {
        self.signals.len()
    }

    /// Forgets about signals when none is dumped or watched.
    pub(crate) fn trim(&mut self) {
        if self.signals.iter().all(Option::is_none) {
            self.signals.clear();
        }
    }

    /// How many places there are.
    fn places(&self) -> usize {
        self.variables.len() + self.texts.len()
    }

    /// The last value of each place.
    pub(crate) fn values(&self) -> Vec<Value> {
        (0..self.places()).map(|place| self.value(place)).collect()
    }

    /// The last value of a place.
    fn value(&self, place: usize) -> Value {
        match self.variables.get(place) {
            Some(track) => Value::Bits(self.bits[track.bits.clone()].into()),
            None => Value::Text(self.texts[place - self.variables.len()].last.clone()),
        }
    }

    /// Whether a place has changed.
    pub(crate) fn any_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// The places that have changed, with their values.
    pub(crate) fn changes(&self) -> Vec<(usize, Value)> {
        self.changed.iter().map(|&place| (place, self.value(place))).collect()
    }

    /// Whether a signal has changed since this was asked last.
    pub(crate) fn take_signal_changed(&mut self) -> bool {
        std::mem::take(&mut self.signal_changed)
    }

    /// Nothing has changed since.
    pub(crate) fn settle(&mut self) {
        for place in self.changed.drain(..) {
            if let Some(text) = place.checked_sub(self.variables.len()) {
                self.texts[text].changed = false;
            }
        }
    }

    /// The bits of a variable of a signal, highest first, as characters.
    ///
    /// # Panics
    /// When there is no such track.
    pub(crate) fn bits(&self, (signal, variable): (usize, usize)) -> &[u8] {
        let tracks = self.signals[signal].clone().expect("a track");
        &self.bits[self.variables[tracks][variable].bits.clone()]
    }

    /// The text of that number is `text`, cut to its length.
    ///
    /// # Panics
    /// When there is no such text.
    pub(crate) fn say(&mut self, number: usize, text: &str) {
        let track = &mut self.texts[number];
        if track.last == text {
            return;
        }
        let text = fitted(text, track.length);
        if track.last != text {
            track.last = text;
            if !std::mem::replace(&mut track.changed, true) {
                self.changed.push(self.variables.len() + number);
            }
        }
    }

    /// Whether the signal of that number is dumped or watched.
    pub(crate) fn wants(&self, number: usize) -> bool {
        self.signals.get(number).is_some_and(Option::is_some)
    }

    /// Takes the value of the signal of that number over.
    pub(crate) fn take(&mut self, number: usize, signal: &dyn Atom) {
        let Some(Some(tracks)) = self.signals.get(number) else { return };
        let Self { variables, bits, changed, signal_changed, .. } = self;
        let mut places = tracks.clone();
        parts(&signal.vcd(), &mut |mut part| {
            while !part.is_empty() {
                let Some(place) = places.next() else { return };
                let track = &variables[place];
                if part.move_to(&track.variable, &mut bits[track.bits.clone()]) {
                    *signal_changed = true;
                    if track.code.is_some() {
                        changed.push(place);
                    }
                }
            }
        });
    }

    /// A variable of a signal has these bits now, at most 64, from the bit `from` on.
    pub(crate) fn take_bits(&mut self, (signal, variable): (usize, usize), from: usize, bits: u64) {
        let Some(Some(tracks)) = self.signals.get(signal) else { return };
        let place = tracks.start + variable;
        let track = &self.variables[place];
        for (at, last) in (0..64).zip(self.bits[track.bits.clone()].iter_mut().rev().skip(from)) {
            *last = b'0' | (bits >> at & 1) as u8;
        }
        self.signal_changed = true;
        if track.code.is_some() && self.changed.last() != Some(&place) {
            self.changed.push(place);
        }
    }

    /// Writes all last values.
    pub(crate) fn write_all<W: Target>(&self, body: &mut Outbox<W>) {
        (0..self.places()).for_each(|place| self.write_last(body, place));
    }

    /// Writes the values of the places that have changed.
    pub(crate) fn write_changes<W: Target>(&self, body: &mut Outbox<W>) {
        self.changed.iter().for_each(|&place| self.write_last(body, place));
    }

    fn write_last<W: Target>(&self, body: &mut Outbox<W>, place: usize) {
        let Some(track) = self.variables.get(place) else {
            let number = place - self.variables.len();
            let Text { code, last, .. } = &self.texts[number];
            return body.text(number, *code, last);
        };
        if let Some(code) = track.code {
            body.change(code, &self.bits[track.bits.clone()]);
        }
    }

    /// Writes `value` as that of a place.
    pub(crate) fn write<W: Target>(&self, body: &mut Outbox<W>, place: usize, value: &Value) {
        match value {
            Value::Bits(bits) => {
                if let Some(code) = self.variables[place].code {
                    body.change(code, bits);
                }
            }
            Value::Text(text) => {
                let number = place - self.variables.len();
                body.text(number, self.texts[number].code, text);
            }
        }
    }

    /// Writes that nothing is known.
    pub(crate) fn write_unknown<W: Target>(&self, body: &mut Outbox<W>) {
        for Track { variable, code, .. } in &self.variables {
            if let Some(code) = code {
                body.change(*code, &vec![b'x'; variable.width as usize]);
            }
        }
        for (number, text) in self.texts.iter().enumerate() {
            body.text(number, text.code, "");
        }
    }
}
