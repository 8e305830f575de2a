//! Cases of the kernels of SRTF's Table 2.

use crate::benchmarks::{between, line};
use crate::case::{Call, Case};
use crate::random::Random;

pub fn sha1(random: &mut Random) -> Case {
    let (count, chunks) = (random.size(200), random.within(0, 4));
    let block = random.size(200).max(1);
    let messages = random.array(16 * count * chunks, Random::word);
    let grid = line(count.div_ceil(block));
    let calls = vec![Call::new("sha1", grid, line(block), 0..2, &[count, chunks])];
    Case { buffers: vec![messages, vec![7; 5 * count as usize]], calls }
}

pub fn sad(random: &mut Random) -> Case {
    let [columns, rows] = [0, 1].map(|_| random.within(1, 6));
    let [picture, other] = [0, 1].map(|_| random.array(4 * columns * rows, Random::word));
    let sums = vec![7; (33 * 33 * columns * rows) as usize];
    let words = [4 * columns, 4 * rows];
    let calls = vec![Call::new("sad", [columns, rows], line(61), 0..3, &words)];
    Case { buffers: vec![picture, other, sums], calls }
}

/// There and back.
pub fn dct(random: &mut Random) -> Case {
    let [columns, rows] = [0, 1].map(|_| random.within(1, 4));
    let picture = random.array(512 * columns * rows, Random::moderate);
    let of =
        |kernel, buffers: [usize; 2]| Call::new(kernel, [columns, rows], line(64), buffers, &[]);
    let calls = vec![of("dct_encode", [0, 1]), of("dct_decode", [1, 2])];
    let results = vec![vec![7; picture.len()]; 2];
    Case { buffers: [vec![picture], results].concat(), calls }
}

pub fn denoise(random: &mut Random) -> Case {
    let [width, height] = [0, 1].map(|_| random.size(40));
    let picture = random.array(width * height, |random| between(random, 0, 1));
    let grid = [width.div_ceil(8), height.div_ceil(8)];
    let clean = vec![7; picture.len()];
    let calls = vec![Call::new("denoise", grid, [8, 8], 0..2, &[width, height])];
    Case { buffers: vec![picture, clean], calls }
}

pub fn raytrace(random: &mut Random) -> Case {
    let [width, height] = [0, 1].map(|_| random.size(60));
    let balls = random.within(1, 20);
    let ball = |random: &mut Random| {
        let [x, y, z] = [2, 2, 6].map(|most| between(random, 0, most));
        [x, y, z, (random.within(100, 1000) as f32 / 1000.0).to_bits()]
    };
    let places: Vec<u32> = (0..balls).flat_map(|_| ball(random)).collect();
    let surfaces = random.array(2 * balls, |random| between(random, 0, 1));
    let grid = [width.div_ceil(16), height.div_ceil(8)];
    let words = [width, height, balls, random.within(0, 6)];
    let calls = vec![
        Call::constant("raytrace_places", 1, 4 * balls),
        Call::constant("raytrace_surfaces", 2, 2 * balls),
        Call::new("raytrace", grid, [16, 8], [0], &words),
    ];
    Case { buffers: vec![vec![7; (width * height) as usize], places, surfaces], calls }
}
