//! Twin of `claso/global_credits`: the credits that all cores share (section 3.1).
//!
//! Undefined, and not to be compared: what follows a `spend` of more than is `available`, or a
//! `spend` and a `load` of the same entry in one cycle (here the load wins),
//! or a `load` and an `add` in one cycle.

use super::{less, more, Load};
use crate::port::{Activity, KernelEntry, KERNEL_ENTRIES};

/// Input ports of [`GlobalCredits`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalCreditsInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The credits of a newly accepted kernel.
    pub load: Option<Load>,
    /// The credits of a group that is coalesced to a kernel; never in a cycle with `load`.
    pub add: Option<Load>,
    /// The head's entry.
    pub kernel: KernelEntry,
    /// Credits of `kernel` consumed in this cycle, 0 to the number of cores.
    pub spend: u64,
}

/// Output ports of [`GlobalCredits`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalCreditsOutputs {
    /// The global credits of `kernel`.
    pub available: u64,
}

/// One credit register an entry of the Kernel Distributor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalCredits {
    credits: [u64; KERNEL_ENTRIES],
}

impl Default for GlobalCredits {
    fn default() -> Self {
        Self::new()
    }
}

impl GlobalCredits {
    /// No credits.
    pub fn new() -> Self {
        Self { credits: [0; KERNEL_ENTRIES] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &GlobalCreditsInputs) -> GlobalCreditsOutputs {
        GlobalCreditsOutputs { available: self.credits[inputs.kernel.index()] }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GlobalCreditsInputs) -> Activity {
        if inputs.reset {
            let changed = self.credits.iter().any(|&credits| credits != 0);
            self.credits.fill(0);
            return Activity::from(changed);
        }
        let before = self.credits;
        let credits = &mut self.credits[inputs.kernel.index()];
        *credits = less(*credits, inputs.spend);
        if let Some(add) = inputs.add {
            let credits = &mut self.credits[add.entry.index()];
            *credits = more(*credits, add.credits);
        }
        if let Some(load) = inputs.load {
            self.credits[load.entry.index()] = load.credits;
        }
        Activity::from(self.credits != before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(entry: u8, credits: u64) -> GlobalCreditsInputs {
        let load = Some(Load { entry: KernelEntry(entry), credits });
        GlobalCreditsInputs { load, ..GlobalCreditsInputs::default() }
    }

    fn spend(entry: u8, spend: u64) -> GlobalCreditsInputs {
        GlobalCreditsInputs { kernel: KernelEntry(entry), spend, ..GlobalCreditsInputs::default() }
    }

    fn available(global: &GlobalCredits, entry: u8) -> u64 {
        global.evaluate(&spend(entry, 0)).available
    }

    #[test]
    fn a_load_is_seen_one_cycle_later_and_by_its_entry_alone() {
        let mut global = GlobalCredits::new();
        let inputs = GlobalCreditsInputs { kernel: KernelEntry(5), ..load(5, 9) };
        assert_eq!(global.evaluate(&inputs).available, 0);
        assert_eq!(global.clock(&inputs), Activity::Busy);
        for entry in 0..32 {
            assert_eq!(available(&global, entry), if entry == 5 { 9 } else { 0 });
        }
    }

    #[test]
    fn several_credits_can_be_spent_in_one_cycle_down_to_none() {
        let mut global = GlobalCredits::new();
        global.clock(&load(0, 33));
        assert_eq!(global.clock(&spend(0, 32)), Activity::Busy);
        assert_eq!(available(&global, 0), 1);
        assert_eq!(global.clock(&spend(0, 0)), Activity::Quiet);
        assert_eq!(global.clock(&spend(0, 1)), Activity::Busy);
        assert_eq!(available(&global, 0), 0);
    }

    #[test]
    fn loading_one_kernel_and_spending_of_another_both_count_in_one_cycle() {
        let mut global = GlobalCredits::new();
        global.clock(&load(0, 4));
        global.clock(&GlobalCreditsInputs { load: load(1, 6).load, ..spend(0, 3) });
        assert_eq!((available(&global, 0), available(&global, 1)), (1, 6));
    }

    #[test]
    fn adding_to_a_kernel_and_spending_of_it_both_count_in_one_cycle() {
        let mut global = GlobalCredits::new();
        global.clock(&load(0, 4));
        let add = Some(Load { entry: KernelEntry(0), credits: 3 });
        let both = GlobalCreditsInputs { add, ..spend(0, 4) };
        assert_eq!(global.evaluate(&both).available, 4);
        assert_eq!(global.clock(&both), Activity::Busy);
        assert_eq!(available(&global, 0), 3);
        let other = GlobalCreditsInputs { add, ..spend(1, 0) };
        assert_eq!(global.clock(&other), Activity::Busy);
        assert_eq!((available(&global, 0), available(&global, 1)), (6, 0));
    }

    #[test]
    fn reset_takes_all_credits_whatever_else_the_cycle_carries() {
        let mut global = GlobalCredits::new();
        global.clock(&load(0, 4));
        let reset = GlobalCreditsInputs { reset: true, ..load(1, 2) };
        assert_eq!(global.clock(&reset), Activity::Busy);
        assert_eq!(global, GlobalCredits::new());
        assert_eq!(global.clock(&reset), Activity::Quiet);
    }
}
