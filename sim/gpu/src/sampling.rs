//! Performance counters that the SMXs send to the scheduler once a period.

use super::smx::Smx;
use crate::port::CoreSample;

/// When samples are taken, and the last ones; by default never.
#[derive(Debug, Default)]
pub struct Sampling {
    /// Cycles from one sample to the next; 0: there are none.
    period: u64,
    /// The cycle of the samples below.
    taken: u64,
    samples: Vec<CoreSample>,
}

impl Sampling {
    /// Samples in every cycle `k * period`, `k >= 1`; a period of 0 means none.
    pub fn new(period: u16) -> Self {
        Self { period: u64::from(period), ..Self::default() }
    }

    /// The next cycle after `now` in which samples come, or are no longer there.
    pub fn next_change(&self, now: u64) -> Option<u64> {
        if self.period == 0 {
            return None;
        }
        Some(if self.is_due(now) { now + 1 } else { (now / self.period + 1) * self.period })
    }

    /// The samples of `cycle`. They are taken once, so that asking again gives the same.
    pub fn samples(&mut self, cycle: u64, smxs: &mut [Smx]) -> Option<Vec<CoreSample>> {
        if !self.is_due(cycle) {
            return None;
        }
        if self.taken != cycle {
            self.taken = cycle;
            self.samples.clear();
            self.samples.extend(smxs.iter_mut().map(|smx| smx.take_sample(cycle)));
        }
        Some(self.samples.clone())
    }

    fn is_due(&self, cycle: u64) -> bool {
        self.period != 0 && cycle != 0 && cycle.is_multiple_of(self.period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_every_period_and_are_gone_a_cycle_later() {
        let sampling = Sampling::new(10);
        let changes = [0, 9, 10, 11, 19, 20].map(|now| sampling.next_change(now).unwrap());
        assert_eq!(changes, [10, 10, 11, 20, 20, 21]);
        let every = Sampling::new(1);
        assert_eq!([0, 1, 2].map(|now| every.next_change(now).unwrap()), [1, 2, 3]);
    }

    #[test]
    fn without_a_period_nothing_is_sampled() {
        let mut sampling = Sampling::default();
        assert_eq!(sampling.next_change(7), None);
        assert_eq!(sampling.samples(7, &mut []), None);
    }

    #[test]
    fn there_is_no_sample_in_cycle_0_and_the_first_one_is_that_of_a_whole_period() {
        let mut sampling = Sampling::new(4);
        let due: Vec<u64> = (0..10).filter(|&c| sampling.samples(c, &mut []).is_some()).collect();
        assert_eq!(due, [4, 8]);
    }
}
