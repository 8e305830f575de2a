//! The requests among which [`OpenRow`](super::open_row::OpenRow) chooses, by bank in order of
//! arrival, and those that the banks serve.
//!
//! A bank looks for a hit only when it takes up its next request, and then the first one is mostly
//! in front: to sort the requests by row, and again with each command, would cost more.

use super::timing::MAX_BANKS;
use super::Request;

/// End of a list.
const NIL: u16 = u16::MAX;

/// What is left of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    pub id: u32,
    pub row: u32,
    pub write: bool,
    /// Bursts whose column commands have not been issued.
    pub bursts: u8,
}

/// A request in a list.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    request: Left,
    next: u16,
}

/// The requests of a bank, oldest first.
#[derive(Clone, Copy, Debug)]
struct List {
    head: u16,
    tail: u16,
}

/// See the module.
#[derive(Debug)]
pub(super) struct BankFifos {
    lists: [List; MAX_BANKS],
    /// Lists are linked in here, so that nothing is allocated while the channel runs.
    slots: Box<[Slot]>,
    free: u16,
    /// What each bank took out last.
    serving: [Left; MAX_BANKS],
    /// How many requests fit in.
    room: usize,
    occupied: u64,
}

impl BankFifos {
    /// Room for `capacity` requests.
    pub fn new(capacity: usize) -> Self {
        let link = |slot: usize| if slot + 1 < capacity { slot as u16 + 1 } else { NIL };
        Self {
            lists: [List { head: NIL, tail: NIL }; MAX_BANKS],
            slots: (0..capacity).map(|slot| Slot { next: link(slot), ..Slot::default() }).collect(),
            free: 0,
            serving: [Left::default(); MAX_BANKS],
            room: capacity,
            occupied: 0,
        }
    }

    /// Requests in it, without those that are served.
    pub fn len(&self) -> usize {
        self.slots.len() - self.room
    }

    /// Requests that fit in.
    #[inline(always)]
    pub fn room(&self) -> usize {
        self.room
    }

    /// One bit for each bank with at least one request.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.occupied
    }

    /// What [`take`](Self::take) took out last for `bank`.
    #[inline(always)]
    pub fn serving(&self, bank: usize) -> Left {
        self.serving[bank % MAX_BANKS]
    }

    /// Appends a request of so many `bursts`.
    ///
    /// # Panics
    /// When there is no room.
    #[inline(always)]
    pub fn push(&mut self, request: Request, bursts: u8) {
        let Request { id, bank, row, write } = request;
        let new = self.free;
        let slot = &mut self.slots[usize::from(new)];
        self.free = slot.next;
        *slot = Slot { request: Left { id, row, write, bursts }, next: NIL };
        self.room -= 1;
        self.occupied |= 1 << bank;
        let list = &mut self.lists[usize::from(bank) % MAX_BANKS];
        let last = std::mem::replace(&mut list.tail, new);
        match list.head {
            NIL => list.head = new,
            _ => self.slots[usize::from(last)].next = new,
        }
    }

    /// `bank` serves its oldest request for the row `open`, or else its oldest one, from now on.
    ///
    /// # Panics
    /// When the bank has none.
    #[inline(always)]
    pub fn take(&mut self, bank: usize, open: Option<u32>) {
        let bank = bank % MAX_BANKS;
        let list = &mut self.lists[bank];
        let (mut before, mut at) = (NIL, list.head);
        let mut slot = &self.slots[usize::from(at)];
        if let Some(row) = open {
            while slot.request.row != row {
                if slot.next == NIL {
                    (before, at) = (NIL, list.head);
                    slot = &self.slots[usize::from(at)];
                    break;
                }
                before = at;
                at = slot.next;
                slot = &self.slots[usize::from(at)];
            }
        }
        let Slot { request, next } = *slot;
        if next == NIL {
            list.tail = before;
        }
        if before == NIL {
            list.head = next;
            self.occupied &= !(u64::from(next == NIL) << bank);
        } else {
            self.slots[usize::from(before)].next = next;
        }
        self.slots[usize::from(at)].next = self.free;
        self.free = at;
        self.room += 1;
        self.serving[bank] = request;
    }

    /// The column command of a burst that `bank` serves is issued. Returns whether it was the last
    /// one of its request.
    #[inline(always)]
    pub fn served(&mut self, bank: usize) -> bool {
        let bursts = &mut self.serving[bank % MAX_BANKS].bursts;
        *bursts -= 1;
        *bursts == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fifos(rows: &[(u32, u32)]) -> BankFifos {
        let mut fifos = BankFifos::new(8);
        for &(id, row) in rows {
            fifos.push(Request { id, bank: 3, row, write: false }, 1);
        }
        fifos
    }

    /// Takes out all that are left.
    fn ids(fifos: &mut BankFifos, mut open: Option<u32>) -> Vec<u32> {
        let mut ids = Vec::new();
        while fifos.occupied() != 0 {
            fifos.take(3, open);
            open = Some(fifos.serving(3).row);
            ids.push(fifos.serving(3).id);
        }
        assert_eq!((fifos.room(), fifos.len()), (8, 0));
        ids
    }

    #[test]
    fn hits_go_first_and_else_who_came_first() {
        let requests = [(0, 1), (1, 2), (2, 1), (3, 2)];
        assert_eq!(ids(&mut fifos(&requests), None), [0, 2, 1, 3]);
        assert_eq!(ids(&mut fifos(&requests), Some(2)), [1, 3, 0, 2]);
        assert_eq!(ids(&mut fifos(&requests), Some(7)), [0, 2, 1, 3]);
    }

    #[test]
    fn a_bank_serves_a_request_until_its_last_burst() {
        let mut fifos = fifos(&[(0, 1)]);
        fifos.push(Request { id: 1, bank: 3, row: 2, write: true }, 3);
        assert_eq!((fifos.len(), fifos.occupied()), (2, 1 << 3));
        fifos.take(3, Some(2));
        assert_eq!((fifos.len(), fifos.serving(3).id, fifos.serving(3).write), (1, 1, true));
        assert_eq!([(); 3].map(|()| fifos.served(3)), [false, false, true]);
        assert_eq!(ids(&mut fifos, Some(2)), [0]);
        assert!(fifos.served(3));
    }

    #[test]
    fn a_place_is_free_again_whichever_request_had_it() {
        let mut fifos = BankFifos::new(2);
        let request = |id, bank| Request { id, bank, row: id, write: false };
        for round in 0..10 {
            fifos.push(request(2 * round, 0), 1);
            fifos.push(request(2 * round + 1, 0), 1);
            assert_eq!(fifos.room(), 0);
            // The younger one first.
            fifos.take(0, Some(2 * round + 1));
            assert_eq!((fifos.serving(0).id, fifos.occupied()), (2 * round + 1, 1));
            fifos.take(0, None);
            assert_eq!((fifos.serving(0).id, fifos.occupied()), (2 * round, 0));
        }
    }
}
