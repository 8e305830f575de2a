//! Twin of what `--launch dtbl` knows of groups in memory (rule 10 of `docs/dtbl.md`): it asks for
//! those of the head ahead of their turn and keeps what has come.
//!
//! Undefined, and not to be compared: what follows a `done` when the oldest held group has not
//! come.

use super::cover;
use crate::cover::{counting, when};
use crate::port::{
    Activity, FetchedGroup, GroupReference, GroupStorage, KernelEntry, RingPlace, KERNEL_ENTRIES,
};
use std::collections::VecDeque;

/// Input ports of [`GroupFetch`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupFetchInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// `head_valid` and `head`: the kernel that is distributed.
    pub head: Option<KernelEntry>,
    /// A group of this kernel is left in memory in this cycle.
    pub left: Option<KernelEntry>,
    /// A group is linked in this cycle behind a group in memory: their kernel, and the later one.
    pub link: Option<(KernelEntry, GroupReference)>,
    /// Information comes from memory.
    pub fetched: Option<FetchedGroup>,
    /// The last block of the oldest held group is dispatched in this cycle.
    pub done: bool,
}

/// Output ports of [`GroupFetch`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupFetchOutputs {
    /// The group that is asked for.
    pub fetch: Option<RingPlace>,
    /// The oldest held group, if it has come, with the group after it.
    pub oldest: Option<FetchedGroup>,
}

/// A group that was asked for and is not fully distributed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Held {
    come: Option<FetchedGroup>,
    /// What was linked behind it since it was asked for: memory may have been read before.
    link: Option<GroupReference>,
}

/// How many groups each ring has and had asked for, and those that are held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupFetch {
    ahead: u32,
    left: [u32; KERNEL_ENTRIES],
    asked: [u32; KERNEL_ENTRIES],
    held: VecDeque<Held>,
}

impl GroupFetch {
    /// Nothing is in memory; at most `ahead` groups are held.
    ///
    /// # Panics
    /// When `ahead` is not in 1 to [`GroupStorage::MOST_AHEAD`].
    pub fn new(ahead: u32) -> Self {
        let most = GroupStorage::MOST_AHEAD;
        assert!((1..=most).contains(&ahead), "{ahead} groups ahead: expected 1 to {most}");
        let none = [0; KERNEL_ENTRIES];
        Self { ahead, left: none, asked: none, held: VecDeque::new() }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, inputs: &GroupFetchInputs) -> GroupFetchOutputs {
        let room = self.held.len() < self.ahead as usize;
        let unasked = |k: &KernelEntry| self.asked[k.index()] != self.left[k.index()];
        let kernel = inputs.head.filter(|_| room).filter(unasked);
        let oldest = self.held.front().and_then(|held| {
            let come = held.come?;
            Some(FetchedGroup { next: held.link.or(come.next), ..come })
        });
        let place = |kernel: KernelEntry| RingPlace { kernel, index: self.asked[kernel.index()] };
        GroupFetchOutputs { fetch: kernel.map(place), oldest }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GroupFetchInputs) -> Activity {
        let before = self.clone();
        let fetch = self.evaluate(inputs).fetch;
        if counting() && !inputs.reset {
            self.cover(inputs, fetch);
        }
        if let Some(awaited) = self.held.iter_mut().find(|held| held.come.is_none()) {
            awaited.come = inputs.fetched;
        }
        if let Some(RingPlace { kernel, index }) = fetch {
            self.held.push_back(Held::default());
            self.asked[kernel.index()] = index.wrapping_add(1);
        }
        // The link is behind the last group of its list: held, if all of the ring was asked for.
        if let Some((kernel, next)) = inputs.link {
            let all = self.asked[kernel.index()] == self.left[kernel.index()];
            if let Some(youngest) = self.held.back_mut().filter(|_| all) {
                youngest.link = Some(next);
            }
        }
        if inputs.done {
            self.held.pop_front();
        }
        if let Some(kernel) = inputs.left {
            let left = &mut self.left[kernel.index()];
            *left = left.wrapping_add(1);
        }
        if inputs.reset {
            *self = Self::new(self.ahead);
        }
        Activity::from(*self != before)
    }

    /// What is asked for, kept or not.
    fn cover(&self, inputs: &GroupFetchInputs, fetch: Option<RingPlace>) {
        let differ = |k: &KernelEntry| self.asked[k.index()] != self.left[k.index()];
        when(fetch.is_none() && inputs.head.as_ref().is_some_and(differ), &cover::NO_ROOM);
        when(fetch.is_some_and(|place| place.index >= 32), &cover::PAST_32);
        let awaited = self.held.iter().any(|held| held.come.is_none());
        when(inputs.fetched.is_some() && !awaited, &cover::UNASKED);
        let Some((kernel, _)) = inputs.link else { return };
        let now = u32::from(fetch.is_some_and(|place| place.kernel == kernel));
        let all = self.asked[kernel.index()].wrapping_add(now) == self.left[kernel.index()];
        when(all && (fetch.is_some() || !self.held.is_empty()), &cover::LINK_KEPT);
        let come = self.held.back().is_some_and(|held| held.come.is_some());
        when(all && fetch.is_none() && come, &cover::LINK_REPLACES);
    }

    /// What is inside, for the report of a stuck run.
    pub(super) fn explain(&self) -> Option<String> {
        let awaited = self.held.iter().filter(|held| held.come.is_none()).count();
        let held = self.held.len();
        (held > 0).then(|| format!("{held} groups in memory are asked for, {awaited} to come"))
    }
}

#[cfg(test)]
mod tests;
