//! Groups that are coalesced to a kernel, from then to the end of their last block.

use std::collections::BTreeMap;

use super::commands::PendingGroup;
use super::families::Member;
use crate::host::Body;
use crate::port::{Dim3, GroupReference, Parent};

/// A coalesced group.
#[derive(Clone, Debug)]
pub struct Group {
    /// How the scheduler calls it.
    pub reference: GroupReference,
    /// Where its information is in global memory.
    pub pointer: u32,
    /// Its place among the groups of its kernel instance, from 1.
    pub ordinal: u32,
    /// Its extent in thread blocks.
    pub grid: Dim3,
    /// What its blocks do.
    pub body: Body,
    /// Number of its code.
    pub code: u32,
    /// The cycle of the API call.
    pub called: u64,
    /// How many groups were coalesced before it, to any kernel.
    pub serial: usize,
    /// Its place below the block that launched it.
    pub member: Member,
    /// Who launched it.
    pub parent: Parent,
    /// Whether a block has been dispatched.
    pub started: bool,
    /// Blocks that have not ended.
    left: u32,
}

/// See the module. Groups go by numbers that are used again.
#[derive(Debug, Default)]
pub struct Groups {
    groups: Vec<Option<Group>>,
    free: Vec<usize>,
    by_reference: BTreeMap<GroupReference, usize>,
    /// How many there were.
    coalesced: usize,
}

impl Groups {
    /// `pending` is coalesced as the `ordinal`-th group of its kernel.
    pub fn coalesce(&mut self, pending: PendingGroup, ordinal: u32, reference: GroupReference) {
        let PendingGroup { pointer, launch, code, body, called, member, parent, .. } = pending;
        let group = Group {
            reference,
            pointer,
            ordinal,
            grid: launch.grid,
            body,
            code,
            called,
            serial: self.coalesced,
            member,
            parent,
            started: false,
            left: launch.blocks,
        };
        self.coalesced += 1;
        let number = self.free.pop().unwrap_or_else(|| {
            self.groups.push(None);
            self.groups.len() - 1
        });
        self.groups[number] = Some(group);
        self.by_reference.insert(reference, number);
    }

    /// Whether any group has blocks that have not ended.
    pub fn any(&self) -> bool {
        !self.by_reference.is_empty()
    }

    /// The number of the group that the scheduler calls `reference`.
    pub fn number(&self, reference: GroupReference) -> Option<usize> {
        self.by_reference.get(&reference).copied()
    }

    /// The group with this number.
    ///
    /// # Panics
    /// When there is none; the invariants keep that from happening.
    pub fn group_mut(&mut self, number: usize) -> &mut Group {
        self.groups[number].as_mut().expect("a coalesced group")
    }

    /// The group that the scheduler calls `reference`.
    pub fn find(&self, reference: GroupReference) -> Option<&Group> {
        self.groups[self.number(reference)?].as_ref()
    }

    /// A block of the group with this number has ended; the group is returned when it was the last.
    ///
    /// # Panics
    /// As [`Groups::group_mut`].
    pub fn block_ended(&mut self, number: usize) -> Option<Group> {
        let group = self.group_mut(number);
        group.left -= 1;
        if group.left > 0 {
            return None;
        }
        let group = self.groups[number].take()?;
        self.free.push(number);
        self.by_reference.remove(&group.reference);
        Some(group)
    }
}
