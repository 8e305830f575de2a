//! Cases of the kernels over ratings.

use crate::case::{Call, Case};
use crate::random::Random;

pub fn pre(random: &mut Random) -> Case {
    let (users, items, every) = (random.size(60), random.size(80), random.within(1, 4));
    // What users have rated need not be what items have been rated by.
    let (mut offsets, mut by_user) = (vec![0], Vec::new());
    for _ in 0..users {
        let most = if random.within(0, 5) == 0 { 90 } else { 10 };
        let count = if items == 0 { 0 } else { random.within(0, most) };
        by_user.extend((0..count).flat_map(|_| [random.within(0, items - 1), random.within(1, 5)]));
        offsets.push(by_user.len() as u32 / 2);
    }
    let rows = items.div_ceil(every);
    let (mut parts, mut by_item) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let begin = by_item.len() as u32 / 2;
        let count = if users == 0 { 0 } else { random.within(0, 12) };
        by_item.extend((0..count).flat_map(|_| [random.within(0, users - 1), random.within(1, 5)]));
        parts.extend([row, begin, begin + count]);
    }
    let rated = |entry: &[u32]| offsets[entry[0] as usize + 1] - offsets[entry[0] as usize];
    let sums = by_item.chunks(2).map(rated).scan(0, |sum, rated| {
        *sum += rated;
        Some(*sum)
    });
    let before = [0].into_iter().chain(sums).collect();
    let dots = vec![0; (rows * items) as usize];
    let norms = random.array(items, |random| random.within(1, 10_000));
    let best = vec![7; rows as usize];
    let (block, threshold, child) =
        (random.size(200).max(1), random.within(0, 40), random.size(100).max(1));
    let words = [items, rows, threshold, child];
    let grid = [rows.div_ceil(block), 1];
    let calls = vec![
        Call::new("pre", grid, [block, 1], 0..6, &words),
        Call::new("pre_best", [rows, 1], [block, 1], 5..8, &[items, every]),
    ];
    Case { buffers: vec![parts, by_item, before, offsets, by_user, dots, norms, best], calls }
}
