//! Cases of kernels over arrays and planes.

use crate::case::{Call, Case};
use crate::random::Random;

/// Threads of a block.
fn block(random: &mut Random) -> u32 {
    random.size(300).max(1)
}

/// One dimension.
fn line(x: u32) -> [u32; 2] {
    [x, 1]
}

pub fn vecadd(random: &mut Random) -> Case {
    sum("vecadd", random)
}

pub fn steal(random: &mut Random) -> Case {
    sum("steal", random)
}

/// The sum of two arrays by `kernel`.
fn sum(kernel: &'static str, random: &mut Random) -> Case {
    let (count, block) = (random.size(1000), block(random));
    let [a, b] = [0, 1].map(|_| random.array(count, Random::finite));
    let call = Call::new(kernel, line(count.div_ceil(block)), line(block), 0..3, &[count]);
    Case { buffers: vec![a, b, vec![7; count as usize]], calls: vec![call] }
}

pub fn matmul(random: &mut Random) -> Case {
    let [rows, columns, inner] = [0, 1, 2].map(|_| random.size(40));
    let a = random.array(rows * inner, Random::moderate);
    let b = random.array(inner * columns, Random::moderate);
    let grid = [columns.div_ceil(16), rows.div_ceil(16)];
    let call = Call::new("matmul", grid, [16, 16], 0..3, &[rows, columns, inner]);
    Case { buffers: vec![a, b, vec![7; (rows * columns) as usize]], calls: vec![call] }
}

/// Queries, keys and values between -2 and 2, so that none outweighs all others.
pub fn attention(random: &mut Random) -> Case {
    let (heads, length) = (random.within(1, 3), random.size(150));
    let numbers = heads * length * 32;
    let small = |random: &mut Random| (random.within(0, 4000) as f32 / 1000.0 - 2.0).to_bits();
    let inputs = [0, 1, 2].map(|_| random.array(numbers, small));
    let words = [length, 0.25_f32.to_bits()];
    let call = Call::new("attention", [length.div_ceil(64), heads], [64, 1], 0..4, &words);
    let out = vec![7; numbers as usize];
    Case { buffers: inputs.into_iter().chain([out]).collect(), calls: vec![call] }
}

pub fn reduce(random: &mut Random) -> Case {
    let (count, block) = (random.size(1000), block(random));
    let blocks = |words: u32| words.div_ceil(2 * block).max(1);
    let (first, second) = (blocks(count), blocks(blocks(count)));
    let words = random.array(count, Random::word);
    let call = |blocks, buffers: [usize; 2], count| {
        Call::new("reduce", line(blocks), line(block), buffers, &[count])
    };
    Case {
        buffers: vec![words, vec![7; first as usize], vec![7; second as usize]],
        calls: vec![call(first, [0, 1], count), call(second, [1, 2], first)],
    }
}

pub fn histogram(random: &mut Random) -> Case {
    let (count, blocks, block) = (random.size(3000), random.within(1, 5), block(random));
    let bytes = random.array(count.div_ceil(4), Random::word);
    let bins = random.array(256, Random::word);
    let call = Call::new("histogram", line(blocks), line(block), 0..2, &[count]);
    Case { buffers: vec![bytes, bins], calls: vec![call] }
}

pub fn stencil(random: &mut Random) -> Case {
    let [width, height] = [0, 1].map(|_| random.size(50));
    let points = width * height;
    let planes = [0, 1].map(|_| random.array(points, Random::moderate));
    let rate = random.within(1, 24) as f32 / 100.0;
    let grid = [width.div_ceil(16), height.div_ceil(16)];
    let step = |buffers: [usize; 2]| {
        Call::new("stencil", grid, [16, 16], buffers, &[width, height, rate.to_bits()])
    };
    Case { buffers: planes.to_vec(), calls: vec![step([0, 1]), step([1, 0]), step([0, 1])] }
}

pub fn nested(random: &mut Random) -> Case {
    let [width, height] = [0, 1].map(|_| random.size(60));
    let (limit, leaf) = (random.within(0, 4), random.within(1, 5));
    let side = leaf << limit;
    let block = [random.within(1, 12), random.within(1, 12)];
    // Patches of a value each, and a few cells of their own.
    let patch = random.within(1, 20);
    let cell = |at: u32, random: &mut Random| match random.within(0, 200) {
        0 => random.word(),
        _ => ((at % width / patch) ^ (at / width / patch)) % 3,
    };
    let map: Vec<u32> = (0..width * height).map(|at| cell(at, random)).collect();
    let depths = vec![7; map.len()];
    let leaves = random.array(limit + 1, Random::word);
    let grid = [width.div_ceil(side), height.div_ceil(side)];
    let words = [width, height, 0, 0, side, 0, limit];
    let call = Call::new("nested", grid, block, 0..3, &words);
    Case { buffers: vec![map, depths, leaves], calls: vec![call] }
}

pub fn sort(random: &mut Random) -> Case {
    let count = random.size(1500);
    let (leaf, levels, block) = (random.size(60).max(1), random.within(0, 4), block(random));
    let key = |random: &mut Random| match random.within(0, 3) {
        0 => random.within(0, 7),
        _ => random.word(),
    };
    let keys = random.array(count, key);
    let (other, part) = (vec![0; keys.len()], leaf << levels);
    let words = [0, part, count, leaf];
    let call = Call::new("sort", line(count.div_ceil(part)), line(block), 0..2, &words);
    Case { buffers: vec![keys, other], calls: vec![call] }
}
