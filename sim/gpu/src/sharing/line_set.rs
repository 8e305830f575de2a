//! A set of lines to which mostly the same few are added again and again.

/// See the module. It takes at most about twice the memory of its lines.
#[derive(Clone, Debug, Default)]
pub(super) struct LineSet {
    /// The first ones are in order, each once.
    lines: Vec<u64>,
    in_order: usize,
}

/// Lines out of order before they are put in order, beside as many as there are in order.
const LEAST: usize = 64;

impl LineSet {
    /// `line` is in the set.
    pub fn insert(&mut self, line: u64) {
        if self.lines.len() >= 2 * self.in_order + LEAST {
            self.put_in_order();
        }
        self.lines.push(line);
    }

    /// All lines of `other` are in the set.
    pub fn extend(&mut self, other: &Self) {
        other.lines.iter().for_each(|line| self.insert(*line));
    }

    /// Its lines in order, each once.
    pub fn into_sorted(mut self) -> Vec<u64> {
        self.put_in_order();
        self.lines
    }

    fn put_in_order(&mut self) {
        self.lines.sort_unstable();
        self.lines.dedup();
        self.in_order = self.lines.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_has_what_was_inserted_each_once_and_in_order(
            lines in prop::collection::vec(0_u64..300, 0..1000),
        ) {
            let mut set = LineSet::default();
            lines.iter().for_each(|line| set.insert(*line));
            prop_assert!(set.lines.len() <= 2 * 300 + LEAST);
            let expected: Vec<u64> = BTreeSet::from_iter(lines).into_iter().collect();
            prop_assert_eq!(set.into_sorted(), expected);
        }
    }
}
