//! Where the queues in memory begin and end.

mod properties;

use crate::prelude::*;
use crate::prim::{Register, RegisterFile};

hdl_module! {
    /// The first and the next place of a ring in global memory for each level of a queue (LaPerm,
    /// section IV-E: queues in memory are indexed by SMX and by level).
    ///
    /// ```text
    ///   put, put_rank ---> [ tails ] --> put_index
    ///   take, take_rank -> [ heads ] --> take_index
    ///                      [ waiting, begun ] --> waiting
    /// ```
    ///
    /// Places count from 0 and wrap at 2^32. What is put in `c` is in `waiting` from `c + 1` on.
    /// Storage: 64 bits for each of `levels` levels (rounded up to a power of two) and 16
    /// registers.
    pub(crate) struct LevelRings (levels: usize) clocked {
        inputs {
            /// A record is put at the tail of a ring.
            put: Signal<In, Bit>,
            /// 8 less its level; always valid.
            put_rank: Signal<In, U<3>>,
            /// The first record of a ring is taken; only one that is `waiting`.
            take: Signal<In, Bit>,
            /// 8 less its level; always valid.
            take_rank: Signal<In, U<3>>,
        }
        outputs {
            /// One bit for each rank: its ring holds a record.
            waiting: Signal<Out, U<8>>,
            /// The place that a record takes at the tail.
            put_index: Signal<Out, U<32>>,
            /// The place of the first record; valid with its bit of `waiting`.
            take_index: Signal<Out, U<32>>,
        }
        locals {
            put_bit: Signal<Local, U<8>>,
            take_bit: Signal<Local, U<8>>,
            fresh: Signal<Local, Bit>,
            tail: Signal<Local, U<32>>,
            after: Signal<Local, U<32>>,
            left: Signal<Local, U<8>>,
        }
        constants {
            one_level: Lit<8, 1>,
            start: Lit<32, 0>,
            one: Lit<32, 1>,
        }
        children {
            heads: RegisterFile<U<32>, 3> = RegisterFile::of(levels.next_power_of_two(), 2, 0),
            tails: RegisterFile<U<32>, 3> = RegisterFile::of(levels.next_power_of_two(), 1, 1),
            holds: Register<U<8>>,
            begun: Register<U<8>>,
        }
        state { levels: usize = levels }
        properties { properties::of }
    }
}

impl Logic for LevelRings {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.heads.control);
        Control::link(&mut self.control, &mut self.tails.control);
        Control::link(&mut self.control, &mut self.holds.control);
        Control::link(&mut self.control, &mut self.begun.control);
        self.waiting.next = self.holds.q.val();

        // The first record of a level starts its ring.
        self.put_bit.next = self.one_level.val() << self.put_rank.val();
        self.fresh.next = !(self.begun.q.val() & self.put_bit.val()).any();
        self.tails.address.next = self.put_rank.val();
        self.tail.next = self.tails.data.val();
        if self.fresh.val() {
            self.tail.next = self.start.val();
        }
        self.put_index.next = self.tail.val();
        self.tails.write_enable[0].next = self.put.val();
        self.tails.write_address[0].next = self.put_rank.val();
        self.tails.write_data[0].next = self.tail.val() + self.one.val();
        self.heads.write_enable[1].next = self.put.val() & self.fresh.val();
        self.heads.write_address[1].next = self.put_rank.val();
        self.heads.write_data[1].next = self.tail.val();
        self.begun.d.next = self.begun.q.val();
        if self.put.val() {
            self.begun.d.next = self.begun.q.val() | self.put_bit.val();
        }

        self.take_bit.next = self.one_level.val() << self.take_rank.val();
        self.heads.address.next = self.take_rank.val();
        self.take_index.next = self.heads.data.val();
        self.after.next = self.heads.data.val() + self.one.val();
        self.heads.write_enable[0].next = self.take.val();
        self.heads.write_address[0].next = self.take_rank.val();
        self.heads.write_data[0].next = self.after.val();
        self.tails.also_address[0].next = self.take_rank.val();
        self.left.next = self.holds.q.val();
        if self.take.val() & (self.after.val() == self.tails.also_data[0].val()) {
            self.left.next = self.holds.q.val() & !self.take_bit.val();
        }
        self.holds.d.next = self.left.val();
        if self.put.val() {
            self.holds.d.next = self.left.val() | self.put_bit.val();
        }
    }
}
