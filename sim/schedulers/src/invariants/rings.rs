//! Groups in memory and when their information is asked for (rule 10 of `docs/dtbl.md`).

use std::collections::VecDeque;

use crate::port::{GroupReference, KernelEntry, RingPlace, KERNEL_ENTRIES};

/// The groups of an entry that were left in memory and are not asked for.
#[derive(Clone, Default, PartialEq)]
struct Ring {
    waiting: VecDeque<GroupReference>,
    /// The place of the first of them.
    first: u32,
}

/// A group that was asked for and is not fully distributed.
#[derive(Clone, PartialEq)]
struct Held {
    group: GroupReference,
    arrived: bool,
}

/// See the module.
#[derive(Clone, PartialEq)]
pub(super) struct GroupRings {
    /// Groups that are held at most.
    ahead: usize,
    rings: [Ring; KERNEL_ENTRIES],
    /// The oldest first.
    held: VecDeque<Held>,
}

impl GroupRings {
    pub(super) fn new(ahead: u32) -> Self {
        let rings = std::array::from_fn(|_| Ring::default());
        Self { ahead: ahead as usize, rings, held: VecDeque::new() }
    }

    /// A group of `kernel` is left in memory.
    pub(super) fn leave(&mut self, kernel: KernelEntry, group: GroupReference) {
        self.rings[kernel.index()].waiting.push_back(group);
    }

    /// Information comes; returns whose.
    pub(super) fn arrive(&mut self) -> Option<GroupReference> {
        let oldest = self.held.iter_mut().find(|held| !held.arrived)?;
        oldest.arrived = true;
        Some(oldest.group)
    }

    /// Checks what is asked for in a cycle, before what happens in it to groups; `head` is the
    /// kernel whose blocks are distributed.
    pub(super) fn check(
        &mut self,
        got: Option<RingPlace>,
        head: Option<KernelEntry>,
    ) -> Result<(), String> {
        let held = self.held.len();
        let head = head.filter(|_| held < self.ahead);
        let ring = head.map(|kernel| (kernel, &mut self.rings[kernel.index()]));
        let waiting = ring.filter(|(_, ring)| !ring.waiting.is_empty());
        let expected = waiting
            .as_ref()
            .map(|(kernel, Ring { first, .. })| RingPlace { kernel: *kernel, index: *first });
        if got != expected {
            return Err(format!(
                "fetch_group is {got:?}, not {expected:?}, with {held} groups held"
            ));
        }
        if let Some((_, ring)) = waiting {
            ring.first = ring.first.wrapping_add(1);
            let group = ring.waiting.pop_front();
            self.held.extend(group.map(|group| Held { group, arrived: false }));
        }
        Ok(())
    }

    /// The last block of this group was dispatched in the cycle.
    pub(super) fn release(&mut self, group: GroupReference) -> Result<(), String> {
        match self.held.pop_front() {
            Some(held) if held.group == group => Ok(()),
            other => {
                let oldest = other.map(|held| held.group);
                Err(format!("{group:?} is distributed, the oldest group asked for is {oldest:?}"))
            }
        }
    }
}
