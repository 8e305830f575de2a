//! Twin of `dtbl/group_table`: the Aggregated Group Table (DTBL, section 4.2).
//!
//! Undefined, and not to be compared: the outputs for an entry that was never allocated (here zero, and
//! no Next), and everything after an `allocate` of an entry that is not free, a `link` to an entry
//! that is not in use, or more blocks that end than were dispatched. A released entry still shows
//! what it held.

use super::super::{activity, PerSmx, SmxMask};
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
    /// The entry whose group is distributed; 11 bits.
    pub current: u32,
    /// A block of `current` is dispatched that is not its last.
    pub dispatched: bool,
    /// The SMXs on which a block of a group in the table ends.
    pub finished: SmxMask,
    /// For each of those, the group's entry; 11 bits.
    pub finished_index: PerSmx<u32>,
    /// The entry whose parameters are asked for; 11 bits.
    pub lookup_index: u32,
}

/// Output ports of [`GroupTable`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupTableOutputs {
    /// The entry that `hardware_thread` names can take a group.
    pub free: bool,
    /// Its index; 11 bits.
    pub index: u32,
    /// Extent of the group in `current`.
    pub current_grid: Dim3,
    /// The group after it, if one was linked.
    pub current_next: Option<GroupReference>,
    /// Address of the parameters of the group in `lookup_index`.
    pub lookup_parameter: u32,
}

/// What an entry holds; free when nothing executes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Group {
    grid: Dim3,
    parameter_address: u32,
    next: Option<GroupReference>,
    /// ExeBL: blocks in execution, and one more while there are blocks to distribute.
    executing: u32,
}

/// The entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupTable {
    groups: Vec<Group>,
}

impl GroupTable {
    /// A table of `entries` free entries.
    ///
    /// # Panics
    /// When `entries` is not a power of two from 1 to [`MAX_GROUP_ENTRIES`].
    pub fn new(entries: u32) -> Self {
        let allowed = entries.is_power_of_two() && entries <= MAX_GROUP_ENTRIES;
        assert!(allowed, "{entries} entries: expected a power of two to {MAX_GROUP_ENTRIES}");
        Self { groups: vec![Group::default(); entries as usize] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &GroupTableInputs) -> GroupTableOutputs {
        let index = self.place(inputs.hardware_thread.into());
        let current = self.groups[self.place(inputs.current)];
        GroupTableOutputs {
            free: self.groups[index].executing == 0,
            index: index as u32,
            current_grid: current.grid,
            current_next: current.next,
            lookup_parameter: self.groups[self.place(inputs.lookup_index)].parameter_address,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GroupTableInputs) -> Activity {
        if inputs.reset {
            let changed = self.groups.iter().any(|group| *group != Group::default());
            self.groups.fill(Group::default());
            return activity(changed);
        }
        let mut changed = false;
        let index = self.place(inputs.hardware_thread.into());
        if inputs.allocate {
            let GroupTableInputs { grid, parameter_address, .. } = *inputs;
            self.groups[index] = Group { grid, parameter_address, next: None, executing: 1 };
            changed = true;
        }
        if inputs.link {
            let linked = self.place(inputs.link_index);
            changed |= self.groups[linked].next != inputs.link_next;
            self.groups[linked].next = inputs.link_next;
        }
        // Of the entries that blocks leave and enter, those count that change in the end.
        let mut touched = Vec::new();
        if inputs.dispatched {
            touched.push((self.place(inputs.current), 1));
        }
        for smx in inputs.finished.iter_ones() {
            touched.push((self.place(inputs.finished_index[smx]), -1));
        }
        for &(entry, _) in &touched {
            let of_entry = touched.iter().filter(|&&(other, _)| other == entry);
            changed |= of_entry.map(|(_, by)| by).sum::<i32>() != 0;
        }
        // Arrivals come first in `touched`: an entry whose block is replaced is never at 0.
        for (entry, by) in touched {
            let executing = &mut self.groups[entry].executing;
            *executing = executing.saturating_add_signed(by);
        }
        activity(changed)
    }

    /// The Next field of an entry.
    pub(super) fn next(&self, index: u32) -> Option<GroupReference> {
        self.groups[self.place(index)].next
    }

    /// How many entries are in use.
    pub(super) fn in_use(&self) -> usize {
        self.groups.iter().filter(|group| group.executing > 0).count()
    }

    /// The entry that the lowest bits of a number name.
    fn place(&self, number: u32) -> usize {
        number as usize & (self.groups.len() - 1)
    }
}

#[cfg(test)]
mod tests;
