//! Twin of `dtbl/group_lists`: for each kernel the next group to distribute (NAGEI) and the last
//! one that was coalesced to it (LAGEI); DTBL, section 4.2.
//!
//! Undefined, and not to be compared: what follows an `advance` without a head or of an empty list,
//! or with an `advance_next` of none when the group at NAGEI is not the one at LAGEI; `enter` and
//! `coalesce` in one cycle; a `coalesce` without a `reference`; `coming` of an entry that no kernel
//! has entered (here none), or in a cycle with reset.

use crate::port::{Activity, GroupReference, KernelEntry, KERNEL_ENTRIES};

/// Input ports of [`GroupLists`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupListsInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel enters the Kernel Distributor.
    pub enter: Option<KernelEntry>,
    /// A group is coalesced to this kernel.
    pub coalesce: Option<KernelEntry>,
    /// The group's reference.
    pub reference: Option<GroupReference>,
    /// `head_valid` and `head`: the kernel that is distributed.
    pub head: Option<KernelEntry>,
    /// The head of the next cycle; any entry if there will be none.
    pub next_head: KernelEntry,
    /// The last block of the group at the head's NAGEI is dispatched in this cycle.
    pub advance: bool,
    /// The Next field of that group.
    pub advance_next: Option<GroupReference>,
}

/// Output ports of [`GroupLists`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupListsOutputs {
    /// NAGEI of the head; none without a head. Depends on the state and `head` alone.
    pub next: Option<GroupReference>,
    /// After this cycle the head's list is not empty; low without a head.
    pub waiting: bool,
    /// `link` and `link_to`: the group whose Next field becomes `reference`: LAGEI of the kernel
    /// that `coalesce` names.
    pub link: Option<GroupReference>,
    /// NAGEI of `next_head` after this cycle.
    pub coming: Option<GroupReference>,
}

/// The two registers of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct List {
    next: Option<GroupReference>,
    last: Option<GroupReference>,
}

/// The registers of all entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupLists {
    lists: Vec<List>,
}

impl Default for GroupLists {
    fn default() -> Self {
        Self::new()
    }
}

impl GroupLists {
    /// Empty lists.
    pub fn new() -> Self {
        Self { lists: vec![List::default(); KERNEL_ENTRIES] }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &GroupListsInputs) -> GroupListsOutputs {
        let GroupListsInputs { coalesce, head, .. } = *inputs;
        let waits = |k| coalesce == Some(k) || self.next_without_coalescing(k, inputs).is_some();
        let linked = coalesce.filter(|&k| self.next_without_coalescing(k, inputs).is_some());
        GroupListsOutputs {
            next: head.and_then(|k| self.lists[k.index()].next),
            waiting: head.is_some_and(waits),
            link: linked.and_then(|k| self.lists[k.index()].last),
            coming: self.next_after(inputs.next_head, inputs),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GroupListsInputs) -> Activity {
        let before = self.lists.clone();
        for k in 0..KERNEL_ENTRIES {
            let entry = KernelEntry(k as u8);
            self.lists[k].next = self.next_after(entry, inputs);
            if inputs.coalesce == Some(entry) {
                self.lists[k].last = inputs.reference;
            }
        }
        if inputs.reset {
            *self = Self::new();
        }
        Activity::from(self.lists != before)
    }

    /// NAGEI and LAGEI of a kernel whose list is not empty.
    pub(super) fn ends(&self, k: KernelEntry) -> Option<(GroupReference, GroupReference)> {
        let List { next, last } = self.lists[k.index()];
        next.zip(last)
    }

    /// NAGEI after this cycle.
    fn next_after(&self, k: KernelEntry, inputs: &GroupListsInputs) -> Option<GroupReference> {
        if inputs.enter == Some(k) {
            return None;
        }
        let coalesced = inputs.reference.filter(|_| inputs.coalesce == Some(k));
        self.next_without_coalescing(k, inputs).or(coalesced)
    }

    /// NAGEI after this cycle if no group were coalesced in it.
    fn next_without_coalescing(
        &self,
        k: KernelEntry,
        inputs: &GroupListsInputs,
    ) -> Option<GroupReference> {
        let List { next, last } = self.lists[k.index()];
        if !inputs.advance || inputs.head != Some(k) {
            next
        } else if next == last {
            None
        } else {
            inputs.advance_next
        }
    }
}

#[cfg(test)]
mod tests;
