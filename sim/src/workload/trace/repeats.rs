//! Lines that say again what the warp before said.
//!
//! The warps of a kernel mostly execute the same instructions, and only the addresses differ: what a
//! line says before these is compared instead of read.

use super::fault::Parsed;
use super::header::Header;
use super::instruction::{read_rest, Addresses, Head, Traced};

/// Most instructions of a warp that are remembered; warps of traced loops are far longer.
const MOST: usize = 256;

/// A line and what it says.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The whole line, or what comes before its addresses.
    text: Vec<u8>,
    /// Only of a line with addresses.
    head: Option<Head>,
    /// Whether it was the warp's last one: that may say something else.
    last: bool,
    traced: Traced,
}

impl Known {
    /// Reads the line `text`, which [`Repeats::find`] has found.
    ///
    /// # Errors
    /// When the rest of the line is not that of an instruction.
    pub fn read(&mut self, text: &[u8], header: &Header) -> Parsed<&Traced> {
        if let Some(head) = &self.head {
            read_rest(text, head, header, self.last, &mut self.traced)?;
        }
        Ok(&self.traced)
    }

    fn begins(&self, text: &[u8]) -> bool {
        if self.head.is_none() {
            return self.text == text;
        }
        let end = text.get(self.text.len());
        text.starts_with(&self.text) && matches!(end, None | Some(b' ' | b'\t'))
    }
}

/// The lines of the warp that was read last, by their place in it.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    known: Vec<Known>,
}

impl Repeats {
    /// The line that was remembered in place `place`, and what it says, if it has no addresses.
    #[inline]
    pub fn line(&self, place: usize, last: bool) -> Option<(&[u8], &Traced)> {
        let known = self.known.get(place)?;
        let whole = known.head.is_none() && known.last == last && !known.text.is_empty();
        whole.then_some((&known.text, &known.traced))
    }

    /// What the line `text` in place `place` says before its addresses, if the one that was remembered
    /// there says the same.
    #[inline]
    pub fn find(&mut self, place: usize, last: bool, text: &[u8]) -> Option<&mut Known> {
        let known = self.known.get_mut(place)?;
        (!known.text.is_empty() && known.last == last && known.begins(text)).then_some(known)
    }

    /// The line `text` in place `place` says `head` and `traced`. Remembers it for the next warp.
    pub fn remember(&mut self, place: usize, last: bool, text: &[u8], head: Head, traced: &Traced) {
        if place >= MOST {
            return;
        }
        if place >= self.known.len() {
            self.known.resize_with(place + 1, Known::default);
        }
        let addresses = traced.addresses != Addresses::None;
        let known = &mut self.known[place];
        known.text.clear();
        known.text.extend_from_slice(if addresses { &text[..head.end] } else { text });
        known.head = addresses.then_some(head);
        known.last = last;
        known.traced = traced.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::trace::instruction;
    use crate::workload::trace::opcode::{Architecture, Decoder};
    use crate::workload::trace::tests::plain_header;

    /// Reads `text`, and remembers it in place 1.
    fn remember(repeats: &mut Repeats, last: bool, text: &str) -> Traced {
        let mut traced = Traced::default();
        let mut decoder = Decoder::new(Architecture::Kepler);
        let text = text.as_bytes();
        let head = instruction::read(text, &plain_header(), &mut decoder, last, &mut traced);
        repeats.remember(1, last, text, head.unwrap(), &traced);
        traced
    }

    const ADD: &str = "0008 ffffffff 1 R1 FADD 2 R2 R3 0 0 ";

    #[test]
    fn a_line_is_known_only_in_its_place_and_as_it_was_last() {
        let mut repeats = Repeats::default();
        assert!(repeats.find(0, false, b"").is_none());
        remember(&mut repeats, false, ADD);
        assert_eq!(
            repeats.line(1, false).map(|(text, known)| (text, known.pc)),
            Some((ADD.as_bytes(), 8))
        );
        assert!(repeats.find(1, false, ADD.as_bytes()).is_some());
        assert!(
            repeats.line(0, false).is_none() && repeats.find(0, false, ADD.as_bytes()).is_none()
        );
        assert!(repeats.line(1, true).is_none() && repeats.find(1, true, ADD.as_bytes()).is_none());
        let other = ADD.replace("R3", "R33");
        remember(&mut repeats, false, &other);
        assert!(repeats.find(1, false, ADD.as_bytes()).is_none());
        assert!(repeats.find(1, false, other.as_bytes()).is_some());
    }

    #[test]
    fn of_a_line_with_addresses_only_these_are_read_each_time() {
        let mut repeats = Repeats::default();
        let load = |rest: &str| format!("0010 ffffffff 1 R1 LD.E 1 R2 4 {rest}");
        remember(&mut repeats, false, &load("1 0x1000 4 0 "));
        assert!(repeats.line(1, false).is_none());
        for (rest, base) in [("1 0x2000 4 0 ", 0x2000), ("1 0x3000 4 0", 0x3000)] {
            let text = load(rest);
            let known = repeats.find(1, false, text.as_bytes()).unwrap();
            let read = known.read(text.as_bytes(), &plain_header()).unwrap();
            assert_eq!((read.pc, read.addresses), (0x10, Addresses::Stride { base, stride: 4 }));
        }
        assert!(repeats.find(1, false, b"0010 ffffffff 1 R1 LD.E 1 R2 41 0x1000 4 0").is_none());
        let short = load("1 0x2000");
        let known = repeats.find(1, false, short.as_bytes()).unwrap();
        assert!(known.read(short.as_bytes(), &plain_header()).is_err(), "the stride is missing");
    }

    #[test]
    fn places_far_behind_are_not_kept() {
        let mut repeats = Repeats::default();
        let mut traced = Traced::default();
        let mut decoder = Decoder::new(Architecture::Kepler);
        let head =
            instruction::read(ADD.as_bytes(), &plain_header(), &mut decoder, false, &mut traced);
        repeats.remember(MOST, false, ADD.as_bytes(), head.unwrap(), &traced);
        assert!(repeats.line(MOST, false).is_none() && repeats.known.is_empty());
    }
}
