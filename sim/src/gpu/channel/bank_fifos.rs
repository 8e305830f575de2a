//! The requests among which [`OpenRow`](super::open_row::OpenRow) chooses, by bank in order of
//! arrival.
//!
//! A bank looks for a hit only when it takes up its next request, and then the first one is mostly
//! in front: to sort the requests by row, and again with each command, would cost more.

use super::Request;

/// End of a list.
const NIL: u16 = u16::MAX;

/// A waiting burst.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Burst {
    pub id: u32,
    pub row: u32,
    pub write: bool,
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
    bursts: Box<[Burst]>,
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
            bursts: (0..capacity)
                .map(|slot| Burst { next: link(slot), ..Burst::default() })
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
    pub fn is_full(&self) -> bool {
        self.length == self.bursts.len()
    }

    /// One bit for each bank with at least one burst.
    pub fn occupied(&self) -> u64 {
        self.occupied
    }

    /// Appends a request.
    ///
    /// # Panics
    /// When the queue is full.
    pub fn push(&mut self, request: Request) {
        let Request { id, bank, row, write } = request;
        let slot = self.free;
        let burst = &mut self.bursts[usize::from(slot)];
        self.free = burst.next;
        *burst = Burst { id, row, write, next: NIL };
        self.length += 1;
        let list = &mut self.banks[usize::from(bank)];
        if list.head == NIL {
            self.occupied |= 1 << bank;
            list.head = slot;
        } else {
            self.bursts[usize::from(list.tail)].next = slot;
        }
        list.tail = slot;
    }

    /// Takes out the oldest burst of `bank` for the row `open`, or else its oldest one.
    ///
    /// # Panics
    /// When the bank has none.
    pub fn pop(&mut self, bank: usize, open: Option<u32>) -> Burst {
        let head = self.banks[bank].head;
        let (mut before, mut slot) = (NIL, head);
        if let Some(row) = open {
            while slot != NIL && self.bursts[usize::from(slot)].row != row {
                before = slot;
                slot = self.bursts[usize::from(slot)].next;
            }
            if slot == NIL {
                (before, slot) = (NIL, head);
            }
        }
        let burst = self.bursts[usize::from(slot)];
        let list = &mut self.banks[bank];
        if before == NIL {
            list.head = burst.next;
        } else {
            self.bursts[usize::from(before)].next = burst.next;
        }
        if list.tail == slot {
            list.tail = before;
        }
        if list.head == NIL {
            self.occupied &= !(1 << bank);
        }
        self.bursts[usize::from(slot)].next = self.free;
        self.free = slot;
        self.length -= 1;
        burst
    }
}
