//! DeNovo at a word's home bank: what the bank does with a request before, or instead of, looking
//! up its lines; see `docs/coherence.md`.

use super::ownership::OwnedWords;
use super::{Memory, Purpose, Request};
use crate::coalescer::{self, WordMask};
use crate::event::Calendar;

impl Memory {
    /// `slice` comes to its first request. Returns whether that has been dealt with; if not, its
    /// lines are to be looked up for it.
    pub(super) fn at_home(&mut self, slice: u16, calendar: &mut Calendar) -> bool {
        let Some(id) = self.slice_mut(slice).front() else {
            return false;
        };
        let request = *self.requests.get(id);
        let done = match request.purpose {
            Purpose::Read { wanted } => self.read(slice, id, &request, wanted, calendar),
            Purpose::Register { warp } => {
                self.register(slice, &request, warp, calendar);
                self.requests.remove(id);
                true
            }
            Purpose::GiveUp => self.given_up(slice, id, &request, calendar),
            Purpose::Recalled { atomic } => {
                // The atomic operation comes next, before those that have come meanwhile.
                let local = self.requests.get(atomic).local;
                self.slice_mut(slice).insert_second(calendar.now(), atomic, local);
                self.given_up(slice, id, &request, calendar)
            }
            Purpose::Atomic(_) | Purpose::Reduction { .. } => {
                self.recall(slice, id, &request, calendar)
            }
            _ => false,
        };
        if done {
            self.slice_mut(slice).skip(calendar.now());
        }
        done
    }

    /// Owned words that are wanted are forwarded to their owners; the bank itself serves the words
    /// without an owner, if one of them is wanted. Words that nobody brings are named in one
    /// answer.
    fn read(
        &mut self,
        slice: u16,
        id: u32,
        request: &Request,
        wanted: WordMask,
        calendar: &mut Calendar,
    ) -> bool {
        let line = request.line;
        let mut owners = std::mem::take(&mut self.owners);
        let owned = self.ownership.owned(line, request.words);
        let mut left = owned;
        while let Some(next) = self.ownership.first(line, left) {
            left &= !next.words;
            if next.words & wanted != 0 {
                owners.push(next);
            }
        }
        let forwarded = owners.iter().fold(0, |words, owner| words | owner.words);
        let served = if wanted & !owned != 0 { request.words & !owned } else { 0 };
        let mut absent = request.words & !served & !forwarded;
        if served != 0 {
            let sectors = coalescer::sectors(served, self.layout.sector_words);
            let purpose = Purpose::Words { absent: std::mem::take(&mut absent) };
            *self.requests.get_mut(id) = Request { purpose, words: served, sectors, ..*request };
        }
        for OwnedWords { owner, words } in owners.drain(..) {
            let purpose = Purpose::Forward { to: request.smx, absent: std::mem::take(&mut absent) };
            self.tell(slice, owner, purpose, line, words, calendar);
        }
        self.owners = owners;
        if served == 0 {
            self.requests.remove(id);
        }
        served == 0
    }

    /// Every old owner confirms the words that it has lost; the bank confirms the others.
    fn register(&mut self, slice: u16, request: &Request, warp: u8, calendar: &mut Calendar) {
        let (smx, line) = (request.smx, request.line);
        let mut losers = std::mem::take(&mut self.owners);
        self.ownership.take(line, request.words, smx, &mut losers);
        let mut confirmed = request.words;
        for OwnedWords { owner, words } in losers.drain(..) {
            confirmed &= !words;
            self.tell(slice, owner, Purpose::Transfer { to: smx, warp }, line, words, calendar);
        }
        self.owners = losers;
        if confirmed != 0 {
            self.tell(slice, smx, Purpose::Registered { warp }, line, confirmed, calendar);
        }
    }

    /// Words come back from their owner: those that have a newer one are dropped, the others are
    /// written into the bank's line.
    fn given_up(
        &mut self,
        slice: u16,
        id: u32,
        request: &Request,
        calendar: &mut Calendar,
    ) -> bool {
        let (smx, line) = (request.smx, request.line);
        let words = self.ownership.release(line, request.words, smx);
        self.tell(slice, smx, Purpose::Returned, line, request.words, calendar);
        #[cfg(test)]
        self.shadow.write_back(id, line, words);
        if words == 0 {
            self.requests.remove(id);
            return true;
        }
        let sectors = coalescer::sectors(words, self.layout.sector_words);
        let purpose = Purpose::WriteBack;
        *self.requests.get_mut(id) = Request { purpose, words, sectors, ..*request };
        false
    }

    /// An atomic operation is done in the bank: it waits until the owners of its words, one after
    /// another, have given them up.
    fn recall(&mut self, slice: u16, id: u32, request: &Request, calendar: &mut Calendar) -> bool {
        let Some(OwnedWords { owner, words }) = self.ownership.first(request.line, request.words)
        else {
            return false;
        };
        let purpose = Purpose::Recall { atomic: id };
        self.tell(slice, owner, purpose, request.line, words, calendar);
        true
    }

    /// The bank sends a message without data to `smx`.
    fn tell(
        &mut self,
        slice: u16,
        smx: u8,
        purpose: Purpose,
        line: u64,
        words: WordMask,
        calendar: &mut Calendar,
    ) {
        let id = self.requests.add(Request::message(smx, purpose, line, words));
        self.reply(calendar.now(), slice, id, 0, calendar);
    }
}
