//! What each SMX issued and what DRAM did for it, by time.

use serde::Serialize;

use super::ratio::ratio;
use crate::gpu::intervals::Intervals;
use crate::gpu::smx::Smx;
use crate::gpu::Gpu;

/// Figures by time, where the run was asked for them (CLASO, section 2.2, Figs. 3 to 5).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IntervalStats {
    /// Cycles of an interval; the last one of a run may be shorter.
    pub length: u64,
    /// Requests that DRAM has served for SMXs.
    pub services: u64,
    /// Of these, directly behind one for the same SMX in their channel.
    pub behind_own: u64,
    /// These by all, `null` without any (Fig. 5).
    pub behind_own_rate: Option<f64>,
    /// Intervals in which DRAM served a request for every SMX.
    pub spread_intervals: u64,
    /// The most requests that it served for an SMX in an interval by the fewest, average over
    /// `spread_intervals`, `null` without any (Fig. 4).
    pub spread: Option<f64>,
    /// An entry an SMX.
    pub smx: Vec<SmxIntervals>,
}

/// Those of one SMX: an entry an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SmxIntervals {
    /// Thread instructions that it issued (Fig. 3a).
    pub instructions: Vec<u64>,
    /// Requests that DRAM served for it.
    pub services: Vec<u64>,
}

impl IntervalStats {
    /// Of a run of `cycles` cycles that counted in intervals.
    pub(super) fn new(gpu: &Gpu, cycles: u64) -> Option<Self> {
        let services = gpu.memory().services()?;
        let of_smx = |(smx, services): (&Smx, &Intervals)| {
            let instructions = smx.issued()?.of_run(cycles);
            Some(SmxIntervals { instructions, services: services.of_run(cycles) })
        };
        let smx = gpu.smxs().iter().zip(services.by_smx()).map(of_smx).collect::<Option<_>>()?;
        let mut stats = Self {
            length: services.by_smx().first()?.length(),
            services: services.served(),
            behind_own: services.behind_own(),
            behind_own_rate: ratio(services.behind_own(), services.served()),
            spread_intervals: 0,
            spread: None,
            smx,
        };
        (stats.spread_intervals, stats.spread) = stats.spread_over(1);
        Some(stats)
    }

    /// As `spread_intervals` and `spread`, with so many intervals taken as one, at least 1.
    ///
    /// # Panics
    /// When it is 0.
    pub fn spread_over(&self, intervals: usize) -> (u64, Option<f64>) {
        let by_smx: Vec<Vec<u64>> = self
            .smx
            .iter()
            .map(|smx| smx.services.chunks(intervals).map(|part| part.iter().sum()).collect())
            .collect();
        let long = by_smx.first().map_or(0, Vec::len);
        let of = |at: usize| {
            let served = || by_smx.iter().map(|services| services[at]);
            let (fewest, most) = (served().min()?, served().max()?);
            (fewest > 0).then(|| most as f64 / fewest as f64)
        };
        let ratios: Vec<f64> = (0..long).filter_map(of).collect();
        let count = ratios.len() as u64;
        (count, (count > 0).then(|| ratios.iter().sum::<f64>() / count as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_services(services: &[&[u64]]) -> IntervalStats {
        let smx = |services: &&[u64]| SmxIntervals {
            instructions: vec![0; services.len()],
            services: services.to_vec(),
        };
        IntervalStats {
            length: 10,
            services: 0,
            behind_own: 0,
            behind_own_rate: None,
            spread_intervals: 0,
            spread: None,
            smx: services.iter().map(smx).collect(),
        }
    }

    #[test]
    fn the_spread_is_most_by_fewest_averaged_over_intervals_in_which_every_smx_was_served() {
        let stats = of_services(&[&[2, 3, 0, 1], &[6, 3, 4, 1], &[4, 3, 1, 2]]);
        assert_eq!(stats.spread_over(1), (3, Some((3.0 + 1.0 + 2.0) / 3.0)));
    }

    #[test]
    fn longer_intervals_are_sums_and_the_last_one_may_be_shorter() {
        let stats = of_services(&[&[2, 2, 0], &[4, 8, 5]]);
        assert_eq!(stats.spread_over(2), (1, Some(3.0)));
        assert_eq!(stats.spread_over(3), (1, Some(17.0 / 4.0)));
        assert_eq!(stats.spread_over(4), stats.spread_over(3));
    }

    #[test]
    fn without_services_there_is_no_spread() {
        assert_eq!(of_services(&[&[0, 0], &[3, 0]]).spread_over(1), (0, None));
    }
}
