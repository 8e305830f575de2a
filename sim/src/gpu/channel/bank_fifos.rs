//! The requests among which [`OpenRow`](super::open_row::OpenRow) chooses, by bank in order of
//! arrival.
//!
//! A bank looks for a hit only when it takes up its next request, and then the first one is mostly
//! in front: to sort the requests by row, and again with each command, would cost more.

use super::timing::MAX_BANKS;
use super::Request;

/// End of a list.
const NIL: u16 = u16::MAX;

/// A burst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Burst {
    pub id: u32,
    pub row: u32,
    pub write: bool,
}

/// Bursts of one request that came one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Alike {
    burst: Burst,
    count: u8,
    /// Whether more bursts of the request are to come, before those of any other.
    more: bool,
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
    slots: Box<[Alike]>,
    free: u16,
    /// The burst that each bank took out last, and how many like it are left: these are the next that it
    /// takes out.
    taken: [Alike; MAX_BANKS],
    /// How many bursts fit in.
    room: usize,
    occupied: u64,
}

impl BankFifos {
    /// Room for `capacity` bursts.
    pub fn new(capacity: usize) -> Self {
        let link = |slot: usize| if slot + 1 < capacity { slot as u16 + 1 } else { NIL };
        Self {
            lists: [List { head: NIL, tail: NIL }; MAX_BANKS],
            slots: (0..capacity)
                .map(|slot| Alike { next: link(slot), ..Alike::default() })
                .collect(),
            free: 0,
            taken: [Alike::default(); MAX_BANKS],
            room: capacity,
            occupied: 0,
        }
    }

    /// Bursts in it.
    pub fn len(&self) -> usize {
        self.slots.len() - self.room
    }

    /// Bursts that fit in.
    #[inline(always)]
    pub fn room(&self) -> usize {
        self.room
    }

    /// One bit for each bank with at least one burst.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.occupied
    }

    /// What [`pop`](Self::pop) gave last for `bank`.
    #[inline(always)]
    pub fn taken(&self, bank: usize) -> Burst {
        self.taken[bank % MAX_BANKS].burst
    }

    /// Appends a burst of a request, of which `more` are to come, before those of any other.
    ///
    /// # Panics
    /// When the queue is full.
    #[inline(always)]
    pub fn push(&mut self, request: Request, more: bool) {
        let Request { id, bank, row, write } = request;
        let burst = Burst { id, row, write };
        self.room -= 1;
        let list = &mut self.lists[usize::from(bank) % MAX_BANKS];
        if list.head != NIL {
            let tail = &mut self.slots[usize::from(list.tail)];
            if tail.more {
                (tail.count, tail.more) = (tail.count + 1, more);
                return;
            }
            tail.next = self.free;
        } else {
            self.occupied |= 1 << bank;
            // Bursts of a line are often split: the first is served while the second enters.
            let taken = &mut self.taken[usize::from(bank) % MAX_BANKS];
            if taken.more {
                (taken.count, taken.more) = (taken.count + 1, more);
                return;
            }
            list.head = self.free;
        }
        list.tail = self.free;
        let slot = &mut self.slots[usize::from(self.free)];
        self.free = slot.next;
        *slot = Alike { burst, count: 1, more, next: NIL };
    }

    /// Takes out the oldest burst of `bank` for the row `open`, or else its oldest one, whose row must be
    /// open before the bank takes out another.
    ///
    /// # Panics
    /// When the bank has none.
    #[inline(always)]
    pub fn pop(&mut self, bank: usize, open: Option<u32>) {
        if self.taken[bank % MAX_BANKS].count == 0 {
            self.taken[bank % MAX_BANKS] = self.unlink(bank % MAX_BANKS, open);
        }
        self.pop_alike(bank);
    }

    /// Whether the next burst that `bank` takes out is like the one that it took out last.
    #[inline(always)]
    pub fn goes_on(&self, bank: usize) -> bool {
        self.taken[bank % MAX_BANKS].count > 0
    }

    /// Whether the burst that `bank` took out last is the last one of its request.
    #[inline(always)]
    pub fn ends(&self, bank: usize) -> bool {
        let taken = &self.taken[bank % MAX_BANKS];
        taken.count == 0 && !taken.more
    }

    /// Takes out a burst like the last one.
    #[inline(always)]
    pub fn pop_alike(&mut self, bank: usize) {
        let bank = bank % MAX_BANKS;
        self.room += 1;
        let taken = &mut self.taken[bank];
        taken.count -= 1;
        if taken.count == 0 && self.lists[bank].head == NIL {
            self.occupied &= !(1 << bank);
        }
    }

    /// Takes the oldest bursts for the row `open`, or else the oldest ones, out of the list of `bank`.
    #[inline(always)]
    fn unlink(&mut self, bank: usize, open: Option<u32>) -> Alike {
        let list = &mut self.lists[bank];
        let (mut before, mut at) = (NIL, list.head);
        let mut slot = &self.slots[usize::from(at)];
        if let Some(row) = open {
            while slot.burst.row != row {
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
        let alike = *slot;
        if alike.next == NIL {
            list.tail = before;
        }
        if before == NIL {
            list.head = alike.next;
        } else {
            self.slots[usize::from(before)].next = alike.next;
        }
        self.slots[usize::from(at)].next = self.free;
        self.free = at;
        alike
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: u32, row: u32) -> Request {
        Request { id, bank: 3, row, write: false }
    }

    fn fifos(rows: &[(u32, u32)]) -> BankFifos {
        let mut fifos = BankFifos::new(8);
        for &(id, row) in rows {
            fifos.push(request(id, row), false);
        }
        fifos
    }

    /// Takes out all that are left.
    fn ids(fifos: &mut BankFifos, mut open: Option<u32>) -> Vec<u32> {
        let mut ids = Vec::new();
        while fifos.occupied() != 0 {
            fifos.pop(3, open);
            open = Some(fifos.taken(3).row);
            ids.push(fifos.taken(3).id);
        }
        assert_eq!(fifos.room(), 8);
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
    fn a_bank_goes_on_with_a_line_that_it_has_begun() {
        let mut fifos = BankFifos::new(8);
        fifos.push(request(0, 1), true);
        fifos.push(request(0, 1), false);
        fifos.push(request(1, 2), false);
        assert_eq!((fifos.len(), fifos.occupied()), (3, 1 << 3));
        fifos.pop(3, None);
        assert_eq!((fifos.goes_on(3), fifos.ends(3)), (true, false));
        fifos.pop_alike(3);
        assert_eq!((fifos.goes_on(3), fifos.ends(3)), (false, true));
        assert_eq!(ids(&mut fifos, Some(1)), [1]);
    }

    #[test]
    fn what_comes_after_its_like_was_taken_is_next_if_nobody_waits() {
        let mut fifos = BankFifos::new(8);
        fifos.push(request(0, 1), true);
        fifos.pop(3, None);
        assert_eq!((fifos.occupied(), fifos.goes_on(3), fifos.ends(3)), (0, false, false));
        fifos.push(request(0, 1), false);
        assert_eq!((fifos.occupied(), fifos.goes_on(3)), (1 << 3, true));
        assert_eq!(ids(&mut fifos, Some(1)), [0]);
        assert!(fifos.ends(3));
    }

    #[test]
    fn what_comes_after_its_like_was_taken_waits_behind_those_who_wait() {
        let mut fifos = fifos(&[(5, 2)]);
        fifos.push(request(0, 1), true);
        fifos.pop(3, Some(1));
        fifos.push(request(0, 1), false);
        assert_eq!((fifos.goes_on(3), fifos.ends(3)), (false, false));
        assert_eq!(ids(&mut fifos, Some(2)), [5, 0]);
        fifos.push(request(1, 1), false);
        assert_eq!((fifos.goes_on(3), ids(&mut fifos, Some(1))), (false, vec![1]));
    }
}
