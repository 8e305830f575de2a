//! Lines that say again what the warp before said.
//!
//! The warps of a kernel mostly execute the same instructions, and only the addresses differ: a line
//! without any is compared instead of read.

use super::instruction::{Addresses, Traced};

/// Most instructions of a warp that are remembered; warps of traced loops are far longer.
const MOST: usize = 256;

/// A line and what it says.
#[derive(Debug, Default)]
struct Known {
    text: Vec<u8>,
    traced: Traced,
}

/// The lines of the warp that was read last, by their place in it.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    known: Vec<Known>,
}

impl Repeats {
    /// What the line `text` in place `place` says, if the last one that was remembered there is the
    /// same.
    #[inline]
    pub fn find(&self, place: usize, text: &[u8]) -> Option<&Traced> {
        let known = self.known.get(place)?;
        (!text.is_empty() && known.text == text).then_some(&known.traced)
    }

    /// The line `text` in place `place` says `traced`. Remembers it if another warp may say the same.
    #[inline]
    pub fn remember(&mut self, place: usize, text: &[u8], traced: &Traced) {
        if place >= MOST || traced.addresses != Addresses::None {
            return;
        }
        if place >= self.known.len() {
            self.known.resize_with(place + 1, Known::default);
        }
        let known = &mut self.known[place];
        known.text.clear();
        known.text.extend_from_slice(text);
        known.traced = traced.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_only_in_its_place_and_as_it_was_last() {
        let mut repeats = Repeats::default();
        let traced = |pc| Traced { pc, ..Traced::default() };
        assert!(repeats.find(0, b"").is_none());
        repeats.remember(1, b"a", &traced(1));
        assert_eq!(repeats.find(1, b"a").map(|known| known.pc), Some(1));
        assert!(repeats.find(0, b"").is_none() && repeats.find(0, b"a").is_none());
        repeats.remember(1, b"ab", &traced(2));
        assert!(repeats.find(1, b"a").is_none());
        assert_eq!(repeats.find(1, b"ab").map(|known| known.pc), Some(2));
    }

    #[test]
    fn a_line_with_addresses_is_read_each_time() {
        let mut repeats = Repeats::default();
        let addresses = Addresses::Stride { base: 0, stride: 4 };
        repeats.remember(0, b"a", &Traced { addresses, ..Traced::default() });
        assert!(repeats.find(0, b"a").is_none());
    }

    #[test]
    fn places_far_behind_are_not_kept() {
        let mut repeats = Repeats::default();
        repeats.remember(MOST, b"a", &Traced::default());
        assert!(repeats.find(MOST, b"a").is_none() && repeats.known.is_empty());
    }
}
