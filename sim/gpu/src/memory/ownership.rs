//! Who owns which word: the directory that the L2 banks keep under DeNovo.
//!
//! It is kept beside the L2's lines and has no limit of its own: what is owned lies in an L1, so
//! there are never more entries than the L1s have lines, and a line that leaves the L2 leaves its
//! words' owners as they are.

use rustc_hash::FxHashMap;

use crate::coalescer::{WordMask, MAX_LINE_WORDS};

/// Owners of a line's words.
#[derive(Clone, Copy, Debug)]
struct LineOwners {
    /// The words that have one.
    owned: WordMask,
    by: [u8; MAX_LINE_WORDS as usize],
}

/// Words of one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnedWords {
    /// The SMX.
    pub owner: u8,
    /// Its words of the line.
    pub words: WordMask,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Ownership {
    lines: FxHashMap<u64, LineOwners>,
}

impl Ownership {
    /// Those of `words` of `line` that have an owner.
    pub fn owned(&self, line: u64, words: WordMask) -> WordMask {
        self.lines.get(&line).map_or(0, |owners| owners.owned & words)
    }

    /// The owner of the first of `words` of `line` that has one, with all of `words` that it owns.
    pub fn first(&self, line: u64, words: WordMask) -> Option<OwnedWords> {
        let owners = self.lines.get(&line)?;
        let owned = owners.owned & words;
        let owner = owners.by[(owned != 0).then(|| owned.trailing_zeros() as usize)?];
        Some(OwnedWords { owner, words: owners.of(owner) & words })
    }

    /// From now on `smx` owns `words` of `line`. Whoever owned some of them is appended to
    /// `losers`; each with the words that it has lost.
    pub fn take(&mut self, line: u64, words: WordMask, smx: u8, losers: &mut Vec<OwnedWords>) {
        let empty = LineOwners { owned: 0, by: [0; MAX_LINE_WORDS as usize] };
        let owners = self.lines.entry(line).or_insert(empty);
        let mut lost = owners.owned & words & !owners.of(smx);
        while lost != 0 {
            let owner = owners.by[lost.trailing_zeros() as usize];
            let of_owner = owners.of(owner) & lost;
            losers.push(OwnedWords { owner, words: of_owner });
            lost &= !of_owner;
        }
        owners.owned |= words;
        each(words, |word| owners.by[word] = smx);
    }

    /// `smx` gives `words` of `line` up. Returns those that it owned; the others have a newer
    /// owner.
    pub fn release(&mut self, line: u64, words: WordMask, smx: u8) -> WordMask {
        let Some(owners) = self.lines.get_mut(&line) else {
            return 0;
        };
        let released = owners.of(smx) & words;
        owners.owned &= !released;
        if owners.owned == 0 {
            self.lines.remove(&line);
        }
        released
    }

    /// Every owned word with its owner, for tests.
    #[cfg(test)]
    pub fn all(&self) -> impl Iterator<Item = (super::shadow::Word, u8)> + '_ {
        self.lines.iter().flat_map(|(&line, owners)| {
            let owned = (0..MAX_LINE_WORDS).filter(|word| owners.owned >> word & 1 == 1);
            owned.map(move |word| ((line, word), owners.by[word as usize]))
        })
    }

    /// Lines with owned words.
    #[cfg(test)]
    pub fn lines(&self) -> usize {
        self.lines.len()
    }
}

impl LineOwners {
    /// The words of `smx`.
    fn of(&self, smx: u8) -> WordMask {
        let mut words = 0;
        each(self.owned, |word| words |= WordMask::from(self.by[word] == smx) << word);
        words
    }
}

fn each(mut words: WordMask, mut body: impl FnMut(usize)) {
    while words != 0 {
        body(words.trailing_zeros() as usize);
        words &= words - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(ownership: &mut Ownership, words: WordMask, smx: u8) -> Vec<(u8, WordMask)> {
        let mut losers = Vec::new();
        ownership.take(7, words, smx, &mut losers);
        losers.iter().map(|loser| (loser.owner, loser.words)).collect()
    }

    #[test]
    fn words_of_one_line_have_owners_of_their_own() {
        let mut ownership = Ownership::default();
        assert_eq!(take(&mut ownership, 0b0011, 3), []);
        assert_eq!(take(&mut ownership, 0b1100, 0), []);
        assert_eq!(ownership.owned(7, 0b0110), 0b0110);
        assert_eq!(ownership.first(7, 0b1110), Some(OwnedWords { owner: 3, words: 0b0010 }));
        assert_eq!(ownership.first(7, 0b10000), None);
        assert_eq!(ownership.first(8, u32::MAX), None);
    }

    #[test]
    fn every_owner_that_loses_words_is_named_once_and_the_new_one_never() {
        let mut ownership = Ownership::default();
        take(&mut ownership, 0b0101, 1);
        take(&mut ownership, 0b0010, 2);
        take(&mut ownership, 0b1000, 4);
        assert_eq!(take(&mut ownership, 0b1111, 4), [(1, 0b0101), (2, 0b0010)]);
        assert_eq!(ownership.first(7, 0b1111), Some(OwnedWords { owner: 4, words: 0b1111 }));
    }

    #[test]
    fn only_words_still_owned_are_released_and_an_unowned_line_is_forgotten() {
        let mut ownership = Ownership::default();
        take(&mut ownership, 0b0011, 1);
        take(&mut ownership, 0b0001, 2);
        assert_eq!(ownership.release(7, 0b0011, 1), 0b0010);
        assert_eq!((ownership.release(7, 0b0011, 1), ownership.lines()), (0, 1));
        assert_eq!((ownership.release(7, 0b0001, 2), ownership.lines()), (1, 0));
    }
}
