//! Twin of `dtbl/block_control`: the thread block control registers (TBCR) of all SMXs, which say
//! of each resident block what it belongs to (DTBL, section 4.2).
//!
//! Undefined, and not to be compared: `finished_kernel` of an SMX without `finished` (here none) or
//! of a slot without a block, and `ended_group` a cycle after one (here none, too); `slot` of an
//! SMX without a free one; everything after a block was taken there.

use super::super::{PerSmx, SmxMask};
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
    /// The SMXs on which a block ended in the cycle before.
    pub ended: SmxMask,
    /// For each of those, AGEI of that block.
    pub ended_group: PerSmx<Option<GroupReference>>,
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
    /// Where blocks ended in the cycle before.
    ended: SmxMask,
    /// Their groups.
    ended_group: PerSmx<Option<GroupReference>>,
}

impl BlockControl {
    /// `smx` SMXs (up to [`crate::port::MAX_SMX`]) of `slots` slots each, all free.
    pub fn new(smx: usize, slots: u32) -> Self {
        let smxs = vec![vec![None; slots as usize]; smx];
        Self { smxs, ended: SmxMask::ZERO, ended_group: PerSmx::default() }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &BlockControlInputs) -> BlockControlOutputs {
        let free = |(smx, slots): (usize, &Vec<Option<Registers>>)| {
            let ending = Self::ending(smx, inputs);
            let free = |slot: &usize| slots[*slot].is_none() || ending == Some(*slot);
            (0..slots.len()).find(free).map(|slot| slot as u8)
        };
        let slot = self.smxs.iter().enumerate().map(free).collect();
        let (ended, ended_group) = (self.ended, self.ended_group.clone());
        let finished_kernel = PerSmx::default();
        let mut outputs = BlockControlOutputs { finished_kernel, ended, ended_group, slot };
        for smx in inputs.finished.iter_ones() {
            let ending = Self::ending(smx, inputs);
            if let Some(registers) = self.registers(smx, ending) {
                outputs.finished_kernel[smx] = Some(registers.kernel);
            }
        }
        outputs
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &BlockControlInputs) -> Activity {
        let mut changed = self.ended != inputs.finished;
        if inputs.reset {
            changed = self.ended.any();
            (self.ended, self.ended_group) = (SmxMask::ZERO, PerSmx::default());
            for slots in &mut self.smxs {
                changed |= slots.iter().any(Option::is_some);
                slots.fill(None);
            }
            return Activity::from(changed);
        }
        if !inputs.finished.any() && !inputs.taken.any() && !changed {
            return Activity::Quiet;
        }
        let outputs = self.evaluate(inputs);
        let mut ended_group = PerSmx::default();
        for smx in inputs.finished.iter_ones() {
            let registers = self.registers(smx, Self::ending(smx, inputs));
            ended_group[smx] = registers.and_then(|registers| registers.group);
        }
        changed |= self.ended_group != ended_group;
        (self.ended, self.ended_group) = (inputs.finished, ended_group);
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
        Activity::from(changed)
    }

    /// What a slot holds, if there is such a slot and it holds a block.
    fn registers(&self, smx: usize, slot: Option<usize>) -> Option<Registers> {
        *self.smxs[smx].get(slot?)?
    }

    /// The slot of an SMX whose block ends.
    fn ending(smx: usize, inputs: &BlockControlInputs) -> Option<usize> {
        inputs.finished[smx].then(|| inputs.finished_slot[smx].into())
    }
}

#[cfg(test)]
mod tests;
