//! The requests among which [`Window`](super::window::Window) chooses, sorted by bank and by what
//! they need.

use super::ready::NEVER;
use super::Request;

/// End of a list.
const NIL: u16 = u16::MAX;

/// The lists of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    /// Reads of the open row.
    Read,
    /// Writes to the open row.
    Write,
    /// Requests for any other row.
    Row,
}

/// A waiting burst.
#[derive(Clone, Copy, Debug)]
pub(super) struct Burst {
    /// Ordinal of arrival.
    pub age: u64,
    pub id: u32,
    pub row: u32,
    pub write: bool,
    /// Whether its request has more bursts behind it.
    pub more: bool,
    next: u16,
}

/// A list, oldest first.
#[derive(Clone, Copy, Debug)]
struct List {
    /// Age of the head, [`NEVER`] when empty: the choice needs nothing else.
    first: u64,
    head: u16,
    tail: u16,
}

const EMPTY: List = List { first: NEVER, head: NIL, tail: NIL };

/// See the module.
#[derive(Debug)]
pub(super) struct BankQueues {
    banks: Box<[[List; 3]]>,
    /// Lists are linked in here, so that nothing is allocated while the channel runs.
    bursts: Box<[Burst]>,
    free: u16,
    length: usize,
    arrivals: u64,
}

impl BankQueues {
    /// Room for `capacity` bursts.
    pub fn new(banks: usize, capacity: usize) -> Self {
        let link = |slot: usize| if slot + 1 < capacity { slot as u16 + 1 } else { NIL };
        let burst =
            |slot| Burst { age: 0, id: 0, row: 0, write: false, more: false, next: link(slot) };
        Self {
            banks: vec![[EMPTY; 3]; banks].into(),
            bursts: (0..capacity).map(burst).collect(),
            free: 0,
            length: 0,
            arrivals: 0,
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

    /// Age of the oldest burst of `bank` with these needs, or [`NEVER`].
    #[inline]
    pub fn first(&self, bank: usize, needs: Needs) -> u64 {
        self.banks[bank][needs as usize].first
    }

    /// The row of the oldest burst of `bank` that needs another one.
    ///
    /// # Panics
    /// When there is none.
    pub fn first_row(&self, bank: usize) -> u32 {
        self.bursts[usize::from(self.banks[bank][Needs::Row as usize].head)].row
    }

    /// Appends a burst of a request, which has `more` behind it, for a bank with this open row.
    ///
    /// # Panics
    /// When the queue is full.
    pub fn push(&mut self, request: Request, more: bool, open_row: Option<u32>) {
        let slot = self.free;
        let burst = &mut self.bursts[usize::from(slot)];
        self.free = burst.next;
        let Request { id, bank, row, write } = request;
        *burst = Burst { age: self.arrivals, id, row, write, more, next: NIL };
        self.arrivals += 1;
        self.length += 1;
        self.append(usize::from(bank), needs(row, write, open_row), slot);
    }

    /// Takes the oldest burst with these needs out.
    ///
    /// # Panics
    /// When there is none.
    pub fn pop(&mut self, bank: usize, needs: Needs) -> Burst {
        let slot = self.unlink(bank, needs);
        let burst = &mut self.bursts[usize::from(slot)];
        let popped = *burst;
        burst.next = self.free;
        self.free = slot;
        self.length -= 1;
        popped
    }

    /// `bank` opens `row`: what asks for it is a hit from now on.
    pub fn opened(&mut self, bank: usize, row: u32) {
        let mut slot = std::mem::replace(&mut self.banks[bank][Needs::Row as usize], EMPTY).head;
        while slot != NIL {
            let burst = &mut self.bursts[usize::from(slot)];
            let needs = needs(burst.row, burst.write, Some(row));
            let next = std::mem::replace(&mut burst.next, NIL);
            self.append(bank, needs, slot);
            slot = next;
        }
    }

    /// `bank` closes its row: what asked for it waits with the others, by age.
    pub fn closed(&mut self, bank: usize) {
        let [reads, writes, _] = &self.banks[bank];
        if reads.head == NIL && writes.head == NIL {
            return;
        }
        let mut lists = std::mem::replace(&mut self.banks[bank], [EMPTY; 3]);
        while let Some(list) =
            lists.iter_mut().filter(|list| list.head != NIL).min_by_key(|list| list.first)
        {
            let slot = list.head;
            let next = std::mem::replace(&mut self.bursts[usize::from(slot)].next, NIL);
            (list.head, list.first) = (next, self.age(next));
            self.append(bank, Needs::Row, slot);
        }
    }

    fn age(&self, slot: u16) -> u64 {
        self.bursts.get(usize::from(slot)).map_or(NEVER, |burst| burst.age)
    }

    fn append(&mut self, bank: usize, needs: Needs, slot: u16) {
        let list = &mut self.banks[bank][needs as usize];
        if list.head == NIL {
            list.head = slot;
            list.first = self.bursts[usize::from(slot)].age;
        } else {
            self.bursts[usize::from(list.tail)].next = slot;
        }
        list.tail = slot;
    }

    fn unlink(&mut self, bank: usize, needs: Needs) -> u16 {
        let slot = self.banks[bank][needs as usize].head;
        let next = self.bursts[usize::from(slot)].next;
        let first = self.age(next);
        let list = &mut self.banks[bank][needs as usize];
        (list.head, list.first) = (next, first);
        slot
    }
}

fn needs(row: u32, write: bool, open_row: Option<u32>) -> Needs {
    match (open_row == Some(row), write) {
        (true, false) => Needs::Read,
        (true, true) => Needs::Write,
        (false, _) => Needs::Row,
    }
}
