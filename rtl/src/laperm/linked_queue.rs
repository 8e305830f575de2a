//! A priority queue that takes a unit in one cycle.

mod properties;

use super::{QueueEntry, QueueHead, UnitProgress};
use crate::prelude::*;
use crate::prim::{AheadMemory, PriorityEncoder, Register, RegisterFile};

hdl_module! {
    /// Units by decreasing level, first come, first served within a level, in one memory of
    /// `entries` entries: each level is a linked list; places that were used and are free again are
    /// in a ring. The same ports as [`super::ShiftingQueue`] (LaPerm, section IV-E), which inserts
    /// as the paper does.
    ///
    /// ```text
    ///   insert, insert_level --> [ first, last of each level ] --> first of the highest level, now and in the next cycle
    ///   insert_entry ----------> [ entries, links            ] --> head
    ///   step, remove ----------> [ unit_progress             ]
    ///                            [ ring of free places       ]
    /// ```
    ///
    /// Entries, links and the ring are SRAMs with a read and a write port where they are large:
    /// which word the next cycle needs follows from what this one does, so that an [`AheadMemory`]
    /// has it in time.
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `insert` | in its place | 1 |
    /// | `remove` | the next unit in `head` | 1 |
    ///
    /// Storage: `entries` x (100 + 11 + 11) bits, and the registers of their [`AheadMemory`]; for
    /// each level (rounded up to a power of two) 11 + 11 and 63 bits; 43 registers.
    pub struct LinkedQueue (entries: usize, levels: usize) clocked {
        inputs {
            /// A unit is inserted; only when `ready`.
            insert: Signal<In, Bit>,
            /// Its level, 1 to 8; valid with `insert`.
            insert_level: Signal<In, U<4>>,
            /// What it is; valid with `insert`.
            insert_entry: Signal<In, QueueEntry>,
            /// The head's next block is dispatched; only with `head_valid`.
            step: Signal<In, Bit>,
            /// The head leaves; only with `head_valid`.
            remove: Signal<In, Bit>,
        }
        outputs {
            /// An entry is free.
            ready: Signal<Out, Bit>,
            /// There is a unit.
            head_valid: Signal<Out, Bit>,
            /// The first one; zero without `head_valid`.
            head: Signal<Out, QueueHead>,
            /// Units in all.
            count: Signal<Out, U<12>>,
        }
        locals {
            first_unit: Signal<Local, QueueHead>,
            complement: Signal<Local, U<4>>,
            rank: Signal<Local, U<3>>,
            rank_bit: Signal<Local, U<8>>,
            top: Signal<Local, U<3>>,
            top_index: Signal<Local, U<5>>,
            any: Signal<Local, Bit>,
            first: Signal<Local, U<11>>,
            alone: Signal<Local, Bit>,
            stays: Signal<Local, U<8>>,
            came: Signal<Local, U<8>>,
            below: Signal<Local, U<8>>,
            next_top: Signal<Local, U<3>>,
            next_top_index: Signal<Local, U<5>>,
            top_below: Signal<Local, U<3>>,
            top_below_index: Signal<Local, U<5>>,
            first_if_stays: Signal<Local, U<11>>,
            first_if_leaves: Signal<Local, U<11>>,
            next_first: Signal<Local, U<11>>,
            starts: Signal<Local, Bit>,
            recycled: Signal<Local, Bit>,
            fresh_place: Signal<Local, U<12>>,
            place: Signal<Local, U<11>>,
            recycles: Signal<Local, Bit>,
            freed: Signal<Local, U<12>>,
            next_oldest: Signal<Local, U<11>>,
            count_now: Signal<Local, U<12>>,
        }
        constants {
            eight: Lit<4, 8>,
            no_unit: Constant<QueueHead>,
            one: Lit<12, 1>,
            one_place: Lit<11, 1>,
            one_level: Lit<8, 1>,
            no_level: Lit<8, 0>,
            all: Constant<U<12>> = Constant::new(U::new(entries as u64)),
        }
        children {
            highest: PriorityEncoder<U<8>>,
            next_highest: PriorityEncoder<U<8>>,
            highest_below: PriorityEncoder<U<8>>,
            waiting: Register<U<8>>,
            firsts: RegisterFile<U<11>, 3> = RegisterFile::of(levels.next_power_of_two(), 2, 2),
            lasts: RegisterFile<U<11>, 3> = RegisterFile::of(levels.next_power_of_two(), 1, 1),
            memory: AheadMemory<QueueEntry, 11> = AheadMemory::of(entries),
            links: AheadMemory<U<11>, 11> = AheadMemory::of(entries),
            ring: AheadMemory<U<11>, 11> = AheadMemory::of(entries),
            held: Register<U<12>>,
            used: Register<U<12>>,
            oldest: Register<U<11>>,
            progress: UnitProgress = UnitProgress::new(levels),
        }
        state { levels: usize = levels }
        properties { properties::of }
    }
}

impl Logic for LinkedQueue {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.waiting.control);
        Control::link(&mut self.control, &mut self.firsts.control);
        Control::link(&mut self.control, &mut self.lasts.control);
        Control::link(&mut self.control, &mut self.memory.control);
        Control::link(&mut self.control, &mut self.links.control);
        Control::link(&mut self.control, &mut self.ring.control);
        Control::link(&mut self.control, &mut self.held.control);
        Control::link(&mut self.control, &mut self.used.control);
        Control::link(&mut self.control, &mut self.oldest.control);
        Control::link(&mut self.control, &mut self.progress.control);

        // The head: the first unit of the highest level.
        self.highest.request.next = self.waiting.q.val();
        self.any.next = self.highest.valid.val();
        self.top_index.next = self.highest.index.val();
        self.top.next = self.top_index.val().get_bits::<3>(0);
        self.firsts.address.next = self.top.val();
        self.first.next = self.firsts.data.val();
        self.progress.rank.next = self.top.val();
        self.progress.grid.next = self.memory.data.val().grid;
        self.progress.step.next = self.step.val();
        self.progress.remove.next = self.remove.val();
        self.head_valid.next = self.any.val();
        self.first_unit.next.entry = self.memory.data.val();
        self.first_unit.next.level = self.eight.val() - bit_cast::<4, 3>(self.top.val());
        self.first_unit.next.at = self.progress.at.val();
        self.first_unit.next.ends = self.progress.ends.val();
        self.first_unit.next.empty = self.progress.empty.val();
        // Nothing of a memory that was never written gets out.
        self.head.next = self.no_unit.val();
        if self.any.val() {
            self.head.next = self.first_unit.val();
        }
        self.ready.next = self.held.q.val() != self.all.val();
        self.count.next = self.held.q.val();

        // It leaves: its level goes on with the unit that it links to.
        self.lasts.also_address[0].next = self.top.val();
        self.alone.next = self.first.val() == self.lasts.also_data[0].val();
        self.stays.next = self.waiting.q.val();
        if self.remove.val() & self.alone.val() {
            self.stays.next = self.waiting.q.val() & !self.highest.grant.val();
        }
        self.firsts.write_enable[0].next = self.remove.val() & !self.alone.val();
        self.firsts.write_address[0].next = self.top.val();
        self.firsts.write_data[0].next = self.links.data.val();

        // A place for what comes: one that was freed, the oldest first, else the next one that was
        // never used.
        self.freed.next = self.used.q.val() - self.held.q.val();
        self.recycled.next = self.used.q.val() != self.held.q.val();
        self.fresh_place.next = self.used.q.val();
        self.place.next = self.fresh_place.val().get_bits::<11>(0);
        if self.recycled.val() {
            self.place.next = self.ring.data.val();
        }
        self.recycles.next = self.insert.val() & self.recycled.val();
        self.next_oldest.next = self.oldest.q.val();
        if self.recycles.val() {
            self.next_oldest.next = self.oldest.q.val() + self.one_place.val();
        }
        self.oldest.d.next = self.next_oldest.val();
        self.ring.next_address.next = self.next_oldest.val();
        self.ring.write_enable.next = self.remove.val();
        self.ring.write_address.next = self.oldest.q.val() + self.freed.val().get_bits::<11>(0);
        self.ring.write_data.next = self.first.val();

        // It comes behind the last one of its level.
        self.complement.next = self.eight.val() - self.insert_level.val();
        self.rank.next = self.complement.val().get_bits::<3>(0);
        self.rank_bit.next = self.one_level.val() << self.rank.val();
        self.starts.next = !(self.stays.val() & self.rank_bit.val()).any();
        self.came.next = self.no_level.val();
        if self.insert.val() {
            self.came.next = self.rank_bit.val();
        }
        self.waiting.d.next = self.stays.val() | self.came.val();
        self.firsts.write_enable[1].next = self.insert.val() & self.starts.val();
        self.firsts.write_address[1].next = self.rank.val();
        self.firsts.write_data[1].next = self.place.val();
        self.lasts.address.next = self.rank.val();
        self.lasts.write_enable[0].next = self.insert.val();
        self.lasts.write_address[0].next = self.rank.val();
        self.lasts.write_data[0].next = self.place.val();
        self.links.write_enable.next = self.insert.val() & !self.starts.val();
        self.links.write_address.next = self.lasts.data.val();
        self.links.write_data.next = self.place.val();
        self.memory.write_enable.next = self.insert.val();
        self.memory.write_address.next = self.place.val();
        self.memory.write_data.next = self.insert_entry.val();

        // The first unit of the next cycle's highest level, whose words are fetched now: one for
        // either case, since it is known last whether the head leaves.
        self.next_highest.request.next = self.waiting.q.val() | self.came.val();
        self.next_top_index.next = self.next_highest.index.val();
        self.next_top.next = self.next_top_index.val().get_bits::<3>(0);
        self.firsts.also_address[0].next = self.next_top.val();
        self.first_if_stays.next = self.firsts.also_data[0].val();
        self.first_if_leaves.next = self.links.data.val();
        if (self.came.val() & !self.waiting.q.val()).any()
            & (self.next_top.val() == self.rank.val())
        {
            self.first_if_stays.next = self.place.val();
            self.first_if_leaves.next = self.place.val();
        }
        // With the last unit of its level the head leaves the levels below.
        self.below.next = self.waiting.q.val() & !self.highest.grant.val();
        self.highest_below.request.next = self.below.val() | self.came.val();
        self.top_below_index.next = self.highest_below.index.val();
        self.top_below.next = self.top_below_index.val().get_bits::<3>(0);
        self.firsts.also_address[1].next = self.top_below.val();
        if self.alone.val() {
            self.first_if_leaves.next = self.firsts.also_data[1].val();
            if (self.came.val() & !self.below.val()).any()
                & (self.top_below.val() == self.rank.val())
            {
                self.first_if_leaves.next = self.place.val();
            }
        }
        self.next_first.next = self.first_if_stays.val();
        if self.remove.val() {
            self.next_first.next = self.first_if_leaves.val();
        }
        self.memory.next_address.next = self.next_first.val();
        self.links.next_address.next = self.next_first.val();

        self.used.d.next = self.used.q.val();
        if self.insert.val() & !self.recycled.val() {
            self.used.d.next = self.used.q.val() + self.one.val();
        }
        self.count_now.next = self.held.q.val();
        if self.remove.val() {
            self.count_now.next = self.held.q.val() - self.one.val();
        }
        self.held.d.next = self.count_now.val();
        if self.insert.val() {
            self.held.d.next = self.count_now.val() + self.one.val();
        }
    }
}
