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

    /// Whether an SMX that has `resident` blocks, without those that end in this cycle, may get
    /// one.
    pub(super) fn check(&mut self, smx: usize, resident: u64) -> Result<(), String> {
        let Limit { most, was_below } = &mut self.smxs[smx];
        if resident < *most || self.steals && *was_below {
            *was_below = false;
            return Ok(());
        }
        Err(format!("SMX {smx} receives a block beside {resident} others, its limit is {most}"))
    }

    /// What the scheduler says of how many blocks may run, which is nothing unless it pauses them
    /// (`docs/dyncta.md`, rule 5).
    pub(super) fn check_stated(&self, stated: &[u8]) -> Result<(), String> {
        if !self.config.pause {
            return none_stated(stated);
        }
        if stated.len() != self.smxs.len() {
            return Err(format!("{} limits for {} SMXs", stated.len(), self.smxs.len()));
        }
        for (smx, (&stated, Limit { most, .. })) in stated.iter().zip(&self.smxs).enumerate() {
            if u64::from(stated) != *most {
                return Err(format!("SMX {smx} may run {stated} blocks, but its limit is {most}"));
            }
        }
        Ok(())
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

/// Whoever pauses no blocks says nothing of how many may run.
pub(super) fn none_stated(stated: &[u8]) -> Result<(), String> {
    match stated {
        [] => Ok(()),
        _ => Err("limits of running blocks of a scheduler that pauses none".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_of_running_blocks_are_those_of_the_samples_and_there_only_where_blocks_are_paused(
    ) {
        let config = DynctaConfig { pause: true, ..DynctaConfig::default() };
        let mut limits = Limits::new(config, 2, 8, false);
        assert_eq!(limits.check_stated(&[4, 4]), Ok(()));
        limits.sample(&[CoreSample { idle: 16, memory: 0 }, CoreSample { idle: 0, memory: 384 }]);
        assert_eq!(limits.check_stated(&[5, 3]), Ok(()));
        let refused = |stated: &[u8]| limits.check_stated(stated).unwrap_err();
        assert_eq!(refused(&[5, 4]), "SMX 1 may run 4 blocks, but its limit is 3");
        assert_eq!(refused(&[5]), "1 limits for 2 SMXs");
        let plain = Limits::new(DynctaConfig::default(), 2, 8, false);
        assert_eq!(plain.check_stated(&[]), Ok(()));
        let none = "limits of running blocks of a scheduler that pauses none";
        assert_eq!(plain.check_stated(&[4, 4]).unwrap_err(), none);
    }
}
