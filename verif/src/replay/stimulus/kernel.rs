//! Random kernels for launch ports.

use rand::RngExt;
use rand_pcg::Pcg64;

/// The name of launch ports.
pub const PORT: &str = "launch";

/// The width of a launch port that carries a whole kernel.
pub const BITS: usize = 234;

/// What an SMX of every preset holds: threads, registers, bytes of shared memory. Kernels stay
/// within, so that none of them blocks the queue for ever.
const MOST: [u64; 3] = [1536, 32_768, 49_152];

/// Parts of which a whole number just fills an SMX of every preset.
pub const PARTS: [u64; 3] = [256, 8_192, 16_384];

/// The fields of a launch port behind `valid`: entry PC, parameter address, block (three), grid
/// (three), blocks in all, threads, registers, shared memory.
pub type Kernel = [u64; 12];

/// The fields that say what grid a kernel has, and how many blocks.
pub const GRID: std::ops::RangeInclusive<usize> = 5..=8;

/// Which grids a kernel may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// One in ten is empty.
    Any,
    /// None is empty.
    NotEmpty,
}

/// A kernel with a small grid.
pub fn random(random: &mut Pcg64, grids: Grid) -> Kernel {
    let mut side = |most: u64| random.random_range(1..=most);
    let mut grid = [side(3), side(2), side(2)];
    match random.random_range(0..10) {
        0 if grids == Grid::Any => grid[random.random_range(0..3)] = 0,
        0..=2 => grid = [1, 1, 1],
        3..=5 => grid = [random.random_range(1..=20), 1, 1],
        _ => {}
    }
    let [x, y, z] = grid;
    let [threads, registers, shared_memory] = needs(random);
    let (entry_pc, address) = (random.random(), random.random());
    let block = random.random_range(1..=1024);
    [entry_pc, address, block, 1, 1, x, y, z, x * y * z, threads, registers, shared_memory]
}

/// What a block takes of its SMX: threads, registers, bytes of shared memory.
pub fn needs(random: &mut Pcg64) -> [u64; 3] {
    std::array::from_fn(|resource| {
        let (most, part) = (MOST[resource], PARTS[resource]);
        match random.random_range(0..10) {
            0..=2 => 0,
            3 => most,
            4 => most / 2 + random.random_range(0..=1),
            5 => part,
            6 => part + 1,
            _ => random.random_range(0..=most / 8),
        }
    })
}

/// The values of a launch port.
pub fn launch(valid: bool, kernel: &Kernel) -> Vec<u64> {
    std::iter::once(u64::from(valid)).chain(kernel.iter().copied()).collect()
}
