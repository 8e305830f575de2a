//! Where the information of groups is, whether it is in the table or not.

use crate::port::*;
use std::collections::BTreeMap;

/// A group on its way to the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fetch {
    pointer: u32,
    /// The cycle at whose end memory is read.
    read: u64,
    /// The cycle in which the information comes.
    comes: u64,
}

/// Memory that answers one fetch at a time.
#[derive(Clone, Debug)]
pub(super) struct GroupMemory {
    /// Cycles from `fetch_group` to `fetched`, and how many of them pass before memory is read.
    latency: (u64, u64),
    grids: BTreeMap<u32, Dim3>,
    links: BTreeMap<u32, GroupReference>,
    fetch: Option<Fetch>,
    information: Option<FetchedGroup>,
}

impl GroupMemory {
    pub(super) fn new(latency: (u64, u64)) -> Self {
        let (grids, links) = (BTreeMap::new(), BTreeMap::new());
        Self { latency, grids, links, fetch: None, information: None }
    }

    /// An SMX writes the information of a group.
    pub(super) fn put(&mut self, pointer: u32, grid: Dim3) {
        self.grids.insert(pointer, grid);
        self.links.remove(&pointer);
    }

    /// What comes in this cycle.
    pub(super) fn fetched(&mut self, cycle: u64) -> Option<FetchedGroup> {
        self.fetch.take_if(|fetch| fetch.comes == cycle)?;
        self.information.take()
    }

    /// What the scheduler says in this cycle.
    pub(super) fn edge(&mut self, cycle: u64, outputs: &DeviceOutputs) {
        if let Some(LinkWrite { pointer, next }) = outputs.group_memory.link_write {
            assert!(self.grids.contains_key(&pointer), "a link of a group in memory");
            assert_eq!(self.links.insert(pointer, next), None, "one link a group");
        }
        if let Some(pointer) = outputs.group_memory.fetch_group {
            assert_eq!(self.fetch, None, "one at a time");
            let (latency, before) = self.latency;
            let read = cycle + before.min(latency - 1);
            self.fetch = Some(Fetch { pointer, read, comes: cycle + latency });
        }
        if let Some(Fetch { pointer, .. }) = self.fetch.filter(|fetch| fetch.read == cycle) {
            // The Next field of a group to which nothing was linked is whatever was there before.
            let next = self.links.get(&pointer).copied().or(Some(GroupReference::on_chip(5)));
            self.information = Some(FetchedGroup { grid: self.grids[&pointer], next });
        }
    }
}
