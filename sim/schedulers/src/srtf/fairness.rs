//! Twin of `srtf/fairness` (`docs/srtf.md`, rule 16): whether the fastest kernel is limited
//! (section 5.1.2).

use super::cover;
use super::{least, members, KERNELS, MOST_TIME};
use crate::cover::when;
use crate::port::{Activity, KernelEntry};

/// Cycles of the three divisions of one kernel.
const DIVIDING: u32 = 39;

/// The largest slowdown: Q8.8.
const MOST_SLOWDOWN: u128 = (1 << 16) - 1;

/// Input ports of [`Fairness`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FairnessInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel is accepted.
    pub launch: Option<KernelEntry>,
    /// Kernels that leave.
    pub leaves: u8,
    /// The last block of a kernel is dispatched.
    pub last: bool,
    /// Kernels with blocks left.
    pub eligible: u8,
    /// For each kernel, the present ones that are older.
    pub older: [u8; KERNELS],
    /// R of each kernel.
    pub residency: [u32; KERNELS],
    /// Kernels with a prediction on SMX 0.
    pub known: u8,
    /// Their remaining time there.
    pub remaining: [u64; KERNELS],
    /// Their Pred_Cycles there.
    pub predicted: [u64; KERNELS],
    /// A result that is stored on SMX 0 at this cycle's edge: its kernel and Pred_Cycles.
    pub stored: Option<(KernelEntry, u64)>,
    /// Resident blocks of each kernel on SMX 0 as the cycle begins.
    pub resident: [u32; KERNELS],
}

/// Output ports of [`Fairness`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FairnessOutputs {
    /// The fastest kernel is limited. Depends on the state alone.
    pub sharing: bool,
    /// That changes at the edge of this cycle.
    pub changes: bool,
}

/// A kernel that is being weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Weighed {
    /// T.
    runtime: u64,
    /// R, and L.
    residency: u32,
    limited: u32,
    /// Cycles of its divisions that are over.
    cycle: u32,
}

/// An evaluation under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Evaluation {
    visited: u8,
    /// The kernel in `divide`; `None` in `pick`.
    weighed: Option<Weighed>,
    finish: u64,
    alone: u64,
    credit: u64,
    /// Slowdowns of the kernels so far, in the shared and in the exclusive schedule.
    shared: Vec<u64>,
    exclusive: Vec<u64>,
}

/// The state machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fairness {
    limit: u32,
    /// In 256ths.
    threshold: u64,
    sharing: bool,
    due: bool,
    evaluation: Option<Evaluation>,
    /// Pred_Cycles of a result that came while no other kernel had a block on SMX 0.
    exclusive: [Option<u64>; KERNELS],
}

impl Fairness {
    /// A fastest kernel of at most `limit` blocks, an unfairness of more than `threshold` 256ths.
    pub fn new(limit: u8, threshold: u32) -> Self {
        Self {
            limit: limit.into(),
            threshold: threshold.into(),
            sharing: false,
            due: false,
            evaluation: None,
            exclusive: [None; KERNELS],
        }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &FairnessInputs) -> FairnessOutputs {
        let verdict = self.verdict(inputs);
        let changes = verdict.is_some_and(|sharing| sharing != self.sharing);
        FairnessOutputs { sharing: self.sharing, changes }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &FairnessInputs) -> Activity {
        let before = self.clone();
        if inputs.reset {
            *self = Self { limit: self.limit, threshold: self.threshold, ..Self::new(0, 0) };
            return Activity::from(*self != before);
        }
        self.step(inputs);
        if let Some((kernel, predicted)) = inputs.stored {
            let k = kernel.index();
            if (0..KERNELS).all(|other| other == k || inputs.resident[other] == 0) {
                self.exclusive[k] = Some(predicted);
            }
        }
        if let Some(kernel) = inputs.launch {
            self.exclusive[kernel.index()] = None;
        }
        self.due |=
            inputs.stored.is_some() || inputs.launch.is_some() || inputs.leaves != 0 || inputs.last;
        Activity::from(*self != before)
    }

    fn step(&mut self, inputs: &FairnessInputs) {
        if let Some(sharing) = self.verdict(inputs) {
            when(sharing && !self.sharing, &cover::SHARING_BEGINS);
            when(!sharing && self.sharing, &cover::SHARING_ENDS);
            let exclusive = self.evaluation.as_ref().map_or(0, |of| spread(&of.exclusive));
            when(exclusive <= self.threshold, &cover::FAIR);
            when(exclusive > self.threshold && !sharing, &cover::SHARED_NO_BETTER);
            self.sharing = sharing;
            self.evaluation = None;
            return;
        }
        let candidates = self.candidates(inputs);
        let Some(evaluation) = &mut self.evaluation else {
            if self.due {
                self.due = false;
                self.evaluation = Some(Evaluation::default());
            }
            return;
        };
        let Some(weighed) = &mut evaluation.weighed else {
            if let Some(k) = least(candidates, &inputs.remaining, &inputs.older) {
                evaluation.visited |= 1 << k;
                let residency = inputs.residency[k];
                let only = candidates == 1 << k;
                evaluation.weighed = Some(Weighed {
                    runtime: self.exclusive[k].unwrap_or(inputs.predicted[k]).max(1),
                    residency,
                    limited: if only { residency } else { residency.min(self.limit) },
                    cycle: 0,
                });
            }
            return;
        };
        weighed.cycle += 1;
        if weighed.cycle == DIVIDING {
            let weighed = *weighed;
            evaluation.weighed = None;
            evaluation.weigh(weighed);
        }
    }

    /// Kernels that the evaluation has still to visit.
    fn candidates(&self, inputs: &FairnessInputs) -> u8 {
        let visited = self.evaluation.as_ref().map_or(0, |evaluation| evaluation.visited);
        members(inputs.eligible & inputs.known & !visited).fold(0, |set, k| set | 1 << k)
    }

    /// What an evaluation that picks the next kernel and finds none decides.
    fn verdict(&self, inputs: &FairnessInputs) -> Option<bool> {
        let evaluation = self.evaluation.as_ref()?;
        if evaluation.weighed.is_some() || self.candidates(inputs) != 0 {
            return None;
        }
        let exclusive = spread(&evaluation.exclusive);
        Some(exclusive > self.threshold && spread(&evaluation.shared) < exclusive)
    }
}

impl Evaluation {
    fn weigh(&mut self, kernel: Weighed) {
        let runtime = u128::from(kernel.runtime);
        let time = |time: u128| time.min(u128::from(MOST_TIME)) as u64;
        let slowdown = |finish: u64| (u128::from(finish) * 256 / runtime).min(MOST_SLOWDOWN) as u64;
        self.alone = time(u128::from(self.alone) + runtime);
        let left = kernel.runtime.saturating_sub(self.credit);
        let limited = kernel.limited.max(1);
        let duration = time(u128::from(left) * u128::from(kernel.residency) / u128::from(limited));
        self.credit = duration - left;
        self.finish = time(u128::from(self.finish) + u128::from(duration));
        self.shared.push(slowdown(self.finish));
        self.exclusive.push(slowdown(self.alone));
    }
}

/// The largest less the least.
fn spread(slowdowns: &[u64]) -> u64 {
    let most = slowdowns.iter().max().copied().unwrap_or(0);
    most - slowdowns.iter().min().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernels 0, 1, ... of residency 8 with these predicted run times, in order of arrival.
    fn kernels(runtimes: &[u64]) -> FairnessInputs {
        let mut inputs = FairnessInputs::default();
        for (k, &runtime) in runtimes.iter().enumerate() {
            inputs.older[k] = (1 << k) - 1;
            inputs.eligible |= 1 << k;
            inputs.residency[k] = 8;
            (inputs.remaining[k], inputs.predicted[k]) = (runtime, runtime);
        }
        inputs.known = inputs.eligible;
        inputs
    }

    /// Lets an evaluation begin and end; the cycles from the one that made it due to the first that
    /// shows the verdict, and the verdict.
    fn evaluated(fairness: &mut Fairness, inputs: &FairnessInputs) -> (u32, bool) {
        let event = FairnessInputs { last: true, ..inputs.clone() };
        fairness.clock(&event);
        let mut cycles = 1;
        while fairness.clock(inputs) == Activity::Busy {
            cycles += 1;
        }
        (cycles, fairness.evaluate(inputs).sharing)
    }

    #[test]
    fn a_short_and_a_long_kernel_take_turns_and_equal_ones_share() {
        // Figure 13: slowdowns 1 and (T1 + T2) / T2; limited to 3 of 8, the first has 8 / 3.
        for (short, long, sharing) in [
            (100, 1000, false),
            (500, 1000, false),
            (720, 1000, false),
            (735, 1000, true),
            (1000, 1000, true),
        ] {
            let mut fairness = Fairness::new(3, 128);
            let inputs = kernels(&[long, short]);
            assert_eq!(evaluated(&mut fairness, &inputs).1, sharing, "{short} and {long}");
        }
    }

    #[test]
    fn an_evaluation_takes_forty_cycles_a_kernel_and_three() {
        for n in 0..=8 {
            let mut fairness = Fairness::new(3, 128);
            let inputs = kernels(&vec![1000; n]);
            let expected = 3 + 40 * n as u32;
            assert_eq!(evaluated(&mut fairness, &inputs).0, expected, "{n} kernels");
        }
    }

    #[test]
    fn kernels_that_are_not_known_or_have_no_block_left_do_not_count() {
        let mut inputs = kernels(&[1000, 1000, 1000]);
        (inputs.known, inputs.eligible) = (0b011, 0b110);
        let mut fairness = Fairness::new(3, 128);
        assert_eq!(evaluated(&mut fairness, &inputs), (43, false), "one kernel has the GPU");
    }

    #[test]
    fn an_exclusive_prediction_outlives_later_ones_until_the_entry_is_launched_again() {
        let mut fairness = Fairness::new(3, 128);
        let mut inputs = kernels(&[1000, 1000]);
        let stored = Some((KernelEntry(1), 100));
        inputs.resident[0] = 1;
        fairness.clock(&FairnessInputs { stored, ..inputs.clone() });
        assert_eq!(fairness.exclusive[1], None, "kernel 0 was there");
        inputs.resident = [0, 5, 0, 0, 0, 0, 0, 0];
        fairness.clock(&FairnessInputs { stored, ..inputs.clone() });
        assert_eq!(fairness.exclusive[1], Some(100));
        let launch = Some(KernelEntry(1));
        fairness.clock(&FairnessInputs { launch, ..inputs.clone() });
        assert_eq!(fairness.exclusive[1], None);
    }

    #[test]
    fn three_kernels_each_give_the_next_one_what_they_leave() {
        let mut evaluation = Evaluation::default();
        let of = |runtime, limited| Weighed { runtime, residency: 6, limited, cycle: 0 };
        // Limited to 3 of 6 the first takes 200 cycles, in which the second does 100 of its own.
        evaluation.weigh(of(100, 3));
        assert_eq!((evaluation.finish, evaluation.credit), (200, 100));
        evaluation.weigh(of(150, 3));
        assert_eq!((evaluation.finish, evaluation.credit, evaluation.alone), (300, 50, 250));
        evaluation.weigh(of(200, 6));
        assert_eq!((evaluation.finish, evaluation.credit, evaluation.alone), (450, 0, 450));
        assert_eq!(evaluation.shared, [512, 512, 576], "2, 2 and 2.25");
        assert_eq!(evaluation.exclusive, [256, 426, 576], "1, 1.66 and 2.25");
    }

    #[test]
    fn times_and_slowdowns_saturate() {
        let mut evaluation = Evaluation::default();
        let huge = Weighed { runtime: MOST_TIME, residency: 16, limited: 1, cycle: 0 };
        evaluation.weigh(huge);
        evaluation.weigh(Weighed { runtime: 1, ..huge });
        assert_eq!((evaluation.finish, evaluation.alone), (MOST_TIME, MOST_TIME));
        assert_eq!(evaluation.shared[1], (1 << 16) - 1);
    }

    #[test]
    fn reset_ends_sharing_and_forgets() {
        let mut fairness = Fairness::new(3, 128);
        let inputs = kernels(&[1000, 1000]);
        assert!(evaluated(&mut fairness, &inputs).1);
        fairness.clock(&FairnessInputs { reset: true, ..inputs });
        assert_eq!(fairness, Fairness::new(3, 128));
    }
}
