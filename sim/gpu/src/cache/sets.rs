//! The sets of a cache, apart from what lies in their ways: where to look for a line, and which way
//! goes next, the least recently used one that waits for nothing.

use crate::prefetch::prefetch;

/// Marks in a word, a byte each.
pub(super) const MARKS: usize = 8;

/// Most ways of a set whose order fits into a word.
const SHORT: usize = 16;

/// The ways of a set in order of their last use, four bits each, the least recent one lowest.
type Order = u64;

/// Each way in its own place.
const INITIAL: Order = 0xfedc_ba98_7654_3210;

/// A one in each place.
const ONES: Order = 0x1111_1111_1111_1111;

/// What is known of the ways of a set, in half a line of the processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Set {
    marks: [u64; SHORT / MARKS],
    order: Order,
    /// Ways that hold nothing, one bit each: they go before all others, the lowest first.
    empty: u16,
    /// Ways that wait for data, one bit each: they do not go.
    busy: u16,
}

impl Set {
    #[inline(always)]
    fn set_mark(&mut self, way: usize, mark: u8) {
        put(&mut self.marks[way / MARKS % (SHORT / MARKS)], way % MARKS, mark);
    }

    /// The way, of `ways`, that goes next, and its bits in the order.
    #[inline(always)]
    fn victim(&self, ways: u32) -> Option<(u32, u32)> {
        let empty = self.empty & !self.busy;
        if empty != 0 {
            let way = empty.trailing_zeros();
            return Some((way, place(self.order, way)));
        }
        let last = 4 * (ways - 1);
        let mut at = 0;
        while at <= last {
            let way = (self.order >> at & 15) as u32;
            if self.busy >> way & 1 == 0 {
                return Some((way, at));
            }
            at += 4;
        }
        None
    }
}

/// When a way of a large set was used last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Use {
    /// 0 for a way that holds nothing.
    time: u64,
    busy: bool,
}

/// See the module. Way `w` of set `s` has the number `(s << shift) + w`.
#[derive(Debug)]
pub(super) enum Sets {
    /// Sets of up to [`SHORT`] ways.
    Short { ways: u32, shift: u32, sets: Box<[Set]> },
    /// Larger ones, whose ways are searched.
    Long { ways: usize, shift: u32, clock: u64, uses: Box<[Use]>, marks: Box<[u64]> },
}

use Sets::{Long, Short};

impl Sets {
    /// `sets` sets of `ways` ways that hold nothing.
    pub fn new(sets: usize, ways: usize, shift: u32) -> Self {
        if ways > SHORT {
            return Long {
                ways,
                shift,
                clock: 0,
                uses: vec![Use::default(); sets << shift].into(),
                marks: vec![0; (sets << shift) / MARKS].into(),
            };
        }
        let empty = u16::MAX >> (SHORT - ways);
        let set = Set { marks: [0; SHORT / MARKS], order: INITIAL, empty, busy: 0 };
        Short { ways: ways as u32, shift, sets: vec![set; sets].into() }
    }

    /// A byte of the line in each way of `set`, by which the set is searched; some lines share it.
    /// What is behind the last way means nothing.
    #[inline(always)]
    pub fn marks(&self, set: usize) -> &[u64] {
        match self {
            Short { ways, sets, .. } => &sets[set].marks[..1 + usize::from(*ways > MARKS as u32)],
            Long { shift, marks, .. } => &marks[(set << shift) / MARKS..][..(1 << shift) / MARKS],
        }
    }

    /// The line in `way` has this `mark`.
    #[inline]
    pub fn set_mark(&mut self, way: usize, mark: u8) {
        match self {
            Short { shift, sets, .. } => {
                sets[way >> *shift].set_mark(way & ((1 << *shift) - 1), mark)
            }
            Long { marks, .. } => put(&mut marks[way / MARKS], way % MARKS, mark),
        }
    }

    /// `way` is the most recently used one of its set.
    #[inline(always)]
    pub fn touch(&mut self, way: usize) {
        match self {
            Short { ways, shift, sets } => {
                let (set, way) = (&mut sets[way >> *shift], way & ((1 << *shift) - 1));
                set.empty &= !(1 << way);
                let way = way as u32;
                set.order = moved_last(set.order, (way, place(set.order, way)), *ways);
            }
            Long { clock, uses, .. } => {
                *clock += 1;
                uses[way].time = *clock;
            }
        }
    }

    /// `way` waits for data, or no longer.
    #[inline(always)]
    pub fn set_busy(&mut self, way: usize, now: bool) {
        match self {
            Short { shift, sets, .. } => {
                let (set, way) = (&mut sets[way >> *shift], way & ((1 << *shift) - 1));
                set.busy = set.busy & !(1 << way) | u16::from(now) << way;
            }
            Long { uses, .. } => uses[way].busy = now,
        }
    }

    /// The way of `set` that goes next becomes the most recently used one, for a line with this
    /// `mark`; it waits for data if `busy`. `None` while all of them do.
    #[inline(always)]
    pub fn claim(&mut self, set: usize, mark: u8, busy: bool) -> Option<usize> {
        let Short { ways, shift, sets } = self else {
            let way = self.victim(set)?;
            self.touch(way);
            self.set_busy(way, busy);
            self.set_mark(way, mark);
            return Some(way);
        };
        let (ways, first) = (*ways, set << *shift);
        let set = &mut sets[set];
        let (way, at) = set.victim(ways)?;
        set.order = moved_last(set.order, (way, at), ways);
        set.empty &= !(1 << way);
        set.busy |= u16::from(busy) << way;
        set.set_mark(way as usize, mark);
        Some(first + way as usize)
    }

    /// `way`, which waits for nothing, holds nothing.
    #[inline]
    pub fn forget(&mut self, way: usize) {
        match self {
            Short { shift, sets, .. } => {
                sets[way >> *shift].empty |= 1 << (way & ((1 << *shift) - 1));
            }
            Long { uses, .. } => uses[way] = Use::default(),
        }
    }

    /// `set` will be looked at.
    #[inline(always)]
    pub fn announce(&self, set: usize) {
        match self {
            Short { sets, .. } => sets.get(set).into_iter().for_each(prefetch),
            Long { shift, marks, .. } => {
                marks.get((set << shift) / MARKS).into_iter().for_each(prefetch);
            }
        }
    }

    /// The way of `set` that was used least recently, of a large one any: mostly the one that goes
    /// next.
    #[inline(always)]
    pub fn oldest(&self, set: usize) -> usize {
        match self {
            Short { shift, sets, .. } => (set << shift) + (sets[set].order & 15) as usize,
            Long { shift, .. } => set << shift,
        }
    }

    /// The way of `set` that goes next, or `None` while all of them wait for data.
    #[inline(always)]
    pub fn victim(&self, set: usize) -> Option<usize> {
        match self {
            Short { ways, shift, sets } => {
                sets[set].victim(*ways).map(|(way, _)| (set << shift) + way as usize)
            }
            Long { ways, shift, uses, .. } => {
                let first = set << shift;
                let free = (first..first + ways).filter(|&way| !uses[way].busy);
                free.min_by_key(|&way| uses[way].time)
            }
        }
    }
}

/// Puts `mark` into byte `place` of `marks`.
#[inline(always)]
fn put(marks: &mut u64, place: usize, mark: u8) {
    *marks = *marks & !(0xff << (place * 8)) | u64::from(mark) << (place * 8);
}

/// The lowest bit of `way` in `order`.
#[inline(always)]
fn place(order: Order, way: u32) -> u32 {
    let differs = order ^ (u64::from(way) * ONES);
    // The lowest place without a difference has the lowest bit of these.
    let same = differs.wrapping_sub(ONES) & !differs & ONES << 3;
    same.trailing_zeros() & !3
}

/// `order`, of `ways` ways, with `way`, whose lowest bit in it is `at`, as the most recent one.
#[inline(always)]
fn moved_last(order: Order, (way, at): (u32, u32), ways: u32) -> Order {
    let before = (1 << at) - 1;
    let last = 4 * (ways - 1);
    order & before | order >> 4 & !before & ((1 << last) - 1) | u64::from(way) << last
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_order_in_a_word_chooses_as_times_of_use_do(
            ways in 1_usize..=SHORT,
            changes in prop::collection::vec((0_usize..6, 0_usize..2 * SHORT), 0..200),
        ) {
            let shift = ways.next_power_of_two().trailing_zeros();
            let mut short = Sets::new(2, ways, shift);
            let uses = vec![Use::default(); 2 << shift].into();
            let marks = vec![0; 2 << shift].into();
            let mut long = Long { ways, shift, clock: 0, uses, marks };
            let mut busy = vec![false; 2 << shift];
            for (change, way) in changes {
                let way = ((way % 2) << shift) | (way / 2 % ways);
                if change >= 4 {
                    let claimed = short.claim(way >> shift, 0, change == 5);
                    prop_assert_eq!(claimed, long.claim(way >> shift, 0, change == 5));
                    if let Some(claimed) = claimed {
                        busy[claimed] = change == 5;
                    }
                    continue;
                }
                for sets in [&mut short, &mut long] {
                    match change {
                        0 | 1 => sets.touch(way),
                        2 => sets.set_busy(way, !busy[way]),
                        _ if !busy[way] => sets.forget(way),
                        _ => {}
                    }
                }
                busy[way] ^= change == 2;
                for set in 0..2 {
                    prop_assert_eq!(short.victim(set), long.victim(set));
                }
            }
        }
    }
}
