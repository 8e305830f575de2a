//! The limits of DYNCTA, from the samples on the ports.

use crate::dyncta::DynctaConfig;
use crate::port::CoreSample;

/// Most resident blocks of each SMX.
#[derive(Clone, PartialEq)]
pub(super) struct Limits {
    config: DynctaConfig,
    slots: u64,
    /// An SMX may receive a block for which it asked in an earlier cycle.
    steals: bool,
    smxs: Vec<Limit>,
}

#[derive(Clone, Copy, PartialEq)]
struct Limit {
    most: u64,
    /// It was below its limit in a cycle after the one in which it received its last block.
    was_below: bool,
}

impl Limits {
    /// `smx` SMXs of so many slots; `steals` when one asks for blocks that come in later cycles,
    /// one at a time.
    pub(super) fn new(config: DynctaConfig, smx: usize, slots: u32, steals: bool) -> Self {
        let slots = u64::from(slots).max(1);
        let limit = Limit { most: (slots / 2).max(1), was_below: false };
        Self { config, slots, steals, smxs: vec![limit; smx] }
    }

    /// A cycle in which an SMX has `resident` blocks, without those that end in it.
    pub(super) fn staying(&mut self, smx: usize, resident: u64) {
        let limit = &mut self.smxs[smx];
        limit.was_below |= resident < limit.most;
    }

    /// Whether an SMX that has `resident` blocks, without those that end in this cycle, may get one.
    pub(super) fn check(&mut self, smx: usize, resident: u64) -> Result<(), String> {
        let Limit { most, was_below } = &mut self.smxs[smx];
        if resident < *most || self.steals && *was_below {
            *was_below = false;
            return Ok(());
        }
        Err(format!("SMX {smx} receives a block beside {resident} others, its limit is {most}"))
    }

    /// The end of a period.
    pub(super) fn sample(&mut self, samples: &[CoreSample]) {
        for (Limit { most, .. }, sample) in self.smxs.iter_mut().zip(samples) {
            let starved = sample.idle >= self.config.idle || sample.memory < self.config.low;
            if starved {
                *most = self.slots.min(*most + 1);
            } else if sample.memory >= self.config.high {
                *most = 1.max(*most - 1);
            }
        }
    }
}
