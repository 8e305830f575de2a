//! What a run that counts in intervals shows: CLASO's Figures 3 to 5.

use blockyard_sim::stats::{IntervalStats, Stats};
use serde::{Deserialize, Serialize};

/// Cycles of an interval: CLASO's Figure 3a.
pub const INTERVAL: u64 = 500;

/// Intervals taken as one for [`ByTime::spreads`]: CLASO does not state how long those of its
/// Figure 4 are.
pub const SPREADS: [usize; 3] = [1, 10, 100];

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ByTime {
    /// Of the intervals of all SMXs in the second half of the run, percent in which one executed
    /// nothing.
    pub idle_in_second_half: Option<f64>,
    /// An entry an SMX.
    pub smx: Vec<SmxByTime>,
    /// How differently DRAM serves SMXs, in intervals of [`SPREADS`] times [`INTERVAL`].
    pub spreads: [Spread; 3],
    /// Of what DRAM serves for SMXs, percent that comes directly behind a service for the same one.
    pub behind_own: Option<f64>,
}

/// One SMX.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SmxByTime {
    /// Thread instructions in an interval, on the average of each half of the run.
    pub instructions: [f64; 2],
    /// Blocks dispatched to it.
    pub thread_blocks: u64,
}

/// The most services for an SMX by the fewest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// On the average of the intervals in which every SMX was served.
    pub ratio: Option<f64>,
    /// Percent of all intervals that these are.
    pub intervals: Option<f64>,
}

impl ByTime {
    /// Of a run, if it counted.
    pub fn of(stats: &Stats) -> Option<Self> {
        let intervals = stats.intervals.as_ref()?;
        let all = intervals.smx.first().map_or(0, |smx| smx.instructions.len());
        let halves = |smx: &[u64]| [average(&smx[..all / 2]), average(&smx[all / 2..])];
        let second = || intervals.smx.iter().flat_map(|smx| &smx.instructions[all / 2..]);
        let (count, idle) = (second().count(), second().filter(|executed| **executed == 0).count());
        let smx = intervals.smx.iter().zip(&stats.smx).map(|(by_time, smx)| SmxByTime {
            instructions: halves(&by_time.instructions),
            thread_blocks: smx.thread_blocks,
        });
        Some(Self {
            idle_in_second_half: (count > 0).then(|| 100.0 * idle as f64 / count as f64),
            smx: smx.collect(),
            spreads: SPREADS.map(|times| spread(intervals, all, times)),
            behind_own: intervals.behind_own_rate.map(|share| 100.0 * share),
        })
    }
}

fn spread(stats: &IntervalStats, all: usize, times: usize) -> Spread {
    let (count, ratio) = stats.spread_over(times);
    let all = all.div_ceil(times);
    Spread { ratio, intervals: (all > 0).then(|| 100.0 * count as f64 / all as f64) }
}

fn average(counts: &[u64]) -> f64 {
    counts.iter().sum::<u64>() as f64 / counts.len().max(1) as f64
}
