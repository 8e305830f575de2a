//! Twin of `srtf/residents` (`docs/srtf.md`): resident blocks of each kernel on one SMX.
//!
//! Undefined, and not to be compared: everything after a `finished` of a kernel without a resident
//! block.

use super::KERNELS;
use crate::port::{Activity, KernelEntry};

/// Input ports of [`KernelResidents`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelResidentsInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A block of that kernel ends.
    pub finished: Option<KernelEntry>,
    /// A block of that kernel is dispatched here.
    pub taken: Option<KernelEntry>,
}

/// Output ports of [`KernelResidents`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelResidentsOutputs {
    /// Resident blocks as the cycle begins.
    pub resident: [u32; KERNELS],
    /// The same without the block that ends.
    pub staying: [u32; KERNELS],
}

/// The counts; 6 bits each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelResidents {
    resident: [u32; KERNELS],
}

impl KernelResidents {
    /// No block.
    pub fn new() -> Self {
        Self::default()
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &KernelResidentsInputs) -> KernelResidentsOutputs {
        let mut staying = self.resident;
        if let Some(kernel) = inputs.finished {
            staying[kernel.index()] = staying[kernel.index()].saturating_sub(1);
        }
        KernelResidentsOutputs { resident: self.resident, staying }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelResidentsInputs) -> Activity {
        let mut next = self.evaluate(inputs).staying;
        if let Some(kernel) = inputs.taken {
            next[kernel.index()] += 1;
        }
        if inputs.reset {
            next = [0; KERNELS];
        }
        let changed = next != self.resident;
        self.resident = next;
        Activity::from(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(finished: Option<u8>, taken: Option<u8>) -> KernelResidentsInputs {
        let (finished, taken) = (finished.map(KernelEntry), taken.map(KernelEntry));
        KernelResidentsInputs { reset: false, finished, taken }
    }

    #[test]
    fn a_block_that_ends_stays_no_longer_and_one_that_comes_counts_one_cycle_later() {
        let mut residents = KernelResidents::new();
        residents.clock(&event(None, Some(7)));
        residents.clock(&event(None, Some(7)));
        let both = event(Some(7), Some(2));
        let outputs = residents.evaluate(&both);
        assert_eq!((outputs.resident[7], outputs.staying[7], outputs.staying[2]), (2, 1, 0));
        assert_eq!(residents.clock(&both), Activity::Busy);
        let outputs = residents.evaluate(&event(None, None));
        assert_eq!((outputs.resident[7], outputs.resident[2]), (1, 1));
    }

    #[test]
    fn a_block_that_is_replaced_by_one_of_its_kernel_changes_nothing() {
        let mut residents = KernelResidents::new();
        residents.clock(&event(None, Some(0)));
        assert_eq!(residents.clock(&event(Some(0), Some(0))), Activity::Quiet);
        let reset = KernelResidentsInputs { reset: true, ..event(None, Some(1)) };
        assert_eq!(residents.clock(&reset), Activity::Busy);
        assert_eq!(residents, KernelResidents::new());
    }
}
