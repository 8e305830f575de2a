//! Twin of `srtf/sampler` (`docs/srtf.md`, rule 14): which new kernel is sampled on SMX 0
//! (section 5.1.1).
//!
//! Undefined, and not to be compared: everything after a `launch` of the kernel that is sampled.

use super::cover;
use super::{entry, oldest, KERNELS};
use crate::cover::{met, when};
use crate::port::{Activity, KernelEntry};

/// Input ports of [`Sampler`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SamplerInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel is accepted.
    pub launch: Option<KernelEntry>,
    /// No other kernel is in the table, but for those that leave in this cycle.
    pub alone: bool,
    /// Kernels with blocks left.
    pub eligible: u8,
    /// For each kernel, the present ones that are older.
    pub older: [u8; KERNELS],
    /// A result for that kernel is stored on SMX 0 at this cycle's edge.
    pub stored: Option<KernelEntry>,
}

/// Output ports of [`Sampler`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SamplerOutputs {
    /// SMX 0 prefers that kernel.
    pub sampling: Option<KernelEntry>,
    /// The other SMXs take over that kernel's prediction.
    pub copying: Option<KernelEntry>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Idle,
    Sampling {
        k: usize,
        ended: u8,
    },
    Copying(usize),
}

/// The state machine, and which kernels were sampled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampler {
    sample: u8,
    state: State,
    sampled: [bool; KERNELS],
}

impl Sampler {
    /// Samples of that many blocks, at least 1.
    pub fn new(sample: u8) -> Self {
        Self { sample, state: State::Idle, sampled: [false; KERNELS] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &SamplerInputs) -> SamplerOutputs {
        match self.state {
            State::Idle => SamplerOutputs::default(),
            State::Sampling { k, .. } => {
                SamplerOutputs { sampling: Some(entry(k)), ..SamplerOutputs::default() }
            }
            State::Copying(k) => {
                SamplerOutputs { copying: Some(entry(k)), ..SamplerOutputs::default() }
            }
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &SamplerInputs) -> Activity {
        let before = self.clone();
        if inputs.reset {
            *self = Self::new(self.sample);
            return Activity::from(*self != before);
        }
        match self.state {
            State::Idle => {
                let new = (0..KERNELS).filter(|&k| !self.sampled[k]);
                let new = new.fold(0, |set, k| set | 1 << k) & inputs.eligible;
                if let Some(k) = oldest(new, &inputs.older) {
                    met(&cover::SAMPLE_BEGINS);
                    self.state = State::Sampling { k, ended: 0 };
                }
            }
            State::Sampling { k, .. } if inputs.eligible >> k & 1 == 0 => {
                met(&cover::SAMPLE_CUT);
                self.sampled[k] = true;
                self.state = State::Idle;
            }
            State::Sampling { k, ended } if inputs.stored == Some(entry(k)) => {
                let ended = ended + 1;
                let enough = ended == self.sample;
                when(enough, &cover::SAMPLE_ENDS);
                self.state = if enough { State::Copying(k) } else { State::Sampling { k, ended } };
            }
            State::Sampling { .. } => {}
            State::Copying(k) => {
                self.sampled[k] = true;
                self.state = State::Idle;
            }
        }
        if let Some(kernel) = inputs.launch {
            when(inputs.alone, &cover::ALONE);
            self.sampled[kernel.index()] = inputs.alone;
        }
        Activity::from(*self != before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernels 4, 2 and 6 in order of arrival, all with blocks left; 4 was there alone.
    fn three(sample: u8) -> (Sampler, SamplerInputs) {
        let mut sampler = Sampler::new(sample);
        let launch = |sampler: &mut Sampler, k: u8, alone: bool| {
            let launch = Some(KernelEntry(k));
            sampler.clock(&SamplerInputs { launch, alone, ..SamplerInputs::default() });
        };
        launch(&mut sampler, 4, true);
        launch(&mut sampler, 2, false);
        launch(&mut sampler, 6, false);
        let mut inputs = SamplerInputs { eligible: 0b101_0100, ..SamplerInputs::default() };
        (inputs.older[2], inputs.older[6]) = (1 << 4, 1 << 4 | 1 << 2);
        (sampler, inputs)
    }

    fn sampling(sampler: &Sampler) -> Option<u8> {
        sampler.evaluate(&SamplerInputs::default()).sampling.map(|k| k.0)
    }

    fn copying(sampler: &Sampler) -> Option<u8> {
        sampler.evaluate(&SamplerInputs::default()).copying.map(|k| k.0)
    }

    fn result(k: u8, inputs: &SamplerInputs) -> SamplerInputs {
        SamplerInputs { stored: Some(KernelEntry(k)), ..inputs.clone() }
    }

    #[test]
    fn new_kernels_are_sampled_one_at_a_time_in_order_of_arrival() {
        let (mut sampler, inputs) = three(1);
        assert_eq!(sampling(&sampler), None);
        sampler.clock(&inputs);
        assert_eq!(sampling(&sampler), Some(2), "4 was alone and needs no sample");
        assert_eq!(sampler.clock(&inputs), Activity::Quiet);
        assert_eq!(sampler.clock(&result(4, &inputs)), Activity::Quiet, "another kernel's");
        sampler.clock(&result(2, &inputs));
        assert_eq!((sampling(&sampler), copying(&sampler)), (None, Some(2)));
        sampler.clock(&inputs);
        assert_eq!((sampling(&sampler), copying(&sampler)), (None, None));
        sampler.clock(&inputs);
        assert_eq!(sampling(&sampler), Some(6));
        sampler.clock(&result(6, &inputs));
        sampler.clock(&inputs);
        assert_eq!(sampler.clock(&inputs), Activity::Quiet, "all were sampled");
    }

    #[test]
    fn a_sample_of_three_ends_with_the_third_result() {
        let (mut sampler, inputs) = three(3);
        sampler.clock(&inputs);
        for _ in 0..2 {
            sampler.clock(&result(2, &inputs));
            assert_eq!((sampling(&sampler), copying(&sampler)), (Some(2), None));
        }
        sampler.clock(&result(2, &inputs));
        assert_eq!(copying(&sampler), Some(2));
    }

    #[test]
    fn a_kernel_that_ends_or_has_no_block_left_while_it_is_sampled_was_sampled() {
        let (mut sampler, mut inputs) = three(1);
        sampler.clock(&inputs);
        inputs.eligible = 0b101_0000;
        sampler.clock(&result(2, &inputs));
        assert_eq!((sampling(&sampler), copying(&sampler)), (None, None));
        sampler.clock(&inputs);
        assert_eq!(sampling(&sampler), Some(6));
        // Its entry is another kernel's now, which is new.
        let launch = Some(KernelEntry(2));
        sampler.clock(&SamplerInputs { launch, eligible: 1 << 4, ..inputs.clone() });
        sampler.clock(&SamplerInputs { eligible: 0b1_0100, ..inputs.clone() });
        assert_eq!(sampling(&sampler), Some(2));
    }

    #[test]
    fn reset_forgets_whatever_else_the_cycle_carries() {
        let (mut sampler, inputs) = three(1);
        sampler.clock(&inputs);
        let reset = SamplerInputs { reset: true, ..inputs };
        assert_eq!(sampler.clock(&reset), Activity::Busy);
        assert_eq!(sampler, Sampler::new(1));
        assert_eq!(sampler.clock(&reset), Activity::Quiet);
    }
}
