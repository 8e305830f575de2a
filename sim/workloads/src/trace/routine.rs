//! The records of one warp after the other: mostly those of the warp before, which they then share.

use std::rc::Rc;

use super::code::{Record, MOST_KEPT};
use super::instruction::Traced;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Routines {
    /// The records of the last warp that has ended; none where these are not known any more.
    known: Rc<[Record]>,
    /// So many records of the current warp are the first of `known`.
    same: usize,
    /// All records of the current warp, from the first one on that is another; empty until then.
    own: Vec<Record>,
}

impl Routines {
    /// The records of the current warp.
    pub fn current(&self) -> &[Record] {
        if self.own.is_empty() {
            &self.known[..self.same]
        } else {
            &self.own
        }
    }

    /// The record that follows if the current warp goes on like the one before; `None` where it is
    /// not like that, or that is not known.
    #[inline]
    fn expected(&self) -> Option<&Record> {
        self.known.get(self.same).filter(|_| self.own.is_empty())
    }

    /// Appends a record.
    #[inline]
    pub fn push(&mut self, record: Record) {
        if self.expected() == Some(&record) {
            self.same += 1;
        } else {
            self.push_other(record);
        }
    }

    /// Appends the record of `traced`, which has all that the warp before has in its place but what
    /// follows from its addresses.
    #[inline]
    pub fn push_alike(&mut self, traced: &Traced) {
        if self.expected().is_some_and(|expected| expected.accesses_like(traced)) {
            debug_assert_eq!(self.expected(), Some(&Record::new(traced)));
            self.same += 1;
        } else {
            self.push_other(Record::new(traced));
        }
    }

    #[inline(never)]
    fn push_other(&mut self, record: Record) {
        if self.own.is_empty() {
            self.own.extend_from_slice(&self.known[..self.same]);
        }
        self.own.push(record);
    }

    /// Appends the `count` records of the warp before that follow, if the current one is like that
    /// so far and they are known.
    #[inline]
    pub fn again(&mut self, count: usize) -> bool {
        let known = self.own.is_empty() && self.same + count <= self.known.len();
        if known {
            self.same += count;
        }
        known
    }

    /// Ends the current warp, and gives its records.
    pub fn end(&mut self) -> Rc<[Record]> {
        if !self.own.is_empty() || self.same != self.known.len() {
            self.known = self.current().into();
        }
        let records = Rc::clone(&self.known);
        if records.len() > MOST_KEPT {
            self.forget();
        }
        self.abandon();
        records
    }

    /// Begins the current warp anew.
    pub fn abandon(&mut self) {
        self.same = 0;
        self.own.clear();
    }

    /// Begins the current warp anew, which is not like the one before; keeps no more room than
    /// usual.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::addresses::Addresses;

    fn record(pc: u32) -> Record {
        Record::new(&Traced { pc, ..Traced::default() })
    }

    fn warp(routines: &mut Routines, pcs: &[u32]) -> Rc<[Record]> {
        pcs.iter().for_each(|&pc| routines.push(record(pc)));
        let expected: Vec<Record> = pcs.iter().map(|&pc| record(pc)).collect();
        assert_eq!(routines.current(), expected);
        let records = routines.end();
        assert_eq!(*records, *expected);
        records
    }

    #[test]
    fn a_warp_shares_the_records_of_the_one_before_if_they_are_the_same() {
        let mut routines = Routines::default();
        let first = warp(&mut routines, &[8, 16, 24]);
        assert!(Rc::ptr_eq(&first, &warp(&mut routines, &[8, 16, 24])));
        for others in [&[8, 16][..], &[8, 16, 32], &[8, 16, 32, 40], &[], &[1]] {
            let other = warp(&mut routines, others);
            assert!(Rc::ptr_eq(&other, &warp(&mut routines, others)), "{others:?}");
        }
    }

    #[test]
    fn lines_that_are_alike_are_shared_if_their_addresses_take_as_many_words() {
        let at = |addresses| Traced { active: 3, addresses, ..Traced::default() };
        let stride = at(Addresses::Stride { base: 8, stride: 8 });
        let mut routines = Routines::default();
        let mut warp = |traced: &Traced| {
            routines.push_alike(traced);
            routines.end()
        };
        let first = warp(&stride);
        assert!(Rc::ptr_eq(&first, &warp(&at(Addresses::Stride { base: 64, stride: 4 }))));
        assert!(!Rc::ptr_eq(&first, &warp(&at(Addresses::None))));
    }

    #[test]
    fn records_are_repeated_only_where_the_warp_before_has_them() {
        let mut routines = Routines::default();
        assert!(!routines.again(1));
        warp(&mut routines, &[8, 16, 24]);
        assert!(routines.again(2) && !routines.again(2) && routines.again(1));
        routines.abandon();
        routines.push(record(9));
        assert!(!routines.again(1), "it is another warp");
        routines.end();
        routines.forget();
        assert!(!routines.again(1));
    }

    #[test]
    fn room_for_a_long_warp_is_not_kept_for_the_next_one() {
        let after = |count: usize| {
            let mut routines = Routines::default();
            (0..count).for_each(|_| routines.push(record(0)));
            routines.end();
            assert_eq!(routines.current(), []);
            routines.own.capacity().max(routines.known.len())
        };
        assert!(after(1000) >= 1000);
        assert_eq!(after(1 << 17), 0);
    }
}
