//! Lines that say again what the warp before said.
//!
//! The warps of a kernel mostly execute the same instructions, and only the addresses differ: what
//! a line says before these is compared instead of read.

use super::block::Sink;
use super::header::Header;
use super::instruction::{Head, Traced};
use super::known::Known;
use super::lines::Lines;
use super::template::Template;
use crate::diagnostic::InputError;

/// Most instructions of a warp that are remembered; warps of traced loops are far longer.
const MOST: usize = 256;

/// The lines of the warp that was read last, by their place in it.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    known: Vec<Known>,
    /// Made of the warp that was read last.
    template: Option<Template>,
    /// Whether the current warp has a line that was not known.
    changed: bool,
}

impl Repeats {
    /// Reads the first lines of a warp of `count` instructions as far as they are like those of the
    /// warp before; gives how many.
    ///
    /// # Errors
    /// When `sink` fails.
    pub fn read_alike(
        &mut self,
        count: usize,
        lines: &mut Lines,
        header: &Header,
        sink: &mut impl Sink,
    ) -> Result<usize, InputError> {
        self.changed = false;
        self.template.take_if(|template| template.count() != count);
        let Some(template) = &self.template else { return Ok(0) };
        let read = template.read(&mut self.known, lines, header, sink)?;
        if read.differs {
            self.template = None;
        }
        Ok(read.lines)
    }

    /// A warp of `count` instructions has ended, of which some were read line by line. What two
    /// warps have in common the next ones will mostly have too.
    pub fn warp_ends(&mut self, count: usize) {
        if !self.changed && self.template.is_none() {
            self.template = Some(Template::of(&self.known[..count]));
        }
    }

    /// What the last line of the warp says that was read last and has `count` instructions; `None`
    /// for a warp without any.
    pub fn last(&self, count: usize) -> Option<&Traced> {
        Some(self.known[count.checked_sub(1)?].traced())
    }

    /// The line that was remembered in place `place`, if it has no addresses.
    #[inline]
    pub fn line(&self, place: usize, last: bool) -> Option<&Known> {
        self.known.get(place).filter(|known| known.is_of(last) && !known.has_addresses())
    }

    /// What the line `text` in place `place` says before its addresses, if the one that was
    /// remembered there says the same.
    #[inline]
    pub fn find(&mut self, place: usize, last: bool, text: &[u8]) -> Option<&mut Known> {
        self.known.get_mut(place).filter(|known| known.is_of(last) && known.begins(text))
    }

    /// The line `text` in place `place` says `head` and `traced`. Remembers it for the next warp.
    pub fn remember(&mut self, place: usize, last: bool, text: &[u8], head: Head, traced: &Traced) {
        self.changed = true;
        self.template = None;
        if place >= MOST {
            return;
        }
        if place >= self.known.len() {
            self.known.resize_with(place + 1, Known::default);
        }
        self.known[place].learn(last, text, head, traced);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::addresses::Addresses;
    use crate::trace::instruction;
    use crate::trace::opcode::{Architecture, Decoder};
    use crate::trace::tests::plain_header;

    /// Reads `text`, and remembers it in place 1.
    fn remember(repeats: &mut Repeats, last: bool, text: &str) -> Traced {
        let mut traced = Traced::default();
        let mut decoder = Decoder::new(Architecture::Kepler, Default::default());
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
            repeats.line(1, false).map(|known| (known.text(), known.traced().pc)),
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
    fn a_template_is_made_of_a_warp_in_which_nothing_was_new() {
        let mut repeats = Repeats::default();
        remember(&mut repeats, false, ADD);
        repeats.warp_ends(2);
        assert!(repeats.template.is_none(), "a line was new");
        repeats.changed = false;
        repeats.warp_ends(2);
        assert_eq!(repeats.template.as_ref().map(Template::count), Some(2));
        remember(&mut repeats, false, ADD);
        assert!(repeats.template.is_none(), "it may say something else now");
    }

    #[test]
    fn places_far_behind_are_not_kept() {
        let mut repeats = Repeats::default();
        let mut traced = Traced::default();
        let mut decoder = Decoder::new(Architecture::Kepler, Default::default());
        let head =
            instruction::read(ADD.as_bytes(), &plain_header(), &mut decoder, false, &mut traced);
        repeats.remember(MOST, false, ADD.as_bytes(), head.unwrap(), &traced);
        assert!(repeats.line(MOST, false).is_none() && repeats.known.is_empty());
    }
}
