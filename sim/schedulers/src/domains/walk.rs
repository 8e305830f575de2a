//! Twin of `domains/walk` (`docs/domains.md`, rule 4): whose block the walk stands at.
//!
//! Undefined, and not to be compared: nothing.

use crate::port::{Activity, FloorPlan};

/// Input ports of [`Walk`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The walk goes on by one block.
    pub step: bool,
    /// The walk stands at block 0 again, whatever `step` says.
    pub restart: bool,
}

/// Output ports of [`Walk`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkOutputs {
    /// The block where it stands is this domain's.
    pub own: bool,
}

/// Where a domain's walk stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    domain: u32,
    domains: u32,
    chunk: u32,
    /// The block, counted anew after a chunk for each domain.
    at: u32,
}

impl Walk {
    /// Blocks of the largest chunk.
    pub const MOST_BLOCKS: u16 = 1024;

    /// That of domain `domain` of `domains`, of chunks of `chunk` blocks, at block 0.
    ///
    /// # Panics
    /// When there are not 1 to [`FloorPlan::MOST_DOMAINS`] domains, or it is none of them, or a
    /// chunk has not 1 to [`Self::MOST_BLOCKS`] blocks.
    pub fn new(domain: usize, domains: usize, chunk: u16) -> Self {
        let (most, most_blocks) = (FloorPlan::MOST_DOMAINS, Self::MOST_BLOCKS);
        assert!((1..=most).contains(&domains), "{domains} domains: expected 1 to {most}");
        assert!(domain < domains, "domain {domain} of {domains}");
        assert!((1..=most_blocks).contains(&chunk), "{chunk} blocks: expected 1 to {most_blocks}");
        Self { domain: domain as u32, domains: domains as u32, chunk: chunk.into(), at: 0 }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &WalkInputs) -> WalkOutputs {
        WalkOutputs { own: self.at / self.chunk == self.domain }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &WalkInputs) -> Activity {
        let before = self.at;
        if inputs.reset || inputs.restart {
            self.at = 0;
        } else if inputs.step {
            self.at = (self.at + 1) % (self.domains * self.chunk);
        }
        Activity::from(self.at != before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: WalkInputs = WalkInputs { reset: false, step: true, restart: false };

    fn own(walk: &Walk) -> bool {
        let own = walk.evaluate(&WalkInputs::default()).own;
        assert_eq!(walk.evaluate(&STEP).own, own, "state alone");
        own
    }

    /// Whose the first blocks are, one digit each.
    fn owners(domains: usize, chunk: u16, blocks: usize) -> String {
        let mut walks: Vec<_> = (0..domains).map(|at| Walk::new(at, domains, chunk)).collect();
        let next = |_| {
            let of: Vec<_> = (0..domains).filter(|&at| own(&walks[at])).collect();
            assert_eq!(of.len(), 1, "each block is one domain's");
            walks.iter_mut().for_each(|walk| {
                walk.clock(&STEP);
            });
            of[0].to_string()
        };
        (0..blocks).map(next).collect()
    }

    #[test]
    fn chunk_j_is_for_domain_j_modulo_the_domains() {
        assert_eq!(owners(2, 1, 8), "01010101");
        assert_eq!(owners(3, 2, 14), "00112200112200");
        assert_eq!(owners(8, 1, 18), "012345670123456701");
        assert_eq!(owners(1, 5, 12), "000000000000");
        assert_eq!(owners(2, 1024, 4096), ["0", "1", "0", "1"].map(|of| of.repeat(1024)).concat());
    }

    #[test]
    fn without_a_step_it_stays() {
        let mut walk = Walk::new(0, 2, 1);
        assert_eq!(walk.clock(&WalkInputs::default()), Activity::Quiet);
        assert!(own(&walk));
        assert_eq!(walk.clock(&STEP), Activity::Busy);
        assert_eq!(walk.clock(&WalkInputs::default()), Activity::Quiet);
        assert!(!own(&walk));
    }

    #[test]
    fn restart_and_reset_go_to_block_0_whatever_step_says() {
        for (reset, restart) in [(true, false), (false, true), (true, true)] {
            for step in [false, true] {
                let mut walk = Walk::new(1, 3, 2);
                (0..3).for_each(|_| {
                    walk.clock(&STEP);
                });
                let inputs = WalkInputs { reset, step, restart };
                assert_eq!(walk.clock(&inputs), Activity::Busy);
                assert_eq!(walk, Walk::new(1, 3, 2));
                assert_eq!(walk.clock(&inputs), Activity::Quiet);
            }
        }
    }

    #[test]
    #[should_panic(expected = "1025 blocks: expected 1 to 1024")]
    fn longer_chunks_are_refused() {
        Walk::new(0, 2, 1025);
    }
}
