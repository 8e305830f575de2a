//! Twin of `srtf/predictor` (`docs/srtf.md`, rules 9 to 12 and 14): the state of Table 1 on one
//! SMX, and the handlers of Algorithm 1.
//!
//! Undefined, and not to be compared: everything after a block ended or started in a cycle without
//! a `clock`, or ended of a kernel without a resident block.

use super::cover;
use super::divider::{Divider, DividerInputs, DividerRequest};
use super::{members, CLOCK, KERNELS, MOST_TIME};
use crate::cover::{counting, when};
use crate::port::{Activity, KernelEntry};

/// Most blocks that are counted as done: 24 bits.
const MOST_DONE: u32 = (1 << 24) - 1;

/// A prediction that another SMX made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Of which kernel.
    pub kernel: KernelEntry,
    /// *remaining*.
    pub remaining: u64,
    /// Pred_Cycles.
    pub predicted: u64,
}

/// Input ports of [`Predictor`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PredictorInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The number of the cycle, 40 bits; valid with `finished` and `taken`.
    pub clock: u64,
    /// A kernel is accepted.
    pub launch: Option<KernelEntry>,
    /// Kernels that leave.
    pub leaves: u8,
    /// A new slice begins on this SMX.
    pub slice: bool,
    /// The kernel of a block that ends, and how long that ran.
    pub finished: Option<(KernelEntry, u32)>,
    /// The kernel of a block that is dispatched here.
    pub taken: Option<KernelEntry>,
    /// Resident blocks of each kernel as the cycle begins.
    pub resident: [u32; KERNELS],
    /// Total_Blocks of each kernel.
    pub total: [u32; KERNELS],
    /// R of each kernel.
    pub residency: [u32; KERNELS],
    /// `copy`, `copy_remaining` and `copy_predicted`.
    pub copy: Option<Copied>,
}

/// Output ports of [`Predictor`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PredictorOutputs {
    /// Kernels with a prediction.
    pub known: u8,
    /// *remaining* of these, zero of others.
    pub remaining: [u64; KERNELS],
    /// Pred_Cycles of these, zero of others.
    pub predicted: [u64; KERNELS],
    /// A result is stored at the edge of this cycle: its kernel and Pred_Cycles.
    pub stored: Option<(KernelEntry, u64)>,
}

/// What is known of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    /// Active_Kernel_Cycles, up to `mark`.
    active: u64,
    mark: u64,
    done: u32,
    /// t.
    duration: u32,
    /// *remaining* and Pred_Cycles.
    prediction: Option<(u64, u64)>,
    reslice: bool,
}

/// Eight kernels and the divider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predictor {
    kernels: [State; KERNELS],
    divider: Divider,
}

impl Predictor {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &PredictorInputs) -> PredictorOutputs {
        let mut outputs = PredictorOutputs::default();
        for (k, state) in self.kernels.iter().enumerate() {
            if let Some((remaining, predicted)) = state.prediction {
                outputs.known |= 1 << k;
                (outputs.remaining[k], outputs.predicted[k]) = (remaining, predicted);
            }
        }
        outputs.stored = self.result(inputs).map(|(kernel, quotient)| {
            (kernel, (self.kernels[kernel.index()].active + quotient).min(MOST_TIME))
        });
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &PredictorInputs) -> Activity {
        if self.only_divides(inputs) {
            return self.divider.clock(&DividerInputs::default());
        }
        let before = self.kernels;
        if inputs.reset {
            let divider =
                self.divider.clock(&DividerInputs { reset: true, ..DividerInputs::default() });
            self.kernels = [State::default(); KERNELS];
            return Activity::any([divider, (self.kernels != before).into()]);
        }
        let result = self.result(inputs);
        let predicted = self.evaluate(inputs).stored;
        if counting() {
            self.cover(inputs, result);
        }
        let request = inputs.finished.map(|finished| self.block_end(inputs, finished));
        for kernel in inputs.finished.map(|(kernel, _)| kernel).into_iter().chain(inputs.taken) {
            let state = &mut self.kernels[kernel.index()];
            // Once a cycle: the mark then is this cycle's.
            if inputs.resident[kernel.index()] > 0 {
                let cycles = inputs.clock.wrapping_sub(state.mark) & CLOCK;
                when(state.active + cycles > MOST_TIME, &cover::ACTIVE_MOST);
                state.active = (state.active + cycles).min(MOST_TIME);
            }
            state.mark = inputs.clock & CLOCK;
        }
        if let Some(copy) = inputs.copy {
            let state = &mut self.kernels[copy.kernel.index()];
            if state.prediction.is_none() {
                state.prediction = Some((copy.remaining, copy.predicted));
            }
        }
        if let (Some((kernel, quotient)), Some((_, predicted))) = (result, predicted) {
            self.kernels[kernel.index()].prediction = Some((quotient, predicted));
        }
        if inputs.slice || inputs.launch.is_some() || inputs.leaves != 0 {
            self.kernels.iter_mut().for_each(|state| state.reslice = true);
        }
        for k in members(inputs.leaves) {
            self.kernels[k].prediction = None;
        }
        if let Some(kernel) = inputs.launch {
            self.kernels[kernel.index()] = State { reslice: true, ..State::default() };
        }
        let divider =
            self.divider.clock(&DividerInputs { reset: false, request, drop: inputs.leaves });
        Activity::any([divider, (self.kernels != before).into()])
    }

    /// Nothing comes but for what may be on its way in the divider.
    fn only_divides(&self, inputs: &PredictorInputs) -> bool {
        let PredictorInputs { reset, launch, leaves, slice, finished, taken, copy, .. } = inputs;
        let told = *reset || *slice || *leaves != 0 || launch.is_some() || copy.is_some();
        let blocks = finished.is_some() || taken.is_some();
        !told && !blocks && self.result(inputs).is_none()
    }

    /// What a block end and a copy find.
    fn cover(&self, inputs: &PredictorInputs, result: Option<(KernelEntry, u64)>) {
        if let Some((kernel, _)) = inputs.finished {
            let state = &self.kernels[kernel.index()];
            when(state.reslice, &cover::RESLICED);
            when(!state.reslice, &cover::SAME_SLICE);
            when(inputs.total[kernel.index()] <= state.done + 1, &cover::NONE_LEFT);
        }
        if let Some(copy) = inputs.copy {
            let known = self.kernels[copy.kernel.index()].prediction.is_some();
            let beside = result.is_some_and(|(kernel, _)| kernel == copy.kernel);
            when(known, &cover::KNOWN_BEFORE);
            when(!known && beside, &cover::RESULT_AND_COPY);
            when(!known && !beside, &cover::COPIED);
        }
    }

    /// OnBlockEnd, and what it asks of the divider.
    fn block_end(
        &mut self,
        inputs: &PredictorInputs,
        (kernel, duration): (KernelEntry, u32),
    ) -> DividerRequest {
        let state = &mut self.kernels[kernel.index()];
        state.done = (state.done + 1).min(MOST_DONE);
        if state.reslice {
            (state.duration, state.reslice) = (duration, false);
        }
        DividerRequest {
            kernel,
            left: inputs.total[kernel.index()].saturating_sub(state.done),
            duration: state.duration,
            residency: inputs.residency[kernel.index()],
        }
    }

    fn result(&self, inputs: &PredictorInputs) -> Option<(KernelEntry, u64)> {
        let drop = DividerInputs { drop: inputs.leaves, ..DividerInputs::default() };
        self.divider.evaluate(&drop).result
    }
}

#[cfg(test)]
mod tests;
