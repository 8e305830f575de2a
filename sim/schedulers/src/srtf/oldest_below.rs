//! Twin of `srtf/oldest_below` (`docs/srtf.md`, rule 7): MPMax's choice of one SMX. Combinational.

use super::{entry, members, oldest, KERNELS};
use crate::port::KernelEntry;

/// Input ports of [`OldestBelow`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldestBelowInputs {
    /// Kernels with blocks left.
    pub eligible: u8,
    /// For each kernel, the present ones that are older.
    pub older: [u8; KERNELS],
    /// Its resident blocks on the SMX, without the one that ends in this cycle.
    pub staying: [u32; KERNELS],
    /// What these must be below.
    pub limit: [u32; KERNELS],
}

/// It has no state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OldestBelow;

impl OldestBelow {
    /// The choice.
    pub fn evaluate(self, inputs: &OldestBelowInputs) -> Option<KernelEntry> {
        let below = members(inputs.eligible).filter(|&k| inputs.staying[k] < inputs.limit[k]);
        oldest(below.fold(0, |set, k| set | 1 << k), &inputs.older).map(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_kernel_issues_until_it_is_at_its_limit_and_then_the_next_one() {
        let mut inputs = OldestBelowInputs { eligible: 0b1011, ..Default::default() };
        // In order of arrival: 3, 0, 1.
        (inputs.older[0], inputs.older[1]) = (0b1000, 0b1001);
        inputs.limit = [2; KERNELS];
        let choice = |inputs: &OldestBelowInputs| OldestBelow.evaluate(inputs).map(|k| k.0);
        assert_eq!(choice(&inputs), Some(3));
        inputs.staying[3] = 1;
        assert_eq!(choice(&inputs), Some(3));
        inputs.staying[3] = 2;
        assert_eq!(choice(&inputs), Some(0));
        inputs.staying[0] = 3;
        assert_eq!(choice(&inputs), Some(1), "above a new limit is not below it");
        inputs.staying[1] = 2;
        assert_eq!(choice(&inputs), None);
        inputs.staying[3] = 0;
        inputs.eligible = 0b0011;
        assert_eq!(choice(&inputs), None);
    }
}
