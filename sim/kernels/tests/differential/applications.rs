//! Cases of the applications of IKRA's Table 3.

use crate::benchmarks::{between, line};
use crate::case::{Call, Case};
use crate::random::Random;

/// A positive number of thousandths, up to `most`.
fn positive(random: &mut Random, most: u32) -> u32 {
    (random.within(1, 1000 * most) as f32 / 1000.0).to_bits()
}

/// A picture of any extents, of numbers around 2.
fn picture(random: &mut Random) -> (u32, u32, Vec<u32>) {
    let [width, height] = [0, 1].map(|_| random.size(60));
    (width, height, random.array(width * height, |random| between(random, 1, 3)))
}

pub fn hotspot(random: &mut Random) -> Case {
    let (width, height, now) = picture(random);
    let power = random.array(width * height, |random| between(random, 0, 1));
    let pyramid = random.within(1, 7);
    let steps = random.within(1, pyramid);
    let rates = random.array(4, |random| between(random, 0, 1));
    let inner = 16 - 2 * pyramid;
    let grid = [width.div_ceil(inner), height.div_ceil(inner)];
    let words = [&[width, height, pyramid, steps], &rates[..]].concat();
    let next = vec![7; now.len()];
    let calls = vec![Call::new("hotspot", grid, [16, 16], 0..3, &words)];
    Case { buffers: vec![power, now, next], calls }
}

pub fn pathfinder(random: &mut Random) -> Case {
    let (columns, all) = (random.size(900), random.within(1, 12));
    let rows = random.within(1, all);
    let (first, pyramid) = (random.within(0, all - rows), random.within(rows, 20));
    let wall = random.array(all * columns, |random| random.within(0, 9));
    let now = random.array(columns, |random| random.within(0, 99));
    let grid = line(columns.div_ceil(256 - 2 * pyramid));
    let words = [columns, first, rows, pyramid];
    let next = vec![7; now.len()];
    let calls = vec![Call::new("pathfinder", grid, line(256), 0..3, &words)];
    Case { buffers: vec![wall, now, next], calls }
}

/// A step: what flows, then how it does.
pub fn srad2(random: &mut Random) -> Case {
    let (width, height, image) = picture(random);
    let (speckle, rate) = (positive(random, 1), between(random, 0, 1));
    let grid = [width.div_ceil(16), height.div_ceil(16)];
    let of = |kernel, last| Call::new(kernel, grid, [16, 16], 0..6, &[width, height, last]);
    let calls = vec![of("srad2_coefficients", speckle), of("srad2_update", rate)];
    let found = vec![vec![7; image.len()]; 5];
    Case { buffers: [vec![image], found].concat(), calls }
}

/// All kernels, the trees twice.
pub fn srad1(random: &mut Random) -> Case {
    let (width, height, image) = picture(random);
    let count = width * height;
    let (speckle, rate) = (positive(random, 1), between(random, 0, 1));
    let before = |count: u32| (0..count).map(|at| at.saturating_sub(1)).collect();
    let behind = |count: u32| (0..count).map(|at| (at + 1).min(count - 1)).collect();
    let tables: [Vec<u32>; 4] = [before(height), behind(height), before(width), behind(width)];
    let blocks = count.div_ceil(512);
    let of = |kernel, blocks, buffers: &[usize], words: &[u32]| {
        Call::new(kernel, line(blocks), line(512), buffers.iter().copied(), words)
    };
    let all = &[0, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let calls = vec![
        of("srad1_extract", blocks, &[0], &[count]),
        of("srad1_prepare", blocks, &[0, 1, 2], &[count]),
        of("srad1_reduce", blocks, &[1, 2], &[count, 1]),
        of("srad1_reduce", blocks.div_ceil(512), &[1, 2], &[blocks, 512]),
        of("srad1_coefficients", blocks, all, &[width, count, speckle]),
        of("srad1_update", blocks, &[0, 4, 6, 7, 8, 9, 10, 11], &[width, count, rate]),
        of("srad1_compress", blocks, &[0], &[count]),
    ];
    let found = |arrays| vec![vec![7; count as usize]; arrays];
    Case { buffers: [vec![image], found(2), tables.to_vec(), found(5)].concat(), calls }
}

/// An anti-diagonal, or a part of it.
pub fn nw(random: &mut Random) -> Case {
    let tiles = random.within(1, 9);
    let length = 8 * tiles;
    let similar = random.array(length * length, |random| random.within(0, 20).wrapping_sub(10));
    let scores = random.array((length + 1) * (length + 1), |random| random.within(0, 99));
    let diagonal = random.within(0, 2 * tiles - 2);
    let first = (diagonal + 1).saturating_sub(tiles);
    let blocks = random.within(1, diagonal + 1 - 2 * first);
    let words = [length, diagonal, first, random.within(0, 20)];
    let calls = vec![Call::new("nw", line(blocks), line(8), 0..2, &words)];
    Case { buffers: vec![similar, scores], calls }
}

/// All three kernels, of any tile of the diagonal.
pub fn lud(random: &mut Random) -> Case {
    let tiles = random.within(1, 4);
    let (size, at) = (16 * tiles, random.within(0, tiles - 1));
    let mut matrix = random.array(size * size, |random| between(random, 0, 2));
    (0..size as usize).for_each(|row| matrix[row * (size as usize + 1)] = 90.0_f32.to_bits());
    let left = tiles - at - 1;
    let of = |kernel, grid, block| Call::new(kernel, grid, block, [0], &[size, at]);
    let calls = vec![
        of("lud_diagonal", line(1), line(16)),
        of("lud_perimeter", line(left), line(32)),
        of("lud_internal", [left, left], [16, 16]),
    ];
    Case { buffers: vec![matrix], calls }
}

pub fn nearest(random: &mut Random) -> Case {
    let (count, block) = (random.size(900), random.size(300).max(1));
    let places = random.array(2 * count, |random| between(random, 0, 90));
    let words = [count, between(random, 0, 90), between(random, 0, 90)];
    let grid = line(count.div_ceil(block));
    let calls = vec![Call::new("nearest", grid, line(block), 0..2, &words)];
    Case { buffers: vec![places, vec![7; count as usize]], calls }
}

pub fn convolution(random: &mut Random) -> Case {
    let [width, height] = [0, 1].map(|_| random.size(150));
    let picture = random.array(width * height, Random::moderate);
    let filter = random.array(17, Random::moderate);
    let of = |kernel, grid, block, buffers: [usize; 2]| {
        Call::new(kernel, grid, block, buffers, &[width, height])
    };
    let calls = vec![
        Call::constant("convolution_filter", 3, 17),
        of("convolution_rows", [width.div_ceil(128), height.div_ceil(4)], [16, 4], [0, 1]),
        of("convolution_columns", [width.div_ceil(16), height.div_ceil(64)], [16, 8], [1, 2]),
    ];
    let results = vec![vec![7; picture.len()]; 2];
    Case { buffers: [vec![picture], results, vec![filter]].concat(), calls }
}

pub fn sgemm(random: &mut Random) -> Case {
    let [rows, columns, inner] = [300, 50, 40].map(|most| random.size(most));
    let [a, b] = [rows * inner, inner * columns].map(|count| random.array(count, Random::moderate));
    let grid = [rows.div_ceil(128), columns.div_ceil(16)];
    let calls = vec![Call::new("sgemm", grid, [16, 8], 0..3, &[rows, columns, inner])];
    Case { buffers: vec![a, b, vec![7; (rows * columns) as usize]], calls }
}

/// Boxes with any neighbours.
pub fn lavamd(random: &mut Random) -> Case {
    let boxes = random.within(1, 4);
    let mut lists = Vec::new();
    for _ in 0..boxes {
        let list = random.array(28, |random| random.within(0, boxes - 1));
        let count = random.within(0, 5);
        lists.extend([&[count], &list[1..]].concat());
    }
    let mut doubles = |count: u32| -> Vec<u32> {
        let number = |_| f64::from(random.within(1, 1000)) / 1000.0;
        let bits = (0..count).map(number).map(f64::to_bits);
        bits.flat_map(|bits| [bits as u32, (bits >> 32) as u32]).collect()
    };
    let (particles, charges) = (doubles(400 * boxes), doubles(100 * boxes));
    let forces = vec![7; particles.len()];
    let alpha = 0.5_f32.to_bits();
    let calls = vec![Call::new("lavamd", line(boxes), line(128), 0..4, &[alpha])];
    Case { buffers: vec![lists, particles, charges, forces], calls }
}
