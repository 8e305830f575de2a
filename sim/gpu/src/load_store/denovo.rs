//! The load/store unit under DeNovo: accesses through an L1 that owns words, and what other SMXs
//! and home banks ask of it; see `docs/coherence.md`.

use super::{Arrival, LoadStore, Queued, Turn};
use crate::coalescer::{LineAccess, WordMask};
use crate::event::Calendar;
use crate::l1::{L1Store, WordLoad};
use crate::memory::{Memory, Purpose, Request};
use crate::program::Access;
use crate::sharing::L1Access;
use crate::store_buffer::StoreBuffer;

/// Messages by what they did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoherenceCounts {
    /// Loads of other SMXs that this L1 answered.
    pub remote_hits: u64,
    /// Requests for ownership that it sent, one for each store access with words not owned.
    pub registrations: u64,
    /// Requests for ownership that took words of this L1.
    pub transfers: u64,
    /// Lines of which words were forgotten at the start of kernels.
    pub invalidations: u64,
    /// Times that it gave words up to the L2: evictions, atomic operations and recalls.
    pub write_backs: u64,
    /// Forwarded loads that found words gone and went back to the home bank.
    pub bounces: u64,
}

/// What DeNovo adds to a load/store unit.
#[derive(Debug)]
pub(super) struct Owner {
    buffer: StoreBuffer,
    /// Lines with words that were given up and that the home bank has not confirmed, one entry a
    /// message. Until it has, messages about the former ownership may come, so the line's words
    /// are not registered anew.
    returning: Vec<u64>,
    /// Cycles from a forwarded request to its answer.
    forward: u64,
}

impl Owner {
    pub(super) fn new(store_buffer: u32, forward: u32) -> Self {
        let buffer = StoreBuffer::new(store_buffer);
        Self { buffer, returning: Vec::new(), forward: u64::from(forward) }
    }
}

impl LoadStore {
    /// As `access`, for global memory under DeNovo.
    pub(super) fn owner_access(
        &mut self,
        at: LineAccess,
        first: &Queued,
        access: Access,
        memory: &mut Memory,
        calendar: &mut Calendar,
        turn: &mut Turn,
    ) -> Option<Option<Arrival>> {
        let now = calendar.now();
        match (access, first.load) {
            (Access::Load, Some(load)) => {
                #[cfg(test)]
                let present = at.words & self.l1.present(at.line);
                let outcome = self.l1.load_words(at, load);
                #[cfg(test)]
                if outcome != WordLoad::Stalled {
                    memory.shadow.load(self.smx, at.line, present);
                }
                match outcome {
                    WordLoad::Hit => {
                        self.shared(at.line, L1Access::Hit);
                        return Some(self.loads.known(load, now + self.l1_latency));
                    }
                    WordLoad::Miss { words, wanted, write_back } => {
                        self.shared(at.line, L1Access::Miss);
                        self.write_back(write_back, memory, calendar);
                        let (sent, purpose) = (now + self.l1_latency, Purpose::Read { wanted });
                        memory.send(self.smx, purpose, at.line, words, sent, calendar);
                        self.loads.made(load);
                    }
                    WordLoad::Merged => {
                        self.shared(at.line, L1Access::Merged);
                        self.loads.made(load);
                    }
                    WordLoad::Stalled => return None,
                }
            }
            (Access::Atomic, load) => {
                // A load of the same words that is on its way would bring what was there before.
                if self.l1.coming(at.line) & at.words != 0 {
                    return None;
                }
                self.counts.past_l1 += 1;
                let words = self.l1.give_up(at.line, at.words);
                if words != 0 {
                    let old = LineAccess { line: at.line, words };
                    self.write_back(Some(old), memory, calendar);
                }
                let purpose = load.map_or(Purpose::Reduction { warp: first.warp }, Purpose::Atomic);
                memory.send(self.smx, purpose, at.line, at.words, now, calendar);
                match load {
                    Some(load) => self.loads.made(load),
                    None => turn.stored = Some((first.warp, 1)),
                }
            }
            _ => return self.owner_store(at, first.warp, memory, calendar, turn).then_some(None),
        }
        Some(None)
    }

    /// A store: its words are in the L1 at once, and ownership of those that are not registered is
    /// asked for. Returns whether it could be made.
    fn owner_store(
        &mut self,
        at: LineAccess,
        warp: u8,
        memory: &mut Memory,
        calendar: &mut Calendar,
        turn: &mut Turn,
    ) -> bool {
        let new = self.l1.unregistered(at);
        let Some(owner) = &self.owner else {
            return false;
        };
        if new != 0 && (!owner.buffer.takes(at.line) || owner.returning.contains(&at.line)) {
            return false;
        }
        let L1Store::Kept { write_back } = self.l1.store(at) else {
            return false;
        };
        self.shared(at.line, L1Access::Stored);
        #[cfg(test)]
        memory.shadow.store(self.smx, at.line, at.words);
        self.write_back(write_back, memory, calendar);
        if let (Some(owner), true) = (&mut self.owner, new != 0) {
            owner.buffer.add(at.line, new.count_ones());
            self.coherence.registrations += 1;
            let purpose = Purpose::Register { warp };
            memory.send(self.smx, purpose, at.line, new, calendar.now(), calendar);
        }
        turn.stored = Some((warp, new.count_ones()));
        true
    }

    /// Words of `line` have come: reports each load that has its last data. Words that it waits for
    /// and that did not come are asked for again.
    pub fn fill_words(
        &mut self,
        request: &Request,
        absent: WordMask,
        memory: &mut Memory,
        calendar: &mut Calendar,
        mut arrived: impl FnMut(Arrival, &mut Calendar),
    ) {
        let (line, now) = (request.line, calendar.now());
        let mut filled = std::mem::take(&mut self.filled);
        #[cfg(test)]
        {
            let registered = self.l1.registered(line);
            memory.shadow.fill(self.smx, line, request.words, registered, self.acquiring);
        }
        let wanted = self.l1.fill_words(line, request.words, absent, &mut filled);
        if wanted != 0 {
            let purpose = Purpose::Read { wanted };
            memory.send(self.smx, purpose, line, wanted, now, calendar);
        }
        for load in filled.drain(..) {
            if let Some(arrival) = self.loads.data(load, now) {
                arrived(arrival, calendar);
            }
        }
        self.filled = filled;
        self.retry(calendar);
    }

    /// The ownership of `words` words of `line` is confirmed.
    pub fn registered(&mut self, line: u64, words: u32, calendar: &mut Calendar) {
        if let Some(owner) = &mut self.owner {
            owner.buffer.confirm(line, words);
        }
        self.retry(calendar);
    }

    /// The home bank has what this L1 gave up of `line`.
    pub fn returned(&mut self, line: u64, calendar: &mut Calendar) {
        if let Some(owner) = &mut self.owner {
            let entry = owner.returning.iter().position(|other| *other == line);
            owner.returning.swap_remove(entry.expect("it is confirmed once"));
        }
        self.retry(calendar);
    }

    /// Another SMX or a home bank asks for words that this L1 owns, or owned when it was asked.
    pub fn serve(&mut self, request: &Request, memory: &mut Memory, calendar: &mut Calendar) {
        let (line, words) = (request.line, request.words);
        let Some(owner) = &mut self.owner else {
            return;
        };
        let at = calendar.now() + owner.forward;
        match request.purpose {
            Purpose::Forward { to, absent } => {
                let have = self.l1.registered(line) & words;
                let gone = words & !have;
                if have != 0 {
                    self.coherence.remote_hits += 1;
                    let purpose = Purpose::Words { absent };
                    memory.pass(self.smx, to, purpose, line, have, at, calendar);
                }
                if gone != 0 {
                    // They are before this message on their way to the home bank.
                    self.coherence.bounces += 1;
                    let all = if have == 0 { gone | absent } else { gone };
                    let purpose = Purpose::Read { wanted: gone };
                    memory.send_for(self.smx, to, purpose, line, all, at, calendar);
                }
            }
            Purpose::Transfer { to, warp } => {
                self.coherence.transfers += 1;
                self.l1.give_up(line, words);
                let purpose = Purpose::Registered { warp };
                memory.pass(self.smx, to, purpose, line, words, at, calendar);
            }
            Purpose::Recall { atomic } => {
                let have = self.l1.give_up(line, words);
                owner.returning.push(line);
                self.coherence.write_backs += 1;
                let purpose = Purpose::Recalled { atomic };
                memory.send(self.smx, purpose, line, have, at, calendar);
            }
            _ => {}
        }
    }

    /// Checks that nothing is queued or on its way.
    #[cfg(test)]
    pub fn assert_idle(&self) {
        assert_eq!(self.queue.len() + self.accesses.len(), 0);
        assert_eq!(self.loads.on_their_way(), 0, "a load has not come");
        assert_eq!(self.l1.coming_lines(), 0);
        let Some(owner) = &self.owner else { return };
        assert!(owner.returning.is_empty() && owner.buffer.is_empty());
    }

    /// Sends `old` to the L2, which owns it then.
    pub(super) fn send_back(
        &mut self,
        old: LineAccess,
        memory: &mut Memory,
        calendar: &mut Calendar,
    ) {
        let purpose = match &mut self.owner {
            None => Purpose::WriteBack,
            Some(owner) => {
                owner.returning.push(old.line);
                self.coherence.write_backs += 1;
                Purpose::GiveUp
            }
        };
        memory.send(self.smx, purpose, old.line, old.words, calendar.now(), calendar);
    }
}
