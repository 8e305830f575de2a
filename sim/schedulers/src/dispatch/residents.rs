//! Twin of `prim/residents` (`docs/gpgpusim.md`): how many blocks are resident on each SMX, against
//! a limit.
//!
//! Undefined, and not to be compared: everything after a `finished` of an SMX without a resident
//! block, or after more blocks were taken than 6 bits count.

use super::super::{PerSmx, SmxMask};
use crate::port::Activity;

/// Input ports of [`Residents`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResidentsInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs on which a block ends.
    pub finished: SmxMask,
    /// The SMXs that receive a block.
    pub taken: SmxMask,
    /// For each SMX, the number of resident blocks that it may come to; 6 bits.
    pub limit: PerSmx<u32>,
}

/// Output ports of [`Residents`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResidentsOutputs {
    /// The SMXs that have fewer resident blocks than their limit, without those that end.
    pub below: SmxMask,
}

/// The counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residents {
    resident: Vec<u32>,
}

impl Residents {
    /// `smx` SMXs without a resident block.
    pub fn new(smx: usize) -> Self {
        Self { resident: vec![0; smx] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &ResidentsInputs) -> ResidentsOutputs {
        let mut below = SmxMask::ZERO;
        for smx in 0..self.resident.len() {
            below.set(smx, self.staying(smx, inputs) < inputs.limit[smx]);
        }
        ResidentsOutputs { below }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ResidentsInputs) -> Activity {
        let before = self.resident.clone();
        for smx in 0..self.resident.len() {
            self.resident[smx] = self.staying(smx, inputs) + u32::from(inputs.taken[smx]);
        }
        if inputs.reset {
            self.resident.fill(0);
        }
        Activity::from(self.resident != before)
    }

    /// Blocks of an SMX once the one that ends has left.
    fn staying(&self, smx: usize, inputs: &ResidentsInputs) -> u32 {
        self.resident[smx].saturating_sub(u32::from(inputs.finished[smx]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::mask;
    use super::super::super::tests::harness::SMXS;
    use super::*;

    fn limit(limit: u32) -> ResidentsInputs {
        ResidentsInputs { limit: PerSmx::all(limit), ..ResidentsInputs::default() }
    }

    fn take(residents: &mut Residents, smxs: &[usize]) {
        let taken = mask::of(smxs.iter().copied());
        let inputs = ResidentsInputs { taken, ..ResidentsInputs::default() };
        assert_eq!(residents.clock(&inputs), Activity::Busy);
    }

    fn below(residents: &Residents, inputs: &ResidentsInputs) -> Vec<usize> {
        residents.evaluate(inputs).below.iter_ones().collect()
    }

    #[test]
    fn an_smx_is_below_a_limit_of_one_more_and_not_of_as_many() {
        let mut residents = Residents::new(3);
        take(&mut residents, &[0, 1]);
        take(&mut residents, &[1]);
        assert_eq!(below(&residents, &limit(0)), [0; 0]);
        assert_eq!(below(&residents, &limit(1)), [2]);
        assert_eq!(below(&residents, &limit(2)), [0, 2]);
        assert_eq!(below(&residents, &limit(3)), [0, 1, 2]);
        let each = ResidentsInputs { limit: [1, 3, 0].into_iter().collect(), ..limit(0) };
        assert_eq!(below(&residents, &each), [1]);
    }

    #[test]
    fn a_block_that_ends_does_not_count_in_that_very_cycle() {
        let mut residents = Residents::new(2);
        take(&mut residents, &[0, 1]);
        let inputs = ResidentsInputs { finished: mask::of([1]), ..limit(1) };
        assert_eq!(below(&residents, &inputs), [1]);
        assert_eq!(residents.clock(&inputs), Activity::Busy);
        assert_eq!(below(&residents, &limit(1)), [1]);
    }

    #[test]
    fn a_block_that_is_replaced_in_one_cycle_changes_nothing() {
        for smx in SMXS {
            let last = mask::of([smx - 1]);
            let mut residents = Residents::new(smx);
            take(&mut residents, &[smx - 1]);
            let inputs = ResidentsInputs { finished: last, taken: last, ..limit(1) };
            assert_eq!(residents.clock(&inputs), Activity::Quiet);
            assert_eq!(residents.evaluate(&limit(1)).below, mask::of(0..smx - 1));
        }
    }

    #[test]
    fn sixty_two_blocks_are_below_the_largest_limit_and_sixty_three_are_not() {
        let mut residents = Residents::new(1);
        (0..62).for_each(|_| take(&mut residents, &[0]));
        assert_eq!(below(&residents, &limit(63)), [0]);
        take(&mut residents, &[0]);
        assert_eq!(below(&residents, &limit(63)), [0; 0]);
    }

    #[test]
    fn reset_empties_every_smx_whatever_else_the_cycle_carries() {
        let mut residents = Residents::new(30);
        take(&mut residents, &[0, 29]);
        let inputs = ResidentsInputs { reset: true, taken: mask::of([3]), ..limit(1) };
        assert_eq!(residents.clock(&inputs), Activity::Busy);
        assert_eq!(residents, Residents::new(30));
        assert_eq!(residents.clock(&inputs), Activity::Quiet);
    }
}
