//! Clusters of thread blocks, for launch ports and for the order of a grid's blocks.

use super::kernel::{self, Kernel};
use super::{Driver, Stimulus};
use rand::RngExt;
use rand_pcg::Pcg64;

/// The extent of a cluster of at most `most` blocks.
fn extent(random: &mut Pcg64, most: u64) -> [u64; 3] {
    let x = random.random_range(1..=most);
    let y = random.random_range(1..=most / x);
    let z = random.random_range(1..=most / (x * y));
    match random.random_range(0..3) {
        0 => [x, y, z],
        1 => [y, z, x],
        _ => [z, x, y],
    }
}

/// Clusters for a kernel, whose grid becomes as many of them as it had blocks: most of them of as
/// many blocks as a third of the `smxs` SMXs, or of one.
pub fn of_kernel(random: &mut Pcg64, smxs: usize, kernel: &mut Kernel) -> [u64; 3] {
    let third = smxs.div_ceil(3).min(16) as u64;
    let most = match random.random_range(0..20) {
        0..=5 => 1,
        6 => 16,
        _ => third,
    };
    let extent = extent(random, most);
    for (side, blocks) in kernel[kernel::GRID].iter_mut().zip(extent) {
        *side *= blocks;
    }
    let [x, y, z] = [5, 6, 7].map(|field| kernel[field]);
    kernel[*kernel::GRID.end()] = x * y * z;
    extent
}

/// Places in clusters of grids whose ends are near, and now and then random words.
#[derive(Default)]
pub struct Sequence;

impl Stimulus for Sequence {
    fn drive(&mut self, driver: &mut Driver, _cycle: usize) -> bool {
        if driver.chance(100) {
            for port in ["at", "place", "grid", "cluster"] {
                driver.scramble(port, 500);
            }
            return true;
        }
        let random = driver.random();
        let cluster = extent(random, 16);
        let clusters: [u64; 3] = std::array::from_fn(|_| random.random_range(0..=4));
        let near = |random: &mut Pcg64, count: u64| match count {
            0 => 0,
            // Mostly the last one, so that the sequence runs over an edge.
            count if random.random_bool(0.6) => count - 1,
            count => random.random_range(0..count),
        };
        let at: [u64; 3] = std::array::from_fn(|side| near(random, clusters[side]) * cluster[side]);
        let place: [u64; 3] = std::array::from_fn(|side| near(random, cluster[side]));
        let grid: [u64; 3] = std::array::from_fn(|side| clusters[side] * cluster[side]);
        driver.set("at", &at);
        driver.set("place", &place);
        driver.set("grid", &grid);
        driver.set("cluster", &cluster);
        true
    }
}
