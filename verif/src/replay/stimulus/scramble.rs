//! Random words in phases.

use super::kernel;
use super::{Driver, Stimulus, RESET_CYCLES};
use rand::RngExt;
use std::collections::BTreeMap;

/// Random words in phases of 1 to 200 cycles. In each phase every input has a density of its own,
/// some phases begin with a reset, and in some nothing changes.
#[derive(Default)]
pub struct Scramble {
    phases: usize,
    left: usize,
    idle: bool,
    resets: usize,
    density: BTreeMap<String, u32>,
    opposites: Option<(&'static str, &'static str)>,
    upwards: bool,
}

impl Scramble {
    /// Words of which one bit means more and another less, so that whatever they fill is seen full
    /// and empty: in two of three phases one of them dominates, in turn.
    pub fn swinging(more: &'static str, less: &'static str) -> Self {
        Self { opposites: Some((more, less)), ..Self::default() }
    }

    fn next_phase(&mut self, driver: &mut Driver) {
        self.phases += 1;
        let longest = [4, 16, 60, 200][driver.random().random_range(0..4)];
        self.left = driver.random().random_range(1..=longest);
        self.idle = driver.chance(120);
        let reset = self.phases.is_multiple_of(4) || driver.chance(40);
        self.resets = if reset { driver.random().random_range(1..=2) } else { 0 };
        for name in driver.inputs() {
            let density = [0, 50, 500, 500, 800, 950, 1000][driver.random().random_range(0..7)];
            self.density.insert(name, density);
        }
        if let Some((more, less)) = self.opposites.filter(|_| driver.chance(667)) {
            self.upwards = !self.upwards;
            let (high, low) = if self.upwards { (more, less) } else { (less, more) };
            self.density.insert(high.to_owned(), 980);
            self.density.insert(low.to_owned(), 20);
            // Long enough for 256 words.
            self.left = driver.random().random_range(290..350);
            self.idle = false;
        }
    }
}

impl Stimulus for Scramble {
    fn drive(&mut self, driver: &mut Driver, cycle: usize) -> bool {
        if self.left == 0 {
            self.next_phase(driver);
        }
        self.left -= 1;
        driver.reset(cycle < RESET_CYCLES || self.resets > 0);
        self.resets = self.resets.saturating_sub(1);
        if self.idle {
            return true;
        }
        for (name, &density) in &self.density {
            if name == kernel::PORT && driver.width(name) == kernel::BITS {
                let valid = driver.chance(density);
                let words = kernel::random(driver.random(), kernel::Grid::Any);
                driver.set(name, &kernel::launch(valid, &words));
            } else {
                driver.scramble(name, density);
            }
        }
        true
    }
}
