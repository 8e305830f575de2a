//! The figures of a case.

use super::{Case, CaseRun, LINE_BYTES};

/// Latencies and use of the channel in one case. A latency is from arrival to the end of the data,
/// in cycles of the command clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Requests.
    pub requests: usize,
    /// Mean latency.
    pub mean: f64,
    /// The least latency that at least half of the requests do not exceed.
    pub p50: u64,
    /// The least latency that more than 99 % of the requests do not exceed.
    pub p99: u64,
    /// Largest latency.
    pub max: u64,
    /// Share of the requests that needed no activation: 1 - activations / requests.
    pub row_hit_rate: f64,
    /// Cycles from the first arrival to the end of the last data.
    pub cycles: u64,
    /// Bytes moved in each of these cycles.
    pub bytes_per_cycle: f64,
}

impl Summary {
    /// The summary of `case`, for the completion cycles and the number of activations of a run; all
    /// zero for a case without requests.
    pub fn new(case: &Case, complete: &[u64], activates: u64) -> Self {
        let arrivals = case.requests.iter().map(|request| request.arrive_cycle);
        let mut latencies: Vec<u64> =
            complete.iter().zip(arrivals.clone()).map(|(end, arrive)| end - arrive).collect();
        latencies.sort_unstable();
        let requests = latencies.len();
        let (Some(first), Some(last)) = (arrivals.min(), complete.iter().max()) else {
            return Self {
                requests: 0,
                mean: 0.0,
                p50: 0,
                p99: 0,
                max: 0,
                row_hit_rate: 0.0,
                cycles: 0,
                bytes_per_cycle: 0.0,
            };
        };
        let cycles = last - first;
        let bytes = LINE_BYTES as f64 * requests as f64;
        Self {
            requests,
            mean: latencies.iter().sum::<u64>() as f64 / requests as f64,
            p50: latencies[(requests - 1) / 2],
            p99: latencies[requests * 99 / 100],
            max: latencies[requests - 1],
            row_hit_rate: 1.0 - activates as f64 / requests as f64,
            cycles,
            bytes_per_cycle: bytes / cycles as f64,
        }
    }

    /// The summary of a run of `case`.
    pub fn of(case: &Case, run: &CaseRun) -> Self {
        Self::new(case, &run.complete, run.counts.activates)
    }
}
