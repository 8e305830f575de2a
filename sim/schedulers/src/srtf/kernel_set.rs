//! Twin of `srtf/kernel_set` (`docs/srtf.md`, rules 2 and 3): the kernels that run, their order,
//! and what is known of them at launch.
//!
//! Undefined, and not to be compared: everything after a `launch` of a kernel that is present.

use super::{members, KERNELS};
use crate::port::{Activity, BlockNeeds, KernelEntry, SmxLimits};

/// Most total blocks of an SMX: 24 bits.
const MOST_TOTAL: u32 = (1 << 24) - 1;

/// The largest residency of a kernel.
const MOST_RESIDENCY: u32 = 16;

/// Input ports of [`KernelSet`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelSetInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel is accepted; below 8.
    pub launch: Option<KernelEntry>,
    /// Its blocks; 31 bits.
    pub blocks: u32,
    /// What each of them takes.
    pub needs: BlockNeeds,
    /// The last block of that kernel is dispatched.
    pub last: Option<KernelEntry>,
    /// Kernels that leave.
    pub leaves: u8,
}

/// Output ports of [`KernelSet`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelSetOutputs {
    /// Kernels in the table.
    pub present: u8,
    /// Those that have not dispatched their last block.
    pub open: u8,
    /// Those of them that have blocks.
    pub eligible: u8,
    /// For each kernel, the present ones that are older.
    pub older: [u8; KERNELS],
    /// What their blocks take; zero where not present.
    pub needs: [BlockNeeds; KERNELS],
    /// R; zero where not present.
    pub residency: [u32; KERNELS],
    /// Total_Blocks; zero where not present.
    pub total: [u32; KERNELS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kernel {
    number: u8,
    open: bool,
    empty: bool,
    needs: BlockNeeds,
    residency: u32,
    total: u32,
}

/// The kernels in order of arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelSet {
    smx: u32,
    limits: SmxLimits,
    kernels: Vec<Kernel>,
}

impl KernelSet {
    /// No kernel, on `smx` SMXs (at least one) of that size.
    pub fn new(smx: usize, limits: SmxLimits) -> Self {
        Self { smx: smx as u32, limits, kernels: Vec::new() }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &KernelSetInputs) -> KernelSetOutputs {
        let mut outputs = KernelSetOutputs::default();
        for kernel in &self.kernels {
            let (k, bit) = (usize::from(kernel.number), 1 << kernel.number);
            outputs.older[k] = outputs.present;
            outputs.present |= bit;
            if kernel.open {
                outputs.open |= bit;
                if !kernel.empty {
                    outputs.eligible |= bit;
                }
            }
            outputs.needs[k] = kernel.needs;
            outputs.residency[k] = kernel.residency;
            outputs.total[k] = kernel.total;
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &KernelSetInputs) -> Activity {
        let before = self.kernels.clone();
        if inputs.reset {
            self.kernels.clear();
            return Activity::from(!before.is_empty());
        }
        for kernel in &mut self.kernels {
            if kernel.empty || inputs.last == Some(KernelEntry(kernel.number)) {
                kernel.open = false;
            }
        }
        let leaves: Vec<usize> = members(inputs.leaves).collect();
        self.kernels.retain(|kernel| !leaves.contains(&usize::from(kernel.number)));
        if let Some(launched) = inputs.launch {
            self.kernels.push(Kernel {
                number: launched.0,
                open: true,
                empty: inputs.blocks == 0,
                needs: inputs.needs,
                residency: residency(inputs.needs, self.limits),
                total: inputs.blocks.div_ceil(self.smx).min(MOST_TOTAL),
            });
        }
        Activity::from(self.kernels != before)
    }
}

/// How many blocks with these needs fit an empty SMX, at most 16.
fn residency(needs: BlockNeeds, limits: SmxLimits) -> u32 {
    let fit = |need: u32, limit: u32| limit.checked_div(need).unwrap_or(u32::MAX);
    fit(needs.threads, limits.threads)
        .min(fit(needs.registers, limits.registers))
        .min(fit(needs.shared_memory, limits.shared_memory))
        .min(limits.thread_block_slots)
        .min(MOST_RESIDENCY)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 4 of the paper.
    pub(super) const GTX480: SmxLimits =
        SmxLimits { threads: 1536, registers: 32768, shared_memory: 49152, thread_block_slots: 8 };

    fn needs(threads: u32, registers: u32) -> BlockNeeds {
        BlockNeeds { threads, registers, shared_memory: 0 }
    }

    fn launch(set: &mut KernelSet, k: u8, blocks: u32, needs: BlockNeeds) {
        let launch = Some(KernelEntry(k));
        let inputs = KernelSetInputs { launch, blocks, needs, ..Default::default() };
        assert_eq!(set.clock(&inputs), Activity::Busy);
    }

    fn state(set: &KernelSet) -> KernelSetOutputs {
        set.evaluate(&KernelSetInputs::default())
    }

    #[test]
    fn residencies_are_those_of_table_2() {
        for (needs, expected) in [
            (needs(256, 256 * 20), 6),
            (needs(64, 64 * 16), 8),
            (needs(128, 128 * 43), 5),
            // "One fewer register" makes it six (table 2's footnote).
            (needs(128, 128 * 42), 6),
            (BlockNeeds { shared_memory: 49152, ..needs(32, 0) }, 1),
            (BlockNeeds::default(), 8),
        ] {
            assert_eq!(residency(needs, GTX480), expected, "{needs:?}");
        }
        let slots = SmxLimits { thread_block_slots: 63, ..GTX480 };
        assert_eq!(residency(needs(32, 0), slots), 16);
    }

    #[test]
    fn total_blocks_is_the_share_of_an_smx_rounded_up_and_saturates() {
        let mut set = KernelSet::new(15, GTX480);
        for (k, blocks, total) in
            [(0, 1, 1), (1, 15, 1), (2, 16, 2), (3, 1429, 96), (4, (1 << 31) - 1, MOST_TOTAL)]
        {
            launch(&mut set, k, blocks, needs(32, 0));
            assert_eq!(state(&set).total[usize::from(k)], total, "{blocks} blocks");
        }
    }

    #[test]
    fn a_kernel_is_open_until_its_last_block_goes_and_present_until_it_leaves() {
        let mut set = KernelSet::new(2, GTX480);
        launch(&mut set, 3, 7, needs(32, 0));
        let outputs = state(&set);
        assert_eq!((outputs.present, outputs.open, outputs.eligible), (8, 8, 8));
        set.clock(&KernelSetInputs { last: Some(KernelEntry(3)), ..Default::default() });
        let outputs = state(&set);
        assert_eq!((outputs.present, outputs.open, outputs.eligible), (8, 0, 0));
        set.clock(&KernelSetInputs { leaves: 8, ..Default::default() });
        assert_eq!(set, KernelSet::new(2, GTX480));
    }

    #[test]
    fn a_kernel_without_blocks_is_open_for_one_cycle_and_never_eligible() {
        let mut set = KernelSet::new(2, GTX480);
        launch(&mut set, 0, 0, needs(32, 0));
        assert_eq!((state(&set).open, state(&set).eligible), (1, 0));
        assert_eq!(set.clock(&KernelSetInputs::default()), Activity::Busy);
        assert_eq!((state(&set).present, state(&set).open), (1, 0));
        assert_eq!(set.clock(&KernelSetInputs::default()), Activity::Quiet);
    }

    #[test]
    fn the_order_is_that_of_arrival_whatever_the_numbers() {
        let mut set = KernelSet::new(2, GTX480);
        for k in [5, 0, 7] {
            launch(&mut set, k, 1, needs(32, 0));
        }
        let older = |set: &KernelSet| [5, 0, 7].map(|k: usize| state(set).older[k]);
        assert_eq!(older(&set), [0, 1 << 5, 1 << 5 | 1]);
        // Two leave and one comes in one cycle.
        let launch = Some(KernelEntry(1));
        set.clock(&KernelSetInputs { launch, leaves: 1 << 5 | 1, ..Default::default() });
        assert_eq!((state(&set).older[7], state(&set).older[1]), (0, 1 << 7));
    }

    #[test]
    fn reset_forgets_every_kernel_whatever_else_the_cycle_carries() {
        let mut set = KernelSet::new(2, GTX480);
        launch(&mut set, 2, 1, needs(32, 0));
        let reset =
            KernelSetInputs { reset: true, launch: Some(KernelEntry(1)), ..Default::default() };
        assert_eq!(set.clock(&reset), Activity::Busy);
        assert_eq!(set, KernelSet::new(2, GTX480));
        assert_eq!(set.clock(&reset), Activity::Quiet);
    }
}
