//! What one SMX does in a cycle where kernels have levels, and what that is to the levels
//! (`docs/ikra.md`, rules 25 and 26).

use super::host_level::{HostLevelInputs, Owned};
use super::{
    ChildLevelInputs, ChildLevelOutputs, Loot, NestedKernelsOutputs, NestedThiefOutputs,
    StealArbiterOutputs,
};
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

/// What one SMX does in a cycle.
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

/// What each level is told in a cycle.
#[derive(Clone, Debug)]
pub(super) struct LevelInputs {
    pub(super) hosts: HostLevelInputs,
    /// Level 1 first.
    pub(super) children: Vec<ChildLevelInputs>,
}

impl LevelInputs {
    /// With what SMXs do, beside what thieves ask of levels from 1 on.
    pub(super) fn of(known: &Known, mut children: Vec<ChildLevelInputs>, steps: &[Step]) -> Self {
        let mut hosts = HostLevelInputs::default();
        for (smx, (step, thief)) in steps.iter().zip(&known.thieves).enumerate() {
            hosts.victim[smx] = thief.victim;
            hosts.from_chunk.set(smx, thief.from_chunk);
            match *step {
                Step::Own { level: 0, from_chunk: true, .. } => hosts.own.from_chunk.set(smx, true),
                Step::Own { level: 0, .. } => hosts.own.from_queue.set(smx, true),
                Step::Own { level, from_chunk, .. } => {
                    let level = &mut children[level - 1];
                    let takes =
                        if from_chunk { &mut level.take_chunk } else { &mut level.take_queue };
                    takes.set(smx, true);
                }
                Step::Arrives(loot) if thief.loot_level == 0 => hosts.arrives[smx] = Some(loot),
                Step::Asks { .. } if thief.level == 0 => hosts.asks.set(smx, true),
                Step::Asks { .. } => children[usize::from(thief.level) - 1].fits.set(smx, true),
                Step::Arrives(_) | Step::Rests => {}
            }
        }
        for level in &mut children {
            level.resident = known.kernels.resident;
        }
        Self { hosts, children }
    }

    /// The first device kernel in line begins.
    pub(super) fn begin(&mut self, kernels: &NestedKernelsOutputs) {
        let level = &mut self.children[usize::from(kernels.child_level) - 1];
        level.begins = true;
        level.home = kernels.child_home;
        level.kernel = kernels.child.unwrap_or_default();
        level.grid = kernels.child_grid;
        level.needs = kernels.child_needs;
    }
}

/// What the levels answer to thieves.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    pub(super) hosts: StealArbiterOutputs,
    /// Level 1 first.
    pub(super) children: Vec<ChildLevelOutputs>,
}

impl Answers {
    /// To `thief`: a block, or whether it is refused.
    pub(super) fn to(
        &self,
        thief: usize,
        known: &Known,
        hosts: &HostLevelInputs,
    ) -> (Option<Loot>, bool) {
        let NestedThiefOutputs { asks, level, victim, .. } = known.thieves[thief];
        if level > 0 {
            let level = &self.children[usize::from(level) - 1];
            return (level.loot[thief], level.refused[thief]);
        }
        let kernel = known.kernels.host.unwrap_or_default();
        let loot = Loot { home: victim, kernel, block: self.hosts.block[thief] };
        // Who has no room was not passed on to level 0.
        let no_room = asks && !hosts.asks[thief];
        (self.hosts.granted[thief].then_some(loot), self.hosts.refused[thief] || no_room)
    }
}
