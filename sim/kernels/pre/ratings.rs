//! Ratings, drawn.

use std::ops::Range;

use blockyard_contract::diagnostic::InputError;

use super::PreOptions;
use crate::draw::Draw;

/// At most every `SPARSE`-th user and item are a rating.
const SPARSE: u64 = 4;

/// How many of 100 ratings are 1, 2, 3, 4 or 5, as in MovieLens 100k.
const STARS: [u32; 5] = [6, 11, 27, 35, 21];

/// The n-th most active user rates in proportion to 1 / (n + users / USERS), the n-th most popular
/// item is rated in proportion to 1 / (n + items / ITEMS): Zipf's law with Mandelbrot's shift. Of
/// MovieLens 100k's 943 users, 1682 items and 100,000 ratings that gives the most active user about
/// 600 and the most popular item about 500; these have 737 and 583.
const USERS: u32 = 32;
const ITEMS: u32 = 64;

/// A compressed row of pairs for each user or item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// Where each row begins, and where the last one ends.
    pub offsets: Vec<u32>,
    /// An item or a user, and a rating; within a row in ascending order of the former.
    pub entries: Vec<[u32; 2]>,
}

impl Rows {
    /// Of `count` rows, from `(row, other, rating)`.
    fn new(count: u32, mut ratings: Vec<[u32; 3]>) -> Self {
        ratings.sort_unstable();
        let before = |row| ratings.partition_point(|rating| rating[0] < row) as u32;
        let offsets = (0..=count).map(before).collect();
        Self { offsets, entries: ratings.iter().map(|&[_, other, stars]| [other, stars]).collect() }
    }

    /// Where the entries of a row are.
    pub fn range(&self, row: u32) -> Range<u32> {
        self.offsets[row as usize]..self.offsets[row as usize + 1]
    }

    /// A row.
    pub fn row(&self, row: u32) -> &[[u32; 2]] {
        let Range { start, end } = self.range(row);
        &self.entries[start as usize..end as usize]
    }
}

/// The ratings, by item and by user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ratings {
    pub by_item: Rows,
    pub by_user: Rows,
}

impl Ratings {
    /// As `options` says, drawn from `seed`.
    ///
    /// # Errors
    /// When there would be too many for so few users and items.
    pub fn drawn(options: &PreOptions, seed: u64) -> Result<Self, InputError> {
        let PreOptions { users, items, ratings, .. } = *options;
        let most = u64::from(users) * u64::from(items) / SPARSE;
        if u64::from(ratings) > most {
            let message =
                format!("`pre.ratings` cannot be {ratings} of {users} users and {items} items");
            let help = format!("expected at most {most}: a {SPARSE}th of all pairs");
            return Err(InputError::new(message).help(help));
        }
        let mut draw = Draw::new(seed);
        // Popular items lie together; who is active does not depend on a user's number.
        let (user, item) = (Ranks::new(users, USERS), Ranks::new(items, ITEMS));
        let numbers = shuffled(users, &mut draw);
        let mut rated = vec![false; (users * items) as usize];
        let mut by_item = Vec::new();
        while by_item.len() < ratings as usize {
            let (user, item) = (numbers[user.drawn(&mut draw)], item.drawn(&mut draw) as u32);
            let rated = &mut rated[(user * items + item) as usize];
            if !std::mem::replace(rated, true) {
                by_item.push([item, user, stars(&mut draw)]);
            }
        }
        let by_user = by_item.iter().map(|&[item, user, stars]| [user, item, stars]).collect();
        Ok(Self { by_item: Rows::new(items, by_item), by_user: Rows::new(users, by_user) })
    }

    /// For each rating by item how many pairs those before it have, of its user and what the user
    /// has rated; last, how many all have. Each fewer than 2^32 if they are.
    pub fn before(&self) -> Option<Vec<u32>> {
        let rated = |&[user, _]: &[u32; 2]| self.by_user.range(user).len() as u32;
        let sums =
            self.by_item.entries.iter().map(rated).try_fold(vec![0_u32], |mut sums, rated| {
                sums.push(sums[sums.len() - 1].checked_add(rated)?);
                Some(sums)
            });
        sums
    }

    /// For each item the sum of the squares of its ratings.
    pub fn norms(&self) -> Vec<u32> {
        let items = 0..self.by_item.offsets.len() as u32 - 1;
        let squares = |row: &[[u32; 2]]| row.iter().map(|[_, stars]| stars * stars).sum();
        items.map(|item| squares(self.by_item.row(item))).collect()
    }
}

/// Ranks from 0 on, of which the lower ones are drawn more often.
struct Ranks(Vec<u64>);

impl Ranks {
    /// `count` ranks, shifted by a `part`th of them.
    fn new(count: u32, part: u32) -> Self {
        let share = |rank: u32| (1 << 32) / u64::from(1 + rank + count / part);
        let shares = (0..count).scan(0, |sum, rank| {
            *sum += share(rank);
            Some(*sum)
        });
        Self(shares.collect())
    }

    fn drawn(&self, draw: &mut Draw) -> usize {
        let sum = self.0.last().copied().unwrap_or(0);
        let place = ((u128::from(draw.word()) * u128::from(sum)) >> 32) as u64;
        self.0.partition_point(|&end| end <= place)
    }
}

/// The numbers below `count` in any order.
fn shuffled(count: u32, draw: &mut Draw) -> Vec<u32> {
    let mut numbers: Vec<_> = (0..count).collect();
    for last in (1..count).rev() {
        numbers.swap(last as usize, draw.below(last + 1) as usize);
    }
    numbers
}

fn stars(draw: &mut Draw) -> u32 {
    let mut place = draw.below(100);
    let mut stars = 1;
    for share in STARS {
        if place < share {
            break;
        }
        place -= share;
        stars += 1;
    }
    stars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn movie_lens() -> Ratings {
        let options =
            PreOptions { users: 943, items: 1682, ratings: 100_000, ..PreOptions::default() };
        Ratings::drawn(&options, 1).expect("few enough")
    }

    /// How long rows are, the longest first.
    fn lengths(rows: &Rows) -> Vec<u32> {
        let mut lengths: Vec<_> = rows.offsets.windows(2).map(|ends| ends[1] - ends[0]).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    #[test]
    fn ratings_are_distributed_about_as_those_of_movie_lens() {
        let Ratings { by_item, by_user } = movie_lens();
        let (items, users) = (lengths(&by_item), lengths(&by_user));
        assert!((450..700).contains(&items[0]), "{}", items[0]);
        assert!((500..800).contains(&users[0]), "{}", users[0]);
        assert!(users[942] >= 20, "{}", users[942]);
        // The half of the items that is rated more has most of the ratings.
        let more: u32 = items[..841].iter().sum();
        assert!((75_000..95_000).contains(&more), "{more}");
    }

    #[test]
    fn both_orders_have_the_same_ratings_each_once() {
        let Ratings { by_item, by_user } = movie_lens();
        let listed = |rows: &Rows, item_first: bool| {
            let mut all = Vec::new();
            for row in 0..rows.offsets.len() as u32 - 1 {
                let entries = rows.row(row).iter();
                all.extend(entries.map(|&[other, stars]| match item_first {
                    true => [row, other, stars],
                    false => [other, row, stars],
                }));
            }
            all.sort_unstable();
            all
        };
        let all = listed(&by_item, true);
        assert_eq!(all, listed(&by_user, false));
        assert_eq!(all.len(), 100_000);
        assert!(all.windows(2).all(|pair| pair[0][..2] != pair[1][..2]));
        assert!(all.iter().all(|[.., stars]| (1..=5).contains(stars)));
    }

    #[test]
    fn pairs_are_counted_rating_by_rating() {
        let options = PreOptions { users: 9, items: 9, ratings: 20, ..PreOptions::default() };
        let ratings = Ratings::drawn(&options, 2).expect("few enough");
        let before = ratings.before().expect("fewer than 2^32");
        for (at, &[user, _]) in ratings.by_item.entries.iter().enumerate() {
            let rated = ratings.by_user.row(user).len() as u32;
            assert_eq!(before[at + 1] - before[at], rated);
        }
        let squares = (0..9).map(|user| ratings.by_user.row(user).len().pow(2) as u32).sum();
        assert_eq!((before[0], before.last()), (0, Some(&squares)));
    }

    #[test]
    fn more_ratings_than_a_fourth_of_all_pairs_are_refused() {
        let of = |users, items, ratings| {
            let options = PreOptions { users, items, ratings, ..PreOptions::default() };
            Ratings::drawn(&options, 1).map(|ratings| ratings.by_item.entries.len())
        };
        assert_eq!(of(10, 10, 25).ok(), Some(25));
        assert!(of(10, 10, 26).is_err());
        assert_eq!((of(0, 5, 0).ok(), of(5, 0, 0).ok()), (Some(0), Some(0)));
        assert!(of(0, 5, 1).is_err());
    }
}
