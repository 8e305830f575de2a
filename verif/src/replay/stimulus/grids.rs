//! A place in a grid that is small enough for its end to be near.

use super::{Driver, Stimulus};
use rand::RngExt;

/// Blocks of small grids, some of them empty, and now and then random words.
#[derive(Default)]
pub struct Grids;

impl Stimulus for Grids {
    fn drive(&mut self, driver: &mut Driver, _cycle: usize) -> bool {
        if driver.chance(100) {
            if driver.has("at") {
                driver.scramble("at", 500);
            }
            driver.scramble("grid", 500);
            return true;
        }
        let random = driver.random();
        let most = [40, 4, 4];
        let grid: [u64; 3] = std::array::from_fn(|side| random.random_range(0..=most[side]));
        let at: [u64; 3] = std::array::from_fn(|side| match grid[side] {
            0 => 0,
            // Mostly the last one, so that the sequence runs over an edge.
            extent if random.random_bool(0.6) => extent - 1,
            extent => random.random_range(0..extent),
        });
        if driver.has("at") {
            driver.set("at", &at);
        }
        driver.set("grid", &grid);
        true
    }
}

/// The same, and how far on a block is: as far as the grid goes, or just beyond.
#[derive(Default)]
pub struct Strides;

impl Stimulus for Strides {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        Grids.drive(driver, cycle);
        let random = driver.random();
        let far: [u64; 3] = match random.random_range(0..4) {
            0 => std::array::from_fn(|_| random.random_range(0..=255)),
            1 => [1, 0, 0],
            _ => [40, 4, 4].map(|most| random.random_range(0..=most)),
        };
        match driver.has("by") {
            true => driver.set("by", &far),
            false => {
                driver.set("of", &far);
                driver.scramble("one", 500);
            }
        }
        true
    }
}
