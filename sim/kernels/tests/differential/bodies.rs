//! Cases of the kernel over a tree of bodies.

use crate::case::{Call, Case};
use crate::random::Random;

/// Any walk that goes on and ends, of cells that are no tree of the bodies.
pub fn bht(random: &mut Random) -> Case {
    let (count, cells) = (random.size(200), random.size(100));
    let mass = |random: &mut Random| {
        let place: [u32; 3] = std::array::from_fn(|_| random.moderate());
        let mass = random.within(0, 1000) as f32 / 1e6;
        [place[0], place[1], place[2], mass.to_bits()]
    };
    let masses = |random: &mut Random, count| -> Vec<u32> {
        (0..count).flat_map(|_| mass(random)).collect()
    };
    let (bodies, centres) = (masses(random, count), masses(random, cells));
    let shape = |cell: u32, random: &mut Random| {
        let first = random.within(0, count);
        let leaf = random.within(0, 1) * random.within(0, count - first);
        let near = random.moderate() & 0x7fff_ffff;
        [near, random.within(cell + 1, cells), first, leaf.min(90)]
    };
    let shapes: Vec<u32> = (0..cells).flat_map(|cell| shape(cell, random)).collect();
    let accelerations = random.array(3 * count, Random::word);
    let (block, threshold, child) =
        (random.size(200).max(1), random.within(0, 40), random.size(100).max(1));
    let words = [count, cells, threshold, child];
    let call = Call::new("bht", [count.div_ceil(block), 1], [block, 1], 0..4, &words);
    Case { buffers: vec![bodies, centres, shapes, accelerations], calls: vec![call] }
}
