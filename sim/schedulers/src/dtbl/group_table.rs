//! Twin of `dtbl/group_table`: the Aggregated Group Table (DTBL, section 4.2).
//!
//! `served` names the group of a block in one cycle, and the block is counted in the next. The
//! entry is free from the cycle after the one that counts the group's last block on.
//!
//! Undefined, and not to be compared: the outputs for an entry that was never allocated (here
//! zero), the Next of a group that none was linked to (here none), and everything after an
//! `allocate` of an entry that is not free, a `link` to an entry that is not in use, a block that
//! is dispatched after its group's last one or between those of another group, or one that is
//! served before the cycle after its dispatch. A released entry still shows what it held.

use super::cover;
use crate::cover::when;
use crate::port::{Activity, Dim3, GroupReference};

/// Most entries of the table: an index has 11 bits.
pub const MAX_GROUP_ENTRIES: u32 = 2048;

/// Input ports of [`GroupTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupTableInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// The launching thread's number on its SMX; 16 bits.
    pub hardware_thread: u16,
    /// The entry that it names takes a group; only when `free`.
    pub allocate: bool,
    /// Extent of that group in thread blocks.
    pub grid: Dim3,
    /// Address of its parameters.
    pub parameter_address: u32,
    /// A group is linked behind the one in entry `link_index`.
    pub link: bool,
    /// 11 bits.
    pub link_index: u32,
    /// The group that follows it.
    pub link_next: Option<GroupReference>,
    /// The entry whose group is distributed in the next cycle; 11 bits.
    pub next_current: u32,
    /// A block of the current group is dispatched: the one that `next_current` named a cycle ago.
    pub dispatched: bool,
    /// That block is the group's last one; valid with `dispatched`.
    pub last: bool,
    /// The entry of a group of which a block is counted in the next cycle; 11 bits.
    pub served: Option<u32>,
    /// The entry whose parameters are asked for; 11 bits.
    pub lookup_index: u32,
}

/// Output ports of [`GroupTable`]; they depend on the state and on what asks for them alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupTableOutputs {
    /// The entry that `hardware_thread` names can take a group.
    pub free: bool,
    /// Its index; 11 bits.
    pub index: u32,
    /// Extent of the current group.
    pub current_grid: Dim3,
    /// The group after it, if one was linked.
    pub current_next: Option<GroupReference>,
    /// Address of the parameters of the group in `lookup_index`.
    pub lookup_parameter: u32,
}

/// What became of the blocks of a group that has not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Blocks {
    dispatched: u64,
    /// The last one was dispatched.
    all_dispatched: bool,
    counted: u64,
}

/// What an entry holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Group {
    grid: Dim3,
    parameter_address: u32,
    next: Option<GroupReference>,
    /// None when the entry is free.
    blocks: Option<Blocks>,
}

/// The entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupTable {
    groups: Vec<Group>,
    /// The entry whose group is distributed in this cycle.
    current: usize,
    /// The entry of the group of which a block is counted in this cycle.
    counting: Option<usize>,
}

impl GroupTable {
    /// A table of `entries` free entries.
    ///
    /// # Panics
    /// When `entries` is not a power of two from 1 to [`MAX_GROUP_ENTRIES`].
    pub fn new(entries: u32) -> Self {
        let allowed = entries.is_power_of_two() && entries <= MAX_GROUP_ENTRIES;
        assert!(allowed, "{entries} entries: expected a power of two to {MAX_GROUP_ENTRIES}");
        Self { groups: vec![Group::default(); entries as usize], current: 0, counting: None }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &GroupTableInputs) -> GroupTableOutputs {
        let index = self.place(inputs.hardware_thread.into());
        let current = self.groups[self.current];
        GroupTableOutputs {
            free: self.groups[index].blocks.is_none(),
            index: index as u32,
            current_grid: current.grid,
            current_next: current.next,
            lookup_parameter: self.groups[self.place(inputs.lookup_index)].parameter_address,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GroupTableInputs) -> Activity {
        if inputs.reset {
            let empty = Self::new(self.groups.len() as u32);
            let changed = *self != empty;
            *self = empty;
            return Activity::from(changed);
        }
        let mut changed = false;
        if inputs.dispatched {
            if let Some(blocks) = &mut self.groups[self.current].blocks {
                blocks.dispatched += 1;
                blocks.all_dispatched |= inputs.last;
                changed = true;
            }
        }
        if let Some(counting) = self.counting {
            self.count(counting);
            changed = true;
        }
        let index = self.place(inputs.hardware_thread.into());
        if inputs.allocate {
            let GroupTableInputs { grid, parameter_address, .. } = *inputs;
            let blocks = Some(Blocks::default());
            self.groups[index] = Group { grid, parameter_address, next: None, blocks };
            changed = true;
        }
        if inputs.link {
            let linked = self.place(inputs.link_index);
            changed |= self.groups[linked].next != inputs.link_next;
            self.groups[linked].next = inputs.link_next;
        }
        let next = (self.place(inputs.next_current), inputs.served.map(|index| self.place(index)));
        changed |= next != (self.current, self.counting);
        (self.current, self.counting) = next;
        Activity::from(changed)
    }

    /// Counts a block that ended; the last one releases the entry.
    fn count(&mut self, index: usize) {
        let group = &mut self.groups[index];
        let Some(blocks) = &mut group.blocks else { return };
        blocks.counted += 1;
        when(!blocks.all_dispatched, &cover::COUNTED_EARLY);
        if blocks.all_dispatched && blocks.counted == blocks.dispatched {
            group.blocks = None;
        }
    }

    /// The Next field of an entry.
    pub(super) fn next(&self, index: u32) -> Option<GroupReference> {
        self.groups[self.place(index)].next
    }

    /// How many entries are in use.
    pub(super) fn in_use(&self) -> usize {
        self.groups.iter().filter(|group| group.blocks.is_some()).count()
    }

    /// The entry that the lowest bits of a number name.
    fn place(&self, number: u32) -> usize {
        number as usize & (self.groups.len() - 1)
    }
}

#[cfg(test)]
mod tests;
