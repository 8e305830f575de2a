//! Blocks that come to SMXs only where there is room, and go with what they took.

use super::driver::packed;
use super::kernel;
use super::{Driver, Stimulus, RESET_CYCLES};
use rand::RngExt;

/// Residency for the resource table and for a single SMX of it. In every other phase blocks of one
/// kind fill the SMXs up to one of their limits; with random sums they would hardly ever be just
/// full.
#[derive(Default)]
pub struct Residency {
    filling: bool,
    left: usize,
    resets: usize,
    finish: u32,
    needs: [u64; 3],
    resident: Vec<Vec<[u64; 3]>>,
}

impl Residency {
    fn next_phase(&mut self, driver: &mut Driver) {
        self.filling = !self.filling;
        self.needs =
            match driver.random().random_range(0..6) {
                0 => [0; 3],
                limit @ 1..=3 => std::array::from_fn(|resource| {
                    if resource + 1 == limit {
                        kernel::PARTS[resource]
                    } else {
                        0
                    }
                }),
                _ => kernel::needs(driver.random()),
            };
        (self.left, self.finish) = if self.filling {
            (driver.random().random_range(25..60), [0, 0, 50][driver.random().random_range(0..3)])
        } else {
            (driver.random().random_range(5..40), [500, 1000][driver.random().random_range(0..2)])
        };
        self.resets = if driver.chance(50) { driver.random().random_range(1..=2) } else { 0 };
    }
}

impl Stimulus for Residency {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        if self.left == 0 {
            self.next_phase(driver);
        }
        self.left -= 1;
        let reset = cycle < RESET_CYCLES || self.resets > 0;
        self.resets = self.resets.saturating_sub(1);
        driver.reset(reset);
        let count = driver.width("finished");
        self.resident.resize(count, Vec::new());
        let (mut finished, mut freed, mut asks) = (Vec::new(), Vec::new(), Vec::new());
        for held in &mut self.resident {
            let ends = !held.is_empty() && driver.chance(self.finish);
            let returned = if ends { held.remove(0) } else { [0; 3] };
            freed.extend(returned);
            finished.push(ends);
            asks.push(driver.chance(700));
        }
        driver.set("needs", &self.needs);
        driver.set("finished", &packed(&finished));
        driver.set("freed", &freed);
        let room = driver.settled_bits("room");
        let take: Vec<bool> = room.iter().zip(asks).map(|(room, asks)| room & asks).collect();
        driver.set("take", &packed(&take));
        for (held, taken) in self.resident.iter_mut().zip(take) {
            if reset {
                held.clear();
            } else if taken {
                held.push(self.needs);
            }
        }
        true
    }
}
