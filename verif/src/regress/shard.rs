//! A share of a suite for one of several machines.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// The `number`-th of `count` shares of a suite, counted from 1; written `I/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    count: u32,
}

/// Why a text is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// Not of the form `I/N`.
    #[error("expected I/N, two whole numbers such as 1/4")]
    Form,
    /// `I` is not one of `1..=N`.
    #[error("shard {number} of {count} does not exist: expected I/N with 1 <= I <= N")]
    Range {
        /// The number given.
        number: u32,
        /// The count given.
        count: u32,
    },
}

impl Shard {
    /// The whole suite in one share.
    pub const WHOLE: Self = Self { number: 1, count: 1 };

    /// The `number`-th of `count` shares.
    ///
    /// # Errors
    /// [`ShardError::Range`] unless `1 <= number <= count`.
    pub fn new(number: u32, count: u32) -> Result<Self, ShardError> {
        if number == 0 || number > count {
            return Err(ShardError::Range { number, count });
        }
        Ok(Self { number, count })
    }

    /// How many shares there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The positions of the cases that belong to this share, in ascending order.
    ///
    /// The partition depends on the ids and weights alone, not on their order nor on the seed:
    /// heaviest first, each case goes to the share with the least weight so far. Every case is in
    /// exactly one share. `ids` must be distinct.
    pub fn select(&self, cases: &[(&str, u32)]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..cases.len()).collect();
        order.sort_by_key(|&i| (Reverse(cases[i].1), cases[i].0));
        // Cases of no weight would all go to one share if the number of cases did not count too.
        let mut loads = vec![(0_u64, 0_usize); self.count as usize];
        let mut mine = Vec::new();
        for i in order {
            let lightest = (0..loads.len()).min_by_key(|&s| (loads[s], s)).unwrap_or(0);
            loads[lightest].0 += u64::from(cases[i].1);
            loads[lightest].1 += 1;
            if lightest + 1 == self.number as usize {
                mine.push(i);
            }
        }
        mine.sort_unstable();
        mine
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, count) = text.split_once('/').ok_or(ShardError::Form)?;
        let parse = |digits: &str| match digits.bytes().all(|b| b.is_ascii_digit()) {
            true => digits.parse().map_err(|_| ShardError::Form),
            false => Err(ShardError::Form),
        };
        Self::new(parse(number)?, parse(count)?)
    }
}

#[cfg(test)]
mod tests {
    use super::{Shard, ShardError};
    use proptest::prelude::*;

    #[test]
    fn the_first_and_the_last_shard_exist_and_their_neighbours_do_not() {
        for good in ["1/1", "1/3", "3/3"] {
            assert_eq!(good.parse::<Shard>().unwrap().to_string(), good);
        }
        for bad in ["0/3", "4/3", "0/0", "1/0"] {
            assert!(matches!(bad.parse::<Shard>(), Err(ShardError::Range { .. })), "{bad}");
        }
        for bad in ["x", "", "1", "1/", "/3", "1/3/4", "-1/3", "+1/3", "1 /3", "1/99999999999"] {
            assert_eq!(bad.parse::<Shard>(), Err(ShardError::Form), "{bad}");
        }
    }

    #[test]
    fn cases_of_no_weight_are_spread_too() {
        let cases = [("a", 0), ("b", 0), ("c", 0), ("d", 0)];
        for number in 1..=4 {
            assert_eq!(Shard::new(number, 4).unwrap().select(&cases).len(), 1);
        }
    }

    proptest! {
        #[test]
        fn every_case_is_in_exactly_one_shard(
            weights in proptest::collection::vec(0_u32..100, 0..40),
            count in 1_u32..9,
        ) {
            let ids: Vec<String> = (0..weights.len()).map(|i| format!("case{i}")).collect();
            let cases: Vec<(&str, u32)> =
                ids.iter().map(String::as_str).zip(weights.iter().copied()).collect();
            let mut seen = vec![0; cases.len()];
            let mut loads = Vec::new();
            for number in 1..=count {
                let mine = Shard::new(number, count).unwrap().select(&cases);
                prop_assert!(mine.is_sorted());
                loads.push(mine.iter().map(|&i| cases[i].1).sum::<u32>());
                mine.into_iter().for_each(|i| seen[i] += 1);
            }
            prop_assert!(seen.iter().all(|&n| n == 1), "{seen:?}");
            // Greedy filling never leaves two shards further apart than the heaviest case.
            let apart = loads.iter().max().unwrap() - loads.iter().min().unwrap();
            prop_assert!(apart <= weights.iter().copied().max().unwrap_or(0));
        }

        #[test]
        fn the_order_of_the_suite_does_not_move_a_case_to_another_shard(
            weights in proptest::collection::vec(0_u32..5, 1..20),
            rotate in 0_usize..20,
        ) {
            let ids: Vec<String> = (0..weights.len()).map(|i| format!("case{i}")).collect();
            let cases: Vec<(&str, u32)> =
                ids.iter().map(String::as_str).zip(weights.iter().copied()).collect();
            let mut rotated = cases.clone();
            rotated.rotate_left(rotate % cases.len());
            let shard = Shard::new(2, 3).unwrap();
            let names = |list: &[(&str, u32)]| {
                let mut names: Vec<String> =
                    shard.select(list).into_iter().map(|i| list[i].0.to_owned()).collect();
                names.sort();
                names
            };
            prop_assert_eq!(names(&cases), names(&rotated));
        }
    }
}
