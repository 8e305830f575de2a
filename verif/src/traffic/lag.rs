//! SMXs that stand still, one after the other and then none: the others come to the end of what is
//! theirs.

/// Cycles for which one does.
const CYCLES: u64 = 16_384;

/// See the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lag {
    cycle: u64,
}

impl Lag {
    /// A cycle begins.
    pub fn next(&mut self) {
        self.cycle += 1;
    }

    /// Whether no block ends on this one of so many SMXs.
    pub fn holds(self, smx: usize, smxs: usize) -> bool {
        self.cycle / CYCLES % (smxs as u64 + 1) == smx as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_smx_stands_still_as_long_as_any_other_and_as_long_as_none_does() {
        let mut lag = Lag::default();
        let mut cycles = [0; 4];
        for _ in 0..4 * CYCLES {
            let held: Vec<usize> = (0..3).filter(|&smx| lag.holds(smx, 3)).collect();
            assert!(held.len() <= 1, "{held:?}");
            cycles[held.first().copied().unwrap_or(3)] += 1;
            lag.next();
        }
        assert_eq!(cycles, [CYCLES; 4]);
    }
}
