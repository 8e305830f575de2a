//! What one SMX does in a cycle where kernels have levels (`docs/ikra.md`, rules 25 and 26).

use super::host_level::Owned;
use super::{ChildLevelOutputs, Loot, NestedKernelsOutputs, NestedThiefOutputs};
use crate::port::{BlockNeeds, Dim3, KernelEntry};

/// What follows from the state, and what blocks take that are asked for.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) kernels: NestedKernelsOutputs,
    /// Level 0.
    pub(super) hosts: Owned,
    /// Level 1 first.
    pub(super) children: Vec<ChildLevelOutputs>,
    pub(super) thieves: Vec<NestedThiefOutputs>,
}

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A stolen block is dispatched.
    Arrives(Loot),
    /// Its request is at a victim; if it has room for a block that takes `needs`, it may get one.
    Asks { needs: BlockNeeds },
    /// If it has room, the next block of its own is dispatched.
    Own { level: usize, from_chunk: bool, kernel: KernelEntry, block: Dim3, needs: BlockNeeds },
    /// Nothing.
    Rests,
}

impl Known {
    /// What `smx` would do if it had room.
    pub(super) fn step(&self, smx: usize) -> Step {
        let thief = &self.thieves[smx];
        if let Some(loot) = thief.loot {
            return Step::Arrives(loot);
        }
        if thief.asks {
            let needs = match usize::from(thief.level) {
                0 => self.kernels.host_needs,
                level => self.children[level - 1].asked_needs[smx],
            };
            return Step::Asks { needs };
        }
        self.own(smx).unwrap_or(Step::Rests)
    }

    /// Whether nothing is left of any level.
    pub(super) fn is_hungry(&self, smx: usize) -> bool {
        self.own(smx).is_none()
    }

    /// A block of the first host kernel that `victim` gives.
    pub(super) fn host_loot(&self, victim: usize, block: Dim3) -> Loot {
        Loot { home: victim, kernel: self.kernels.host.unwrap_or_default(), block }
    }

    /// Rule 25: the next block of the highest level of which something is left.
    fn own(&self, smx: usize) -> Option<Step> {
        for (index, child) in self.children.iter().enumerate().rev() {
            let level = index + 1;
            if let Some((kernel, block)) = child.chunk_next[smx] {
                let needs = child.chunk_needs[smx];
                return Some(Step::Own { level, from_chunk: true, kernel, block, needs });
            }
            if let Some((kernel, block)) = child.queue_next[smx] {
                let needs = child.queue_needs[smx];
                return Some(Step::Own { level, from_chunk: false, kernel, block, needs });
            }
        }
        let (from_chunk, block) = self.hosts.next(smx)?;
        let (kernel, needs) = (self.kernels.host.unwrap_or_default(), self.kernels.host_needs);
        Some(Step::Own { level: 0, from_chunk, kernel, block, needs })
    }
}
