//! Which item is most alike, computed plainly.

use super::ratings::Ratings;
use super::PreOptions;

/// No other item has a user in common.
pub(super) const NONE: u32 = u32::MAX;

/// For each item that is asked for, and every item, the sum of the products of their ratings.
pub(super) fn dots(options: &PreOptions, ratings: &Ratings) -> Vec<u32> {
    let mut all = Vec::new();
    for item in options.asked() {
        let mut row = vec![0; options.items as usize];
        for &[user, stars] in ratings.by_item.row(item) {
            for &[other, with] in ratings.by_user.row(user) {
                row[other as usize] += stars * with;
            }
        }
        all.extend(row);
    }
    all
}

/// For each item that is asked for the other one of the largest cosine, the first one of these.
pub(super) fn best(options: &PreOptions, ratings: &Ratings, dots: &[u32]) -> Vec<u32> {
    let norms = ratings.norms();
    let rows = options.asked().zip(dots.chunks(options.items.max(1) as usize));
    let best = rows.map(|(item, row)| {
        let (mut best, mut most) = (NONE, 0.0);
        for (other, &dot) in (0..).zip(row) {
            let norm = norms[item as usize] as f32 * norms[other as usize] as f32;
            let cosine = dot as f32 / norm.sqrt();
            if other != item && dot != 0 && cosine > most {
                (best, most) = (other, cosine);
            }
        }
        best
    });
    best.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_those_over_all_users_of_dense_ratings() {
        let options =
            PreOptions { users: 30, items: 20, ratings: 100, every: 3, ..PreOptions::default() };
        let ratings = Ratings::drawn(&options, 4).expect("few enough");
        let rated = |item: u32, user: u32| {
            let found = ratings.by_item.row(item).iter().find(|entry| entry[0] == user);
            found.map_or(0, |entry| entry[1])
        };
        let dots = dots(&options, &ratings);
        assert_eq!(dots.len(), 7 * 20);
        for (at, &dot) in (0..).zip(&dots) {
            let (item, other) = (at / 20 * 3, at % 20);
            let sum: u32 = (0..30).map(|user| rated(item, user) * rated(other, user)).sum();
            assert_eq!(dot, sum, "{item} {other}");
        }
        let best = best(&options, &ratings, &dots);
        for (item, &other) in options.asked().zip(&best) {
            assert!(other == NONE || other != item && other < 20);
        }
        assert!(best.iter().any(|&other| other != NONE));
    }

    #[test]
    fn an_item_that_nobody_has_rated_is_like_none() {
        let options = PreOptions { users: 3, items: 3, ratings: 0, ..PreOptions::default() };
        let ratings = Ratings::drawn(&options, 4).expect("few enough");
        assert_eq!(best(&options, &ratings, &dots(&options, &ratings)), [NONE; 3]);
    }
}
