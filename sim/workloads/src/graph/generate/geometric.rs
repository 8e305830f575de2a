//! Whole numbers from 1 on whose frequencies fall off geometrically, as the exponential
//! distribution does.

use rand::{Rng, RngExt};

/// What is less probable than this is not drawn.
const NEVER: f64 = 1e-12;

/// Draws by a table of sums: products round alike on every machine, logarithms do not.
pub(super) struct Geometric {
    /// The probability of a number up to the index and 1.
    up_to: Vec<f64>,
}

impl Geometric {
    /// Of that mean, 1 or more.
    pub fn of_mean(mean: f64) -> Self {
        let (mut up_to, mut above) = (Vec::new(), 1.0);
        while above > NEVER {
            above *= 1.0 - 1.0 / mean;
            up_to.push(1.0 - above);
        }
        Self { up_to }
    }

    /// The next number.
    pub fn draw(&self, random: &mut impl Rng) -> u32 {
        let drawn: f64 = random.random();
        let below = self.up_to.partition_point(|&sum| sum <= drawn);
        below.min(self.up_to.len() - 1) as u32 + 1
    }
}
