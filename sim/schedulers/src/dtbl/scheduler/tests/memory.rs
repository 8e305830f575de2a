//! Where the information of groups is, whether it is in the table or not.

use crate::port::*;
use std::collections::{BTreeMap, VecDeque};

/// A group on its way to the scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fetch {
    pointer: u32,
    /// The cycle at whose end memory is read.
    read: u64,
    /// The cycle in which the information comes.
    comes: u64,
    information: Option<FetchedGroup>,
}

/// Memory that answers in the order of the requests.
#[derive(Clone, Debug)]
pub(super) struct GroupMemory {
    /// Cycles from `fetch_group` to `fetched`, and how many of them pass before memory is read.
    latency: (u64, u64),
    grids: BTreeMap<u32, Dim3>,
    links: BTreeMap<u32, GroupReference>,
    /// Pointers to the groups of each kernel that were ever left in memory.
    rings: BTreeMap<KernelEntry, Vec<u32>>,
    asked: BTreeMap<KernelEntry, u32>,
    on_way: VecDeque<Fetch>,
}

impl GroupMemory {
    pub(super) fn new(latency: (u64, u64)) -> Self {
        Self {
            latency,
            grids: BTreeMap::new(),
            links: BTreeMap::new(),
            rings: BTreeMap::new(),
            asked: BTreeMap::new(),
            on_way: VecDeque::new(),
        }
    }

    /// An SMX writes the information of a group.
    pub(super) fn put(&mut self, pointer: u32, grid: Dim3) {
        self.grids.insert(pointer, grid);
        self.links.remove(&pointer);
    }

    /// What comes in this cycle.
    pub(super) fn fetched(&mut self, cycle: u64) -> Option<FetchedGroup> {
        self.on_way.pop_front_if(|fetch| fetch.comes == cycle)?.information
    }

    /// What the scheduler says in this cycle.
    pub(super) fn edge(&mut self, cycle: u64, outputs: &DeviceOutputs) {
        if let Some(LinkWrite { pointer, next }) = outputs.group_memory.link_write {
            assert!(self.grids.contains_key(&pointer), "a link of a group in memory");
            assert_eq!(self.links.insert(pointer, next), None, "one link a group");
        }
        if let Some(RingPlace { kernel, index }) = outputs.group_memory.fetch_group {
            let asked = self.asked.entry(kernel).or_default();
            assert_eq!(index, *asked, "in the order of the ring");
            *asked += 1;
            let pointer = self.rings[&kernel][index as usize];
            let (latency, before) = self.latency;
            let read = cycle + before.min(latency - 1);
            self.on_way.push_back(Fetch {
                pointer,
                read,
                comes: cycle + latency,
                information: None,
            });
        }
        for fetch in self.on_way.iter_mut().filter(|fetch| fetch.read == cycle) {
            // The Next field of a group to which nothing was linked is whatever was there before.
            let next = self.links.get(&fetch.pointer).copied().or(Some(GroupReference::on_chip(5)));
            fetch.information = Some(FetchedGroup { grid: self.grids[&fetch.pointer], next });
        }
        // From the next cycle on it can be asked for.
        if let Some(GroupOutcome::Coalesced { kernel, reference }) = outputs.groups.group_taken {
            self.rings.entry(kernel).or_default().extend(reference.pointer());
        }
    }
}
