//! Which warp scheduler of an SMX goes first in a cycle: they take turns.

use crate::config::WarpConfig;
use crate::divisor::Divisor;

/// See the module.
#[derive(Debug)]
pub struct Turns {
    schedulers: Divisor,
    /// Whether turns rest while the SMX is empty.
    rest: bool,
    /// Cycles for which they have rested.
    rested: u64,
    /// Since when they rest, if they do.
    resting: Option<u64>,
}

impl Turns {
    /// Those of an empty SMX in cycle 0.
    pub fn new(config: &WarpConfig) -> Self {
        let rest = config.turns_rest;
        let schedulers = Divisor::new(u64::from(config.schedulers));
        Self { schedulers, rest, rested: 0, resting: rest.then_some(0) }
    }

    /// The scheduler that goes first in cycle `now`.
    #[inline]
    pub fn first(&self, now: u64) -> usize {
        self.schedulers.split(now - self.rested).1 as usize
    }

    /// The SMX is empty from cycle `now` on.
    pub fn rest(&mut self, now: u64) {
        self.resting = self.rest.then_some(now);
    }

    /// A block starts in cycle `now`.
    pub fn go_on(&mut self, now: u64) {
        if let Some(since) = self.resting.take() {
            self.rested += now - since;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;

    fn turns(rest: &str) -> Turns {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.set("warp.schedulers", "3").unwrap();
        config.set("warp.turns_rest", rest).unwrap();
        Turns::new(&config.warp)
    }

    fn firsts(turns: &Turns, cycles: std::ops::Range<u64>) -> Vec<usize> {
        cycles.map(|cycle| turns.first(cycle)).collect()
    }

    #[test]
    fn each_cycle_another_scheduler_goes_first() {
        for rest in ["false", "true"] {
            let mut turns = turns(rest);
            turns.go_on(0);
            assert_eq!(firsts(&turns, 0..7), [0, 1, 2, 0, 1, 2, 0], "{rest}");
        }
    }

    #[test]
    fn turns_rest_while_the_smx_is_empty_only_where_they_are_to() {
        for (rest, after) in [("false", [2, 0, 1]), ("true", [1, 2, 0])] {
            let mut turns = turns(rest);
            turns.go_on(0);
            turns.rest(100);
            turns.go_on(200);
            assert_eq!(
                firsts(&turns, 200..203),
                after,
                "{rest}: 100 cycles, 1 more than 33 rounds"
            );
        }
    }

    #[test]
    fn a_second_block_changes_nobodys_turn() {
        let mut turns = turns("true");
        turns.go_on(7);
        let before = firsts(&turns, 20..24);
        turns.go_on(9);
        assert_eq!(firsts(&turns, 20..24), before);
        assert_eq!(turns.first(7), 0, "they rest before the first block, too");
    }
}
