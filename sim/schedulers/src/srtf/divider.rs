//! Twin of `srtf/divider` (`docs/srtf.md`, rule 11): the second term of equation 2, nine cycles
//! after it was asked for.
//!
//! Undefined, and not to be compared: the quotient of a residency outside 1 to 16.

use super::MOST_TIME;
use crate::port::{Activity, KernelEntry};
use std::collections::VecDeque;

/// Cycles from a request to its result.
pub(super) const LATENCY: usize = 9;

/// What is to be computed, and for which kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DividerRequest {
    /// The kernel.
    pub kernel: KernelEntry,
    /// Blocks that are left; 24 bits.
    pub left: u32,
    /// t.
    pub duration: u32,
    /// R, 1 to 16.
    pub residency: u32,
}

/// Input ports of [`Divider`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DividerInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// `request` and its operands.
    pub request: Option<DividerRequest>,
    /// Kernels whose requests under way are dropped.
    pub drop: u8,
}

/// Output ports of [`Divider`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DividerOutputs {
    /// `result` and `quotient`: `left * duration / residency`, rounded down, 40 bits, saturating.
    pub result: Option<(KernelEntry, u64)>,
}

/// The registers, the oldest one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divider {
    stages: VecDeque<Option<DividerRequest>>,
}

impl Default for Divider {
    fn default() -> Self {
        Self::new()
    }
}

impl Divider {
    /// Nothing under way.
    pub fn new() -> Self {
        Self { stages: vec![None; LATENCY].into() }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &DividerInputs) -> DividerOutputs {
        let oldest = self.stages[0].filter(|request| !dropped(request, inputs));
        DividerOutputs { result: oldest.map(|request| (request.kernel, quotient(&request))) }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &DividerInputs) -> Activity {
        let rested = self.stages.iter().all(Option::is_none);
        if inputs.reset {
            *self = Self::new();
            return Activity::from(!rested);
        }
        if rested && inputs.request.is_none() {
            return Activity::Quiet;
        }
        self.stages.pop_front();
        self.stages.push_back(inputs.request);
        for stage in &mut self.stages {
            *stage = stage.filter(|request| !dropped(request, inputs));
        }
        Activity::from(!rested || self.stages.iter().any(Option::is_some))
    }
}

fn dropped(request: &DividerRequest, inputs: &DividerInputs) -> bool {
    inputs.drop >> request.kernel.index() & 1 == 1
}

fn quotient(request: &DividerRequest) -> u64 {
    let product = u128::from(request.left) * u128::from(request.duration);
    let quotient = product / u128::from(request.residency.max(1));
    quotient.min(u128::from(MOST_TIME)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(kernel: u8, left: u32, duration: u32, residency: u32) -> DividerInputs {
        let kernel = KernelEntry(kernel);
        let request = Some(DividerRequest { kernel, left, duration, residency });
        DividerInputs { request, ..DividerInputs::default() }
    }

    /// Results by cycle, when these requests come in cycles 0, 1, ...
    fn results(requests: &[DividerInputs]) -> Vec<(usize, u8, u64)> {
        let mut divider = Divider::new();
        let mut results = Vec::new();
        for cycle in 0..requests.len() + LATENCY {
            let inputs = requests.get(cycle).cloned().unwrap_or_default();
            if let Some((kernel, quotient)) = divider.evaluate(&inputs).result {
                results.push((cycle, kernel.0, quotient));
            }
            divider.clock(&inputs);
        }
        assert_eq!(divider.clock(&DividerInputs::default()), Activity::Quiet);
        results
    }

    #[test]
    fn a_result_comes_nine_cycles_after_its_request_and_one_in_every_cycle() {
        let requests = [request(3, 10, 100, 4), request(3, 9, 100, 4), request(0, 7, 1, 8)];
        assert_eq!(results(&requests), [(9, 3, 250), (10, 3, 225), (11, 0, 0)]);
    }

    #[test]
    fn quotients_are_rounded_down_and_saturate_at_40_bits() {
        let requests =
            [request(1, 5, 3, 16), request(1, 16, 1, 16), request(1, (1 << 24) - 1, u32::MAX, 1)];
        let quotients: Vec<u64> = results(&requests).iter().map(|result| result.2).collect();
        assert_eq!(quotients, [0, 1, (1 << 40) - 1]);
    }

    #[test]
    fn requests_of_a_kernel_that_leaves_are_dropped_wherever_they_are() {
        for cycle in 0..=LATENCY {
            let mut requests = vec![DividerInputs::default(); LATENCY + 1];
            requests[0] = request(2, 8, 8, 8);
            requests[cycle].drop = 1 << 2;
            assert_eq!(results(&requests), [], "dropped in cycle {cycle}");
            requests[cycle].drop = !(1 << 2);
            assert_eq!(results(&requests), [(9, 2, 8)]);
        }
    }

    #[test]
    fn reset_drops_everything() {
        let mut divider = Divider::new();
        assert_eq!(divider.clock(&request(0, 1, 1, 1)), Activity::Busy);
        let reset = DividerInputs { reset: true, ..request(0, 1, 1, 1) };
        assert_eq!(divider.clock(&reset), Activity::Busy);
        assert_eq!(divider, Divider::new());
        assert_eq!(divider.clock(&reset), Activity::Quiet);
    }
}
