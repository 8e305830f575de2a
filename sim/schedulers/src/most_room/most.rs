//! Twin of `most_room/most` (`docs/most-room.md`, rule 3): the SMXs with most room for the block.
//!
//! Undefined, and not to be compared: nothing. Combinational: there is no clock edge.

use super::super::{PerSmx, SmxMask};

/// Input ports of [`Most`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MostInputs {
    /// The SMXs that ask.
    pub request: SmxMask,
    /// The room of each of them in blocks; 6 bits.
    pub count: PerSmx<u32>,
}

/// Output ports of [`Most`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MostOutputs {
    /// Those of `request` with the largest count.
    pub most: SmxMask,
}

/// It has no state, and serves any number of SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Most;

impl Most {
    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &MostInputs) -> MostOutputs {
        let MostInputs { request, count } = inputs;
        let largest = request.iter_ones().map(|smx| count[smx]).max();
        let mut most = SmxMask::ZERO;
        for smx in request.iter_ones() {
            most.set(smx, Some(count[smx]) == largest);
        }
        MostOutputs { most }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask;
    use super::super::super::tests::harness::SMXS;
    use super::*;

    fn most(request: impl IntoIterator<Item = usize>, count: &[u32]) -> Vec<usize> {
        let count = count.iter().copied().collect();
        let outputs = Most.evaluate(&MostInputs { request: mask::of(request), count });
        outputs.most.iter_ones().collect()
    }

    #[test]
    fn all_with_the_largest_count_are_let_through() {
        assert_eq!(most(0..3, &[2, 4, 4]), [1, 2]);
        assert_eq!(most(0..3, &[2, 3, 4]), [2]);
        assert_eq!(most(0..3, &[1, 1, 1]), [0, 1, 2]);
    }

    #[test]
    fn who_does_not_ask_does_not_count() {
        assert_eq!(most([0, 2], &[1, 63, 1]), [0, 2]);
        assert_eq!(most([2], &[9, 9, 0]), [2], "a count of nothing, but it asks alone");
        assert_eq!(most([], &[1, 2, 3]), [0; 0]);
    }

    #[test]
    fn one_step_of_a_six_bit_count_decides_at_any_number_of_smxs() {
        for smx in SMXS {
            for best in [0, smx / 2, smx - 1] {
                let mut count = vec![62; smx];
                count[best] = 63;
                assert_eq!(most(0..smx, &count), [best], "of {smx}");
            }
        }
    }
}
