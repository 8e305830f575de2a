//! Grids for schedulers that keep something from one kernel for the next.

use blockyard_sim::port::{Dim3, Relation};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Chance in 1,000 that a kernel has the grid of the one before.
const SAME: u32 = 750;

/// Chance in 1,000 that a kernel depends on blocks of the same id.
const PLAIN: u32 = 600;

/// What the grids of kernels are, and how kernels relate to earlier ones; random numbers of its own
/// leave the rest of the traffic as it is.
pub struct Reuse {
    random: Pcg64,
    related: bool,
    before: Option<Dim3>,
}

impl Reuse {
    /// The same seed gives the same grids and, if kernels are `related`, relations.
    pub fn new(related: bool, seed: u64) -> Self {
        let random = Pcg64::seed_from_u64(seed.rotate_left(17));
        Self { random, related, before: None }
    }

    /// The grid of a kernel that would have this one.
    pub fn grid(&mut self, grid: Dim3) -> Dim3 {
        let draw = self.random.random_range(0..1000);
        let chosen = match self.before {
            Some(before) if draw < SAME => before,
            // Many more blocks than fit at once, so that the SMXs end their chunks at different
            // times.
            _ if draw % 3 == 0 => Dim3::new(self.random.random_range(1..=300), 1, 1),
            _ => grid,
        };
        self.before = Some(chosen);
        chosen
    }

    /// On which earlier kernel's blocks a kernel's own depend: near ones for the most part, so that
    /// chunks move by a few blocks; now and then ones at or beside the limits of the fields.
    pub fn relation(&mut self) -> Relation {
        if !self.related {
            return Relation::default();
        }
        let back = self.random.random_range(1..=Relation::MOST_BACK);
        if self.random.random_range(0..1000) < PLAIN {
            return Relation { back, ..Relation::default() };
        }
        let far = |random: &mut Pcg64, near: i64, most: i64| match random.random_range(0..20) {
            0 => random.random_range(-most..=most),
            1 => random.random_range(most - 1..=most),
            2 => random.random_range(-most..=1 - most),
            _ => random.random_range(-near..=near),
        };
        let ratio = far(&mut self.random, 3, u16::MAX.into()).unsigned_abs().max(1) as u16;
        let offset = far(&mut self.random, 40, i32::MAX.into()) as i32;
        Relation { back, ratio, offset }
    }
}
