//! The limits of DYNCTA, from the samples on the ports.

use crate::dyncta::DynctaConfig;
use crate::port::CoreSample;

/// Most resident blocks of each SMX.
pub(super) struct Limits {
    config: DynctaConfig,
    slots: u64,
    of_smx: Vec<u64>,
}

impl Limits {
    pub(super) fn new(config: DynctaConfig, smx: usize, slots: u32) -> Self {
        let slots = u64::from(slots).max(1);
        Self { config, slots, of_smx: vec![(slots / 2).max(1); smx] }
    }

    /// Whether an SMX that has `resident` blocks, without those that end in this cycle, may get one.
    pub(super) fn check(&self, smx: usize, resident: u64) -> Result<(), String> {
        let limit = self.of_smx[smx];
        if resident < limit {
            return Ok(());
        }
        Err(format!("SMX {smx} receives a block beside {resident} others, its limit is {limit}"))
    }

    /// The end of a period.
    pub(super) fn sample(&mut self, samples: &[CoreSample]) {
        for (limit, sample) in self.of_smx.iter_mut().zip(samples) {
            let starved = sample.idle >= self.config.idle || sample.memory < self.config.low;
            if starved {
                *limit = self.slots.min(*limit + 1);
            } else if sample.memory >= self.config.high {
                *limit = 1.max(*limit - 1);
            }
        }
    }
}
