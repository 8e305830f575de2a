//! The automaton of several patterns, by the subset construction.

use std::collections::{BTreeMap, BTreeSet};

use super::pattern::{items, Item};

/// The first state; 0 is the one that no pattern leaves.
const FIRST: u32 = 1;

/// Where patterns may go on: number of the pattern, and how many of its items are done.
type Places = BTreeSet<(usize, usize)>;

/// For each state and byte the next state, and above it the pattern that ends there: see `regx.cu`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Automaton {
    pub table: Vec<u32>,
}

impl Automaton {
    /// Of `patterns`; where several end, the first one counts.
    ///
    /// # Panics
    /// When it has 2^16 states or more.
    pub fn of(patterns: &[&str]) -> Self {
        let patterns: Vec<Vec<Item>> = patterns.iter().map(|text| items(text)).collect();
        let first = closed(&patterns, (0..patterns.len()).map(|number| (number, 0)));
        let mut numbers = BTreeMap::from([(Places::new(), 0), (first.clone(), FIRST)]);
        let mut states = vec![Places::new(), first];
        let mut table = Vec::new();
        let mut at = 0;
        while at < states.len() {
            for byte in 0..=255 {
                let next = step(&patterns, &states[at], byte);
                let ended = next.iter().find(|&&(number, done)| done == patterns[number].len());
                let pattern = ended.map_or(0, |&(number, _)| number as u32 + 1);
                let number = *numbers.entry(next).or_insert_with_key(|next| {
                    states.push(next.clone());
                    states.len() as u32 - 1
                });
                assert!(number <= 0xffff, "too many states");
                table.push(pattern << 16 | number);
            }
            at += 1;
        }
        Self { table }
    }

    /// The longest match with which `text` begins, as the kernel writes it; 0 if there is none.
    pub fn longest(&self, text: &[u8]) -> u32 {
        let (mut state, mut longest) = (FIRST, 0);
        for (at, &byte) in text.iter().enumerate() {
            let entry = self.table[(state << 8 | u32::from(byte)) as usize];
            state = entry & 0xffff;
            if entry >> 16 != 0 {
                longest = entry & 0xffff_0000 | (at as u32 + 1);
            }
            if state == 0 {
                break;
            }
        }
        longest
    }
}

/// `places`, and those that follow them without a byte.
fn closed(patterns: &[Vec<Item>], places: impl IntoIterator<Item = (usize, usize)>) -> Places {
    let mut all = Places::new();
    for (number, from) in places {
        let skipped = patterns[number][from..].iter().take_while(|item| item.optional).count();
        all.extend((from..=from + skipped).map(|done| (number, done)));
    }
    all
}

fn step(patterns: &[Vec<Item>], places: &Places, byte: u8) -> Places {
    let next = places.iter().flat_map(|&(number, done)| {
        let item = patterns[number].get(done).filter(|item| item.takes(byte));
        let again = item.filter(|item| item.repeated).map(|_| (number, done));
        item.map(|_| (number, done + 1)).into_iter().chain(again)
    });
    closed(patterns, next)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How long the longest match of `items` at the beginning of `text` is, by trying everything.
    fn tried(items: &[Item], text: &[u8]) -> Option<usize> {
        let Some((item, rest)) = items.split_first() else { return Some(0) };
        let skipped = if item.optional { tried(rest, text) } else { None };
        let Some((_, behind)) = text.split_first().filter(|(&byte, _)| item.takes(byte)) else {
            return skipped;
        };
        let once = tried(rest, behind).map(|length| length + 1);
        let more = Item { optional: true, ..item.clone() };
        let again = [std::slice::from_ref(&more), rest].concat();
        let again =
            if item.repeated { tried(&again, behind).map(|length| length + 1) } else { None };
        skipped.max(once).max(again)
    }

    proptest! {
        #[test]
        fn it_finds_the_longest_match_of_the_first_pattern_that_has_it(
            patterns in prop::collection::vec("([abc]|\\[ab\\]|\\[b-c\\])[?+*]?[abc]{1,3}[+*?]?", 1..4),
            text in "[abc]{0,8}",
        ) {
            let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
            let length = |pattern: &&str| tried(&items(pattern), text.as_bytes()).unwrap_or(0);
            let lengths: Vec<usize> = patterns.iter().map(length).collect();
            let longest = lengths.iter().copied().max().unwrap_or(0);
            let number = lengths.iter().position(|&length| length == longest).unwrap_or(0) as u32;
            let expected = if longest == 0 { 0 } else { (number + 1) << 16 | longest as u32 };
            prop_assert_eq!(Automaton::of(&patterns).longest(text.as_bytes()), expected);
        }
    }

    #[test]
    fn a_literal_has_a_state_for_each_byte_and_none_is_left_by_another_one() {
        let automaton = Automaton::of(&["ab"]);
        // Dead, first, behind `a`, behind `ab`.
        assert_eq!(automaton.table.len(), 4 * 256);
        assert!(automaton.table[..256].iter().all(|&entry| entry == 0));
        assert_eq!(automaton.longest(b"abab"), 1 << 16 | 2);
        assert_eq!([automaton.longest(b"a"), automaton.longest(b"ba")], [0, 0]);
    }
}
