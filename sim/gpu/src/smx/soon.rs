//! The warps whose operands come within the next cycles, as most do.

use crate::warp_set::WarpSet;

/// Cycles that are near: beyond most latencies of units.
const NEAR: u64 = 64;

/// A set of warps for each near cycle. Nothing may be left in a cycle that has passed: the SMX is
/// to be woken in every cycle for which there is a warp.
#[derive(Debug)]
pub struct Soon {
    ring: [WarpSet; NEAR as usize],
}

impl Default for Soon {
    /// None.
    fn default() -> Self {
        Self { ring: [0; NEAR as usize] }
    }
}

impl Soon {
    /// Puts the warp in `slot` into `cycle`, from `now` on, unless that is far away; returns
    /// whether it did.
    #[inline]
    pub fn put(&mut self, slot: usize, cycle: u64, now: u64) -> bool {
        let near = cycle.wrapping_sub(now) < NEAR;
        if near {
            self.ring[(cycle % NEAR) as usize] |= 1 << slot;
        }
        near
    }

    /// The warps of this cycle.
    #[inline]
    pub fn of(&self, now: u64) -> &WarpSet {
        &self.ring[(now % NEAR) as usize]
    }

    /// Takes the warps of this cycle.
    #[inline]
    pub fn take(&mut self, now: u64) -> WarpSet {
        std::mem::take(&mut self.ring[(now % NEAR) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warps_come_in_their_cycle_and_those_far_away_not_at_all() {
        let mut soon = Soon::default();
        assert!(soon.put(3, 100, 100));
        assert!(soon.put(0, 163, 100));
        assert!(soon.put(63, 163, 101));
        assert!(!soon.put(1, 164, 100));
        assert_eq!([100, 100, 101, 163, 164].map(|now| soon.take(now)), [8, 0, 0, 1 << 63 | 1, 0]);
    }
}
