//! Blocks that come to SMXs only where there is room, and go with what they took.

use super::kernel;
use super::{Driver, Stimulus, RESET_CYCLES};
use rand::RngExt;

/// Residency for the resource table and for a single SMX of it. In every other phase blocks of one
/// kind fill the SMXs up to one of their limits; with random sums they would hardly ever be just full.
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
        let (mut finished, mut freed, mut asks) = (0, Vec::new(), 0);
        for (smx, held) in self.resident.iter_mut().enumerate() {
            let ends = !held.is_empty() && driver.chance(self.finish);
            let returned = if ends { held.remove(0) } else { [0; 3] };
            freed.extend(returned);
            finished |= u64::from(ends) << smx;
            asks |= u64::from(driver.chance(700)) << smx;
        }
        driver.set("needs", &self.needs);
        driver.set("finished", &[finished]);
        driver.set("freed", &freed);
        let take = driver.settled("room") & asks;
        driver.set("take", &[take]);
        for (smx, held) in self.resident.iter_mut().enumerate() {
            if reset {
                held.clear();
            } else if take >> smx & 1 == 1 {
                held.push(self.needs);
            }
        }
        true
    }
}
