//! A kernel in the Kernel Distributor: its native blocks, then those of its groups; with priority
//! queues in any order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::port::{Dim3, GroupReference, KernelLaunch};

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct Occupant {
    pub(super) launch: KernelLaunch,
    /// Blocks in execution.
    pub(super) running: u32,
    parts: Parts,
    /// Blocks in all.
    blocks: u64,
    /// Blocks not dispatched yet.
    left: u64,
}

/// The native blocks, unless all of these and those of a group after them are dispatched, and
/// groups. There may be a hundred thousand of them.
#[derive(Clone, PartialEq)]
enum Parts {
    /// They come one after the other; `before` are the blocks of those that are gone.
    InOrder { parts: VecDeque<Part>, before: u64 },
    /// They come in any order. `done` is the one of which the last block was dispatched last.
    AnyOrder { parts: BTreeMap<Option<GroupReference>, Part>, done: Option<Option<GroupReference>> },
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
        let blocks = native.blocks;
        let parts = if in_order {
            Parts::InOrder { parts: VecDeque::from([native]), before: 0 }
        } else {
            Parts::AnyOrder { parts: BTreeMap::from([(None, native)]), done: None }
        };
        Self { launch, running: 0, parts, blocks, left: blocks }
    }

    /// A group is coalesced to it.
    pub(super) fn coalesce(&mut self, group: GroupReference, grid: Dim3, blocks: u32) {
        self.parts.drop_done();
        let part = Part::new(Some(group), grid, blocks);
        self.blocks += part.blocks;
        self.left += part.blocks;
        match &mut self.parts {
            Parts::InOrder { parts, .. } => parts.push_back(part),
            Parts::AnyOrder { parts, .. } => drop(parts.insert(part.group, part)),
        }
    }

    /// Marks a block as dispatched and returns its place among all blocks that come in order; an
    /// error says what is wrong.
    pub(super) fn mark(
        &mut self,
        block: Dim3,
        group: Option<GroupReference>,
    ) -> Result<u64, String> {
        let Some((part, before)) = self.parts.of(group) else {
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
        if part.is_done() {
            self.parts.finish(group);
        }
        self.left -= 1;
        Ok(before + id)
    }

    /// Blocks in all.
    pub(super) fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Blocks not dispatched yet.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Of parts that come in order: all blocks before this place have been dispatched.
    pub(super) fn next(&self) -> u64 {
        match &self.parts {
            Parts::InOrder { parts, before } => {
                before + parts.front().map_or(0, |part| part.done_below)
            }
            Parts::AnyOrder { .. } => 0,
        }
    }

    /// Of parts that come in order: the last of the groups that have blocks to dispatch.
    pub(super) fn last_group(&self) -> Option<GroupReference> {
        match &self.parts {
            Parts::InOrder { parts, .. } => parts.back().filter(|part| !part.is_done())?.group,
            Parts::AnyOrder { .. } => None,
        }
    }
}

impl Parts {
    /// The part whose blocks may be dispatched, if it is that of `group`, and how many blocks were
    /// before it.
    fn of(&mut self, group: Option<GroupReference>) -> Option<(&mut Part, u64)> {
        if group.is_some() && matches!(self, Self::InOrder { .. }) {
            self.drop_done();
        }
        match self {
            Self::InOrder { parts, before } => {
                parts.front_mut().filter(|part| part.group == group).map(|part| (part, *before))
            }
            Self::AnyOrder { parts, .. } => parts.get_mut(&group).map(|part| (part, 0)),
        }
    }

    /// The last block of the part of `group` is dispatched.
    fn finish(&mut self, group: Option<GroupReference>) {
        if let Self::AnyOrder { parts, done } = self {
            if let Some(before) = done.replace(group) {
                parts.remove(&before);
            }
        }
    }

    /// Forgets a part when all its blocks are dispatched. That is put off until it matters, so
    /// that a block that is dispatched twice is seen as such.
    fn drop_done(&mut self) {
        match self {
            Self::InOrder { parts, before } => {
                while let Some(done) = parts.pop_front_if(|part| part.is_done()) {
                    *before += done.blocks;
                }
            }
            Self::AnyOrder { parts, done } => {
                if let Some(done) = done.take() {
                    parts.remove(&done);
                }
            }
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
        if id < self.done_below {
            return false;
        }
        if id == self.done_below && self.done_above.is_empty() {
            // What most do.
            self.done_below += 1;
            return true;
        }
        if !self.done_above.insert(id) {
            return false;
        }
        while self.done_above.remove(&self.done_below) {
            self.done_below += 1;
        }
        true
    }

    fn is_done(&self) -> bool {
        self.dispatched() == self.blocks
    }

    fn dispatched(&self) -> u64 {
        self.done_below + self.done_above.len() as u64
    }
}
