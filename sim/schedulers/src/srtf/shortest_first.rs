//! Twin of `srtf/shortest` (`docs/srtf.md`, rules 13 and 17): the choice of one SMX.

use super::cover;
use super::{entry, least, members, oldest, KERNELS};
use crate::cover::{counting, met, when};
use crate::port::{Activity, KernelEntry};

/// Input ports of [`ShortestFirst`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShortestFirstInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// Kernels with blocks left.
    pub eligible: u8,
    /// For each kernel, the present ones that are older.
    pub older: [u8; KERNELS],
    /// Kernels with a prediction on this SMX.
    pub known: u8,
    /// Their remaining time.
    pub remaining: [u64; KERNELS],
    /// The kernel that is being sampled.
    pub sampling: Option<KernelEntry>,
    /// The fastest kernel is limited.
    pub sharing: bool,
    /// Resident blocks of each kernel here, without the one that ends in this cycle.
    pub staying: [u32; KERNELS],
}

/// Output ports of [`ShortestFirst`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShortestFirstOutputs {
    /// Rule 13.
    pub first: Option<KernelEntry>,
    /// It is not what it was in the cycle before.
    pub changed: bool,
    /// Rule 17.
    pub choice: Option<KernelEntry>,
}

/// The first choice of the cycle before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestFirst {
    samples: bool,
    limit: u32,
    before: Option<KernelEntry>,
}

impl ShortestFirst {
    /// The choice of an SMX that `samples` new kernels or not; `limit` is the adaptive policy's.
    pub fn new(samples: bool, limit: u8) -> Self {
        Self { samples, limit: limit.into(), before: None }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ShortestFirstInputs) -> ShortestFirstOutputs {
        let (first, choice) = self.choose(inputs);
        let (first, choice) = (first.map(entry), choice.map(entry));
        ShortestFirstOutputs { first, changed: first != self.before, choice }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ShortestFirstInputs) -> Activity {
        let first = if inputs.reset { None } else { self.choose(inputs).0.map(entry) };
        if counting() && !inputs.reset {
            self.cover(inputs);
        }
        let changed = first != self.before;
        self.before = first;
        Activity::from(changed)
    }

    /// Which case of rules 13 and 17 the choice is of.
    fn cover(&self, inputs: &ShortestFirstInputs) {
        let (Some(first), choice) = self.choose(inputs) else { return };
        let sampled = inputs.sampling.is_some_and(|k| k.index() == first) && self.samples;
        let known = inputs.eligible & inputs.known;
        when(sampled, &cover::SAMPLED_FIRST);
        when(!sampled && known == 0, &cover::OLDEST);
        if sampled || known == 0 {
            return;
        }
        met(&cover::LEAST);
        let equal = |k: usize| k != first && inputs.remaining[k] == inputs.remaining[first];
        when(members(known).any(equal), &cover::EQUALS);
        let limited = inputs.sharing && inputs.staying[first] >= self.limit;
        when(limited && choice != Some(first), &cover::GIVES_WAY);
        when(limited && choice == Some(first), &cover::NOBODY_ELSE);
    }

    fn choose(&self, inputs: &ShortestFirstInputs) -> (Option<usize>, Option<usize>) {
        let sampled = inputs.sampling.map(KernelEntry::index);
        let sampled = sampled.filter(|k| self.samples && inputs.eligible >> k & 1 == 1);
        if sampled.is_some() {
            return (sampled, sampled);
        }
        let known = members(inputs.eligible & inputs.known).fold(0, |set, k| set | 1 << k);
        let Some(fastest) = least(known, &inputs.remaining, &inputs.older) else {
            let first = oldest(inputs.eligible, &inputs.older);
            return (first, first);
        };
        let others = known & !(1 << fastest);
        let limited = inputs.sharing && inputs.staying[fastest] >= self.limit;
        let second = least(others, &inputs.remaining, &inputs.older).filter(|_| limited);
        (Some(fastest), second.or(Some(fastest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernels 5, 1 and 3 in order of arrival, of which 1 and 3 are known.
    fn three(remaining_1: u64, remaining_3: u64) -> ShortestFirstInputs {
        let mut inputs = ShortestFirstInputs {
            eligible: 0b10_1010,
            known: 0b1010,
            ..ShortestFirstInputs::default()
        };
        (inputs.older[1], inputs.older[3]) = (1 << 5, 1 << 5 | 1 << 1);
        (inputs.remaining[1], inputs.remaining[3]) = (remaining_1, remaining_3);
        inputs
    }

    fn choice(samples: bool, inputs: &ShortestFirstInputs) -> (Option<u8>, Option<u8>) {
        let outputs = ShortestFirst::new(samples, 3).evaluate(inputs);
        (outputs.first.map(|k| k.0), outputs.choice.map(|k| k.0))
    }

    #[test]
    fn the_least_remaining_time_is_chosen_and_the_older_one_of_equals() {
        for (one, three_, expected) in [(9, 10, 1), (10, 9, 3), (7, 7, 1), (0, 0, 1)] {
            let inputs = three(one, three_);
            assert_eq!(choice(true, &inputs), (Some(expected), Some(expected)));
        }
    }

    #[test]
    fn what_is_known_goes_first_and_without_it_the_oldest() {
        let mut inputs = three(9, 10);
        inputs.known = 1 << 3;
        assert_eq!(choice(true, &inputs).0, Some(3));
        inputs.known = 1 << 7;
        assert_eq!(choice(true, &inputs).0, Some(5), "7 has no block left");
        inputs.eligible = 0;
        assert_eq!(choice(true, &inputs), (None, None));
    }

    #[test]
    fn only_the_sampling_smx_prefers_the_sampled_kernel_while_it_has_blocks() {
        let mut inputs = three(9, 10);
        inputs.sampling = Some(KernelEntry(5));
        assert_eq!(choice(true, &inputs).0, Some(5));
        assert_eq!(choice(false, &inputs).0, Some(1));
        inputs.eligible &= !(1 << 5);
        assert_eq!(choice(true, &inputs).0, Some(1));
    }

    #[test]
    fn while_sharing_the_fastest_kernel_gives_way_from_its_limit_on() {
        let mut inputs = three(9, 10);
        inputs.sharing = true;
        inputs.staying[1] = 2;
        assert_eq!(choice(true, &inputs), (Some(1), Some(1)));
        inputs.staying[1] = 3;
        assert_eq!(choice(true, &inputs), (Some(1), Some(3)), "5 is not known");
        inputs.staying[3] = 63;
        assert_eq!(choice(true, &inputs), (Some(1), Some(3)), "others have no limit");
        inputs.sampling = Some(KernelEntry(1));
        assert_eq!(choice(true, &inputs), (Some(1), Some(1)), "nor has a sample");
        (inputs.sampling, inputs.known) = (None, 1 << 1);
        assert_eq!(choice(true, &inputs), (Some(1), Some(1)), "nobody to give way to");
    }

    #[test]
    fn a_change_of_the_first_choice_shows_for_one_cycle() {
        let mut shortest = ShortestFirst::new(false, 3);
        assert!(!shortest.evaluate(&ShortestFirstInputs::default()).changed);
        for (inputs, changed) in [
            (three(9, 10), true),
            (three(9, 10), false),
            (three(10, 9), true),
            (ShortestFirstInputs::default(), true),
        ] {
            assert_eq!(shortest.evaluate(&inputs).changed, changed);
            assert_eq!(shortest.clock(&inputs) == Activity::Busy, changed);
        }
        shortest.clock(&three(9, 10));
        shortest.clock(&ShortestFirstInputs { reset: true, ..three(9, 10) });
        assert_eq!(shortest, ShortestFirst::new(false, 3));
    }
}
