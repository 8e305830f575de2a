//! What SMXs count, for schedulers that move limits by samples.

use blockyard_sim::port::CoreSample;
use blockyard_sim::sched::dyncta::DynctaConfig;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Chance in 1,000 that a sampling period ends in a cycle.
const SAMPLE: u32 = 40;

/// Chance in 1,000 that with a sample most counts begin to move limits the other way: long enough
/// to reach the lowest and the highest limit.
const TURN: u32 = 60;

/// What the SMXs count; random numbers of its own leave the rest of the traffic as it is.
pub struct Sampling {
    random: Pcg64,
    /// Counts at which a limit changes its direction.
    thresholds: DynctaConfig,
    /// Whether most counts of this time lower limits, or raise them.
    lowering: bool,
}

impl Sampling {
    /// Counts that raise limits at first.
    pub fn new(random: Pcg64, thresholds: DynctaConfig) -> Self {
        Self { random, thresholds, lowering: false }
    }

    /// What the SMXs send in the next cycle, if anything.
    pub fn next(&mut self, smx: usize) -> Option<Vec<CoreSample>> {
        if self.random.random_range(0..1000) >= SAMPLE {
            return None;
        }
        self.lowering ^= self.random.random_range(0..1000) < TURN;
        Some((0..smx).map(|_| self.counts()).collect())
    }

    /// What one SMX sends.
    fn counts(&mut self) -> CoreSample {
        let DynctaConfig { idle, low, high, .. } = self.thresholds;
        let busy = idle.saturating_sub(1);
        let (idle, memory) = match (self.random.random_range(0..10), self.lowering) {
            (0, _) => (self.any(), self.any()),
            (1, _) => (busy, self.beside(low)),
            (2, _) => (busy, self.beside(high)),
            (3, _) => (self.beside(idle), high),
            (4, _) => (busy, low),
            (_, true) => (busy, high),
            (5 | 6, false) => (idle, high),
            (_, false) => (busy, low.saturating_sub(1)),
        };
        CoreSample { idle: idle.min(DynctaConfig::MOST), memory: memory.min(DynctaConfig::MOST) }
    }

    /// A threshold, or one less or more.
    fn beside(&mut self, threshold: u16) -> u16 {
        (threshold + self.random.random_range(0..3)).saturating_sub(1)
    }

    fn any(&mut self) -> u16 {
        match self.random.random_range(0..3) {
            0 => 0,
            1 => DynctaConfig::MOST,
            _ => self.random.random_range(0..=DynctaConfig::MOST),
        }
    }
}
