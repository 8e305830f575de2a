//! The requests among which [`OpenRow`](super::open_row::OpenRow) chooses, by bank in order of
//! arrival.
//!
//! A bank looks for a hit only when it takes up its next request, and then the first one is mostly
//! in front: to sort the requests by row, and again with each command, would cost more.

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

/// Waiting bursts that are alike and came one after the other: those of one line, as a rule.
#[derive(Clone, Copy, Debug, Default)]
struct Alike {
    burst: Burst,
    count: u16,
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
    banks: Box<[List]>,
    /// Lists are linked in here, so that nothing is allocated while the channel runs.
    slots: Box<[Alike]>,
    free: u16,
    length: usize,
    occupied: u64,
}

impl BankFifos {
    /// Room for `capacity` bursts.
    pub fn new(banks: usize, capacity: usize) -> Self {
        let link = |slot: usize| if slot + 1 < capacity { slot as u16 + 1 } else { NIL };
        Self {
            banks: vec![List { head: NIL, tail: NIL }; banks].into(),
            slots: (0..capacity)
                .map(|slot| Alike { next: link(slot), ..Alike::default() })
                .collect(),
            free: 0,
            length: 0,
            occupied: 0,
        }
    }

    /// Bursts in it.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether no burst fits in.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.length == self.slots.len()
    }

    /// One bit for each bank with at least one burst.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.occupied
    }

    /// Appends a request.
    ///
    /// # Panics
    /// When the queue is full.
    #[inline]
    pub fn push(&mut self, request: Request) {
        let Request { id, bank, row, write } = request;
        let burst = Burst { id, row, write };
        self.length += 1;
        let list = &mut self.banks[usize::from(bank)];
        if list.head != NIL {
            let tail = &mut self.slots[usize::from(list.tail)];
            if tail.burst == burst {
                tail.count += 1;
                return;
            }
            tail.next = self.free;
        } else {
            self.occupied |= 1 << bank;
            list.head = self.free;
        }
        list.tail = self.free;
        let slot = &mut self.slots[usize::from(self.free)];
        self.free = slot.next;
        *slot = Alike { burst, count: 1, next: NIL };
    }

    /// Takes out the oldest burst of `bank` for the row `open`, or else its oldest one.
    ///
    /// # Panics
    /// When the bank has none.
    #[inline]
    pub fn pop(&mut self, bank: usize, open: Option<u32>) -> Burst {
        let list = &mut self.banks[bank];
        let (mut before, mut at) = (NIL, list.head);
        let mut slot = self.slots[usize::from(at)];
        if let Some(row) = open {
            while slot.burst.row != row && slot.next != NIL {
                before = at;
                at = slot.next;
                slot = self.slots[usize::from(at)];
            }
            if slot.burst.row != row {
                (before, at) = (NIL, list.head);
                slot = self.slots[usize::from(at)];
            }
        }
        self.length -= 1;
        if slot.count > 1 {
            self.slots[usize::from(at)].count -= 1;
            return slot.burst;
        }
        if before == NIL {
            list.head = slot.next;
            self.occupied &= !(u64::from(slot.next == NIL) << bank);
        } else {
            self.slots[usize::from(before)].next = slot.next;
        }
        if slot.next == NIL {
            list.tail = before;
        }
        self.slots[usize::from(at)].next = self.free;
        self.free = at;
        slot.burst
    }
}
