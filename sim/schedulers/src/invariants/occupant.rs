//! A kernel in the Kernel Distributor: its native blocks, then those of its groups; with priority queues in
//! any order.

use std::collections::{BTreeSet, VecDeque};

use crate::port::{Dim3, GroupReference, KernelLaunch};

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct Occupant {
    pub(super) launch: KernelLaunch,
    /// Blocks in execution.
    pub(super) running: u32,
    /// The native blocks, unless all of these and those of a group after them are dispatched.
    parts: VecDeque<Part>,
    /// Blocks of the parts that are gone.
    before: u64,
    /// Whether the parts come one after the other.
    in_order: bool,
}

/// The native blocks of a kernel, or those of a group.
#[derive(Clone, PartialEq)]
struct Part {
    group: Option<GroupReference>,
    grid: Dim3,
    blocks: u64,
    /// All blocks below this linear id have been dispatched.
    done_below: u64,
    /// Blocks above it that have been dispatched.
    done_above: BTreeSet<u64>,
}

impl Occupant {
    pub(super) fn new(launch: KernelLaunch, in_order: bool) -> Self {
        let native = Part::new(None, launch.grid, launch.blocks);
        Self { launch, running: 0, parts: VecDeque::from([native]), before: 0, in_order }
    }

    /// A group is coalesced to it.
    pub(super) fn coalesce(&mut self, group: GroupReference, grid: Dim3, blocks: u32) {
        self.drop_done();
        self.parts.push_back(Part::new(Some(group), grid, blocks));
    }

    /// Marks a block as dispatched and returns its place among all blocks; an error says what is wrong.
    pub(super) fn mark(
        &mut self,
        block: Dim3,
        group: Option<GroupReference>,
    ) -> Result<u64, String> {
        if group.is_some() && self.in_order {
            self.drop_done();
        }
        let first = if self.in_order { 1 } else { self.parts.len() };
        let part = self.parts.iter_mut().take(first).find(|part| part.group == group);
        let Some(part) = part else {
            return Err("is not of what its kernel has to distribute next".to_owned());
        };
        let Dim3 { x, y, z } = part.grid;
        if block.x >= x || block.y >= y || block.z >= z {
            return Err(format!("is outside its grid {}", part.grid));
        }
        let id = block.linear(part.grid);
        if !part.mark(id) {
            return Err("dispatched twice".to_owned());
        }
        Ok(self.before + id)
    }

    /// Blocks in all.
    pub(super) fn blocks(&self) -> u64 {
        self.before + self.parts.iter().map(|part| part.blocks).sum::<u64>()
    }

    /// Blocks not dispatched yet.
    pub(super) fn left(&self) -> u64 {
        self.parts.iter().map(|part| part.blocks - part.dispatched()).sum()
    }

    /// All blocks before this place have been dispatched.
    pub(super) fn next(&self) -> u64 {
        self.before + self.parts.front().map_or(0, |part| part.done_below)
    }

    /// The last of the groups that have blocks to dispatch.
    pub(super) fn last_group(&self) -> Option<GroupReference> {
        self.parts.back().filter(|part| part.blocks > part.dispatched())?.group
    }

    /// Forgets the first part when all its blocks are dispatched. That is put off until it matters, so
    /// that a block that is dispatched twice is seen as such.
    fn drop_done(&mut self) {
        if !self.in_order {
            self.before += self.parts.iter().map(Part::done).sum::<u64>();
            self.parts.retain(|part| part.done() == 0);
            return;
        }
        while let Some(done) = self.parts.pop_front_if(|part| part.dispatched() == part.blocks) {
            self.before += done.blocks;
        }
    }
}

impl Part {
    fn new(group: Option<GroupReference>, grid: Dim3, blocks: u32) -> Self {
        let blocks = u64::from(blocks);
        Self { group, grid, blocks, done_below: 0, done_above: BTreeSet::new() }
    }

    /// Marks a block as dispatched; `false` when it was before.
    fn mark(&mut self, id: u64) -> bool {
        if id < self.done_below || !self.done_above.insert(id) {
            return false;
        }
        while self.done_above.remove(&self.done_below) {
            self.done_below += 1;
        }
        true
    }

    /// All its blocks if they are dispatched.
    fn done(&self) -> u64 {
        self.blocks * u64::from(self.dispatched() == self.blocks)
    }

    fn dispatched(&self) -> u64 {
        self.done_below + self.done_above.len() as u64
    }
}
