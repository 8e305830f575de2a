//! Twin of `dtbl/block_control`: the thread block control registers (TBCR) of all SMXs, which say of each
//! resident block what it belongs to (DTBL, section 4.2).
//!
//! Undefined, and not to be compared: `finished_kernel` and `finished_group` of an SMX without `finished`
//! (here none) or of a slot without a block; `slot` of an SMX without a free one; everything after a
//! block was taken there.

use super::super::{activity, PerSmx, SmxMask};
use crate::port::{Activity, Dim3, GroupReference, KernelEntry};

/// Input ports of [`BlockControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockControlInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The SMXs on which a block ends.
    pub finished: SmxMask,
    /// For each of those, the block's slot; 6 bits.
    pub finished_slot: PerSmx<u8>,
    /// The SMXs that receive a block.
    pub taken: SmxMask,
    /// The kernel of that block.
    pub kernel: KernelEntry,
    /// Its group; none for a native block.
    pub group: Option<GroupReference>,
    /// Its index in the grid or group.
    pub block: Dim3,
}

/// Output ports of [`BlockControl`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockControlOutputs {
    /// For each SMX on which a block ends, KDEI of that block.
    pub finished_kernel: PerSmx<Option<KernelEntry>>,
    /// For each SMX on which a block ends, AGEI of that block.
    pub finished_group: PerSmx<Option<GroupReference>>,
    /// For each SMX, the lowest slot that is free or whose block ends in this cycle.
    pub slot: PerSmx<Option<u8>>,
}

/// The registers of a slot that holds a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Registers {
    /// KDEI.
    kernel: KernelEntry,
    /// AGEI.
    group: Option<GroupReference>,
    /// BLKID.
    block: Dim3,
}

/// The slots of all SMXs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockControl {
    smxs: Vec<Vec<Option<Registers>>>,
}

impl BlockControl {
    /// `smx` SMXs (up to [`crate::port::MAX_SMX`]) of `slots` slots each, all free.
    pub fn new(smx: usize, slots: u32) -> Self {
        Self { smxs: vec![vec![None; slots as usize]; smx] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &BlockControlInputs) -> BlockControlOutputs {
        let free = |(smx, slots): (usize, &Vec<Option<Registers>>)| {
            let ending = Self::ending(smx, inputs);
            let free = |slot: &usize| slots[*slot].is_none() || ending == Some(*slot);
            (0..slots.len()).find(free).map(|slot| slot as u8)
        };
        let slot = self.smxs.iter().enumerate().map(free).collect();
        let mut outputs = BlockControlOutputs { slot, ..Default::default() };
        for smx in inputs.finished.iter_ones() {
            let ending = Self::ending(smx, inputs);
            let slots = &self.smxs[smx];
            if let Some(registers) = ending.and_then(|slot| *slots.get(slot)?) {
                outputs.finished_kernel[smx] = Some(registers.kernel);
                outputs.finished_group[smx] = registers.group;
            }
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &BlockControlInputs) -> Activity {
        let mut changed = false;
        if inputs.reset {
            for slots in &mut self.smxs {
                changed |= slots.iter().any(Option::is_some);
                slots.fill(None);
            }
            return activity(changed);
        }
        if !inputs.finished.any() && !inputs.taken.any() {
            return Activity::Quiet;
        }
        let outputs = self.evaluate(inputs);
        let BlockControlInputs { kernel, group, block, .. } = *inputs;
        for (smx, slots) in self.smxs.iter_mut().enumerate() {
            let ending = Self::ending(smx, inputs).filter(|slot| *slot < slots.len());
            let taken = outputs.slot[smx].filter(|_| inputs.taken[smx]).map(usize::from);
            let before = [ending, taken].map(|slot| slot.map(|slot| slots[slot]));
            if let Some(slot) = ending {
                slots[slot] = None;
            }
            if let Some(slot) = taken {
                slots[slot] = Some(Registers { kernel, group, block });
            }
            changed |= before != [ending, taken].map(|slot| slot.map(|slot| slots[slot]));
        }
        activity(changed)
    }

    /// The slot of an SMX whose block ends.
    fn ending(smx: usize, inputs: &BlockControlInputs) -> Option<usize> {
        inputs.finished[smx].then(|| inputs.finished_slot[smx].into())
    }
}

#[cfg(test)]
mod tests;
