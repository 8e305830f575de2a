//! Cases of the benchmarks of DTBL that are not over graphs.

use crate::case::{Call, Case};
use crate::random::Random;

/// Threads of a block of the host's, what a thread does itself, and threads of a child's block.
fn blocks(random: &mut Random) -> [u32; 3] {
    [random.size(200).max(1), random.within(0, 40), random.size(100).max(1)]
}

pub fn join(random: &mut Random) -> Case {
    let ([left, right], distinct) = ([0, 1].map(|_| random.size(300)), random.within(1, 60));
    let keys = |random: &mut Random, rows| {
        let mut keys = random.array(rows, |random| random.within(0, distinct));
        keys.sort_unstable();
        keys
    };
    let [left_keys, right_keys] = [left, right].map(|rows| keys(random, rows));
    let [left_values, right_values] = [left, right].map(|rows| random.array(rows, Random::word));
    let matches = |key| right_keys.iter().filter(|&other| other == key).count() as u32;
    let sum = |sum: &mut u32, key| {
        *sum += matches(key);
        Some(*sum)
    };
    let offsets: Vec<u32> = [0].into_iter().chain(left_keys.iter().scan(0, sum)).collect();
    let pairs = vec![7; 2 * offsets[left as usize] as usize];
    let (part, [block, threshold, child]) = (random.within(1, 20), blocks(random));
    let grid = |threads: u32| [threads.div_ceil(block), 1];
    let [begins, counts] = [0, 1].map(|_| vec![7; left as usize]);
    let calls = vec![
        Call::new("join_match", grid(left), [block, 1], [0, 1, 2, 3], &[left, right]),
        Call::new(
            "join",
            grid(left.div_ceil(part)),
            [block, 1],
            [4, 2, 5, 6, 7],
            &[left, part, threshold, child],
        ),
    ];
    let buffers =
        vec![left_keys, right_keys, begins, counts, offsets, left_values, right_values, pairs];
    Case { buffers, calls }
}

/// Any automaton will do; half of its entries lead to no state.
pub fn regx(random: &mut Random) -> Case {
    let (packets, states) = (random.size(60), random.within(2, 6));
    let entry = |at: u32, random: &mut Random| match (at / 256, random.within(0, 7)) {
        (0, _) | (_, 0..=3) => 0,
        (_, 4) => random.within(1, 9) << 16 | random.within(1, states - 1),
        _ => random.within(1, states - 1),
    };
    let table: Vec<u32> = (0..256 * states).map(|at| entry(at, random)).collect();
    let mut bounds = vec![0];
    for _ in 0..packets {
        bounds.push(bounds[bounds.len() - 1] + random.within(0, 150));
    }
    let bytes = bounds[packets as usize];
    let (text, matches) = (random.array(bytes.div_ceil(4), Random::word), vec![0; bytes as usize]);
    let [block, threshold, child] = blocks(random);
    let (prefix, window) = (random.within(1, 4), random.within(1, 100));
    let words = [packets, prefix, window, threshold, child];
    let call = Call::new("regx", [packets.div_ceil(block), 1], [block, 1], 0..4, &words);
    Case { buffers: vec![table, text, bounds, matches], calls: vec![call] }
}

/// The buffers of [`amr`], in the order in which the kernel takes them.
const ENERGIES: usize = 2;
const CHILDREN: usize = 3;
const BLOCKS: usize = 4;

pub fn amr(random: &mut Random) -> Case {
    let [width, height] = [0, 1].map(|_| random.size(12).min(40));
    let (refine, levels) = (random.within(2, 4), random.within(0, 2));
    let (cells, grid, whole) = (refine * refine, width * height, refine.pow(levels));
    // Energies from 0 to 16, and a narrower band for each level: at most every cell gets a block.
    let initial = random.array(grid, |random| (random.within(0, 64) as f32 / 4.0).to_bits());
    let bands = (0..levels).map(|level| (2.0 / (1 + level) as f32).to_bits()).collect();
    let most = grid * (0..levels).map(|level| cells.pow(level)).sum::<u32>();
    let all = (grid + most * cells) as usize;
    let scale = 0.5 / whole as f32;
    let words = [width, height, refine, levels, whole, 8_f32.to_bits(), scale.to_bits(), 0];
    let blocks = [width.div_ceil(refine), height.div_ceil(refine)];
    let call = Call::new("amr", blocks, [refine, refine], 0..6, &words);
    let buffers =
        vec![initial, bands, vec![0; all], vec![0; all], vec![0; 4 * most as usize], vec![0]];
    Case { buffers, calls: vec![call] }
}

/// Gives the blocks of `buffers`, left by a case of [`amr`], the numbers that they have when they
/// are met from cell to cell, those of the grid first and then those of the blocks in order.
pub fn renumber_blocks(case: &Case, buffers: &mut [Vec<u32>]) {
    let grid = case.buffers[0].len();
    let blocks = buffers[BLOCKS].len() / 4;
    if blocks == 0 {
        return;
    }
    let cells = (buffers[CHILDREN].len() - grid) / blocks;
    let old = buffers.to_vec();
    // For each cell, in the new order, which one it was.
    let mut was: Vec<usize> = (0..grid).collect();
    let mut met = 0;
    let mut at = 0;
    while at < was.len() {
        let child = old[CHILDREN][was[at]] as usize;
        if child != 0 {
            buffers[BLOCKS][4 * met..][..4].copy_from_slice(&old[BLOCKS][4 * (child - 1)..][..4]);
            buffers[BLOCKS][4 * met] = at as u32;
            met += 1;
            was.extend((0..cells).map(|number| grid + (child - 1) * cells + number));
        }
        buffers[CHILDREN][at] = if child == 0 { 0 } else { met as u32 };
        buffers[ENERGIES][at] = old[ENERGIES][was[at]];
        at += 1;
    }
}
