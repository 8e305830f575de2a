//! Running blocks that ask for blocks that have not started (`docs/launch-control.md`, rule 2).

use super::Resident;
use blockyard_sim::port::KernelEntry;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Chances in 1,000 that a block asks in a cycle, in phases that follow each other in any order.
const CHANCES: [u32; 4] = [0, 60, 500, 950];

/// Cycles of a phase, at most.
const PHASE: u32 = 300;

/// See the module.
pub struct Cancels {
    /// Of its own, so that the rest of the traffic stays as it is.
    random: Pcg64,
    chance: u32,
    left: u32,
}

impl Cancels {
    /// The same seed asks the same.
    pub fn new(seed: u64) -> Self {
        Self { random: Pcg64::seed_from_u64(!seed), chance: 0, left: 0 }
    }

    /// Whose block asks in this cycle, of those that each SMX holds.
    pub fn next(&mut self, resident: &[Vec<Resident>]) -> Option<KernelEntry> {
        if self.left == 0 {
            self.chance = *CHANCES.choose(&mut self.random).expect("some chance");
            self.left = self.random.random_range(1..=PHASE);
        }
        self.left -= 1;
        if self.random.random_range(0..1000) >= self.chance {
            return None;
        }
        let held = resident.choose(&mut self.random)?;
        // The youngest one is most often of the head.
        let youngest = held.last().filter(|_| self.random.random_range(0..3) > 0);
        youngest.or_else(|| held.choose(&mut self.random)).map(|block| block.kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_that_run_ask_and_in_some_phases_all_the_time() {
        let block = |entry| Resident { kernel: KernelEntry(entry), group: None, slot: 0 };
        let resident = vec![vec![block(3), block(9)], vec![]];
        let mut cancels = Cancels::new(1);
        let asked: Vec<u8> =
            (0..10_000).filter_map(|_| cancels.next(&resident)).map(|entry| entry.0).collect();
        assert!(asked.iter().all(|entry| [3, 9].contains(entry)));
        let of = |entry| asked.iter().filter(|one| **one == entry).count();
        assert!((1000..5000).contains(&asked.len()), "{}", asked.len());
        assert!(of(9) > of(3) && of(3) > 0, "{} of {}", of(9), asked.len());
    }
}
