//! A priority queue that makes room for a unit by moving what is behind it.

mod properties;

use super::{EntryBanks, QueueEntry, QueueHead, UnitProgress};
use crate::prelude::*;
use crate::prim::{Bundle, Crossbar, OptionalRegister, PriorityEncoder, Register};

hdl_module! {
    /// Units by decreasing level, first come, first served within a level, side by side in one
    /// memory of `entries` entries that index pointers divide into levels (LaPerm, section IV-E).
    /// What is behind a new unit moves by one place, an entry a cycle; the head goes on meanwhile.
    ///
    /// ```text
    ///   insert, insert_level --> [ index pointers ] --> how many move
    ///   insert_entry ----------> [ pending unit   ]         |
    ///   step, remove ----------> [ ring: base     ] <-- hole moves down, one entry a cycle
    ///                            [ entry_banks    ] --> head
    ///                            [ unit_progress  ]
    /// ```
    ///
    /// An entry that moves is read in one cycle and written in the next one; the last one together
    /// with the new unit, which goes into the other bank.
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `insert` | in its place | 1 + units of lower levels |
    /// | `remove` | the next unit in `head` | 1 |
    ///
    /// Storage: `entries` (at least two) x 100 bits, and the registers of two banks, 2 x 201 as
    /// SRAMs, 2 x 10 up to 1 kilobit, and 114; 12 registers for each level (L - 1 pointers and the
    /// number of units); 63 bits for each level (rounded up to a power of two); 147 registers.
    pub struct ShiftingQueue (entries: usize, levels: usize) clocked {
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
            /// An entry is free, and no unit is being inserted.
            ready: Signal<Out, Bit>,
            /// There is a unit.
            head_valid: Signal<Out, Bit>,
            /// The first one; zero without `head_valid`.
            head: Signal<Out, QueueHead>,
            /// Units in all, with the one that is being inserted.
            count: Signal<Out, U<12>>,
        }
        locals {
            first_unit: Signal<Local, QueueHead>,
            complement: Signal<Local, U<4>>,
            new_rank: Signal<Local, U<3>>,
            top: Signal<Local, U<3>>,
            top_index: Signal<Local, U<5>>,
            units: Signal<Local, U<12>>,
            ahead: Signal<Local, U<12>>,
            last_place: Signal<Local, Bit>,
            starts: Signal<Local, Bit>,
            at_once: Signal<Local, Bit>,
            completes: Signal<Local, Bit>,
            position: Signal<Local, U<12>>,
            moves: Signal<Local, Bit>,
            bottom: Signal<Local, Bit>,
            below: Signal<Local, U<12>>,
            shifted: Signal<Local, U<12>>,
            hole_place: Signal<Local, U<12>>,
            write_place: Signal<Local, U<12>>,
            source_place: Signal<Local, U<12>>,
            start: Signal<Local, U<12>>,
            after_head: Signal<Local, U<12>>,
            next_busy: Signal<Local, Bit>,
            hole_is_first: Signal<Local, Bit>,
            next_hole: Signal<Local, U<12>>,
            next_base: Signal<Local, U<11>>,
            count_now: Signal<Local, U<12>>,
            placed_rank: Signal<Local, U<3>>,
            placed_bit: Signal<Local, U<8>>,
            grows: Signal<Local, U<8>>,
        }
        constants {
            eight: Lit<4, 8>,
            no_unit: Constant<QueueHead>,
            none: Lit<12, 0>,
            one: Lit<12, 1>,
            two: Lit<12, 2>,
            no_place: Lit<2, 0>,
            one_place: Lit<2, 1>,
            two_places: Lit<2, 2>,
            one_level: Lit<8, 1>,
            no_level: Lit<8, 0>,
            all: Constant<U<12>> = Constant::new(U::new(entries as u64)),
        }
        children {
            memory: EntryBanks = EntryBanks::new(entries),
            base: Register<U<11>>,
            upto: [OptionalRegister<U<12>>; 8] =
                std::array::from_fn(|rank| OptionalRegister::new(rank + levels >= 8, U::new(0))),
            nonzero: Bundle<U<8>>,
            lowest: Bundle<U<8>>,
            highest: PriorityEncoder<U<8>>,
            chosen: Crossbar<U<12>, U<5>> = Crossbar::new(U::new(0), 8, 1, U::new(0)),
            busy: Register<Bit>,
            left: Register<U<12>>,
            hole: Register<U<12>>,
            pending: Register<QueueEntry>,
            pending_rank: Register<U<3>>,
            progress: UnitProgress = UnitProgress::new(levels),
        }
        state { levels: usize = levels }
        properties { properties::of }
    }
}

impl Logic for ShiftingQueue {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.memory.control);
        Control::link(&mut self.control, &mut self.base.control);
        Control::link(&mut self.control, &mut self.busy.control);
        Control::link(&mut self.control, &mut self.left.control);
        Control::link(&mut self.control, &mut self.hole.control);
        Control::link(&mut self.control, &mut self.pending.control);
        Control::link(&mut self.control, &mut self.pending_rank.control);
        Control::link(&mut self.control, &mut self.progress.control);

        // The head.
        for i in 0..8 {
            Control::link(&mut self.control, &mut self.upto[i].control);
            self.nonzero.bits[i].next = self.upto[i].q.val().any();
            self.chosen.word[i].next = self.upto[i].q.val();
            self.lowest.bits[i].next = self.upto[i].q.val() == self.upto[7].q.val();
        }
        self.highest.request.next = self.nonzero.word.val();
        self.top_index.next = self.highest.index.val();
        self.top.next = self.top_index.val().get_bits::<3>(0);
        self.units.next = self.upto[7].q.val();
        self.progress.rank.next = self.top.val();
        self.progress.grid.next = self.memory.first.val().grid;
        self.progress.step.next = self.step.val();
        self.progress.remove.next = self.remove.val();
        self.head_valid.next = self.highest.valid.val();
        self.first_unit.next.entry = self.memory.first.val();
        self.first_unit.next.level = self.eight.val() - bit_cast::<4, 3>(self.top.val());
        self.first_unit.next.at = self.progress.at.val();
        self.first_unit.next.ends = self.progress.ends.val();
        self.first_unit.next.empty = self.progress.empty.val();
        // Nothing of a memory that was never written gets out.
        self.head.next = self.no_unit.val();
        if self.highest.valid.val() {
            self.head.next = self.first_unit.val();
        }
        self.count_now.next = self.units.val();
        if self.busy.q.val() {
            self.count_now.next = self.units.val() + self.one.val();
        }
        self.count.next = self.count_now.val();
        self.ready.next = !self.busy.q.val() & (self.units.val() != self.all.val());

        // An insertion begins: as many entries move as there are units of lower levels.
        self.complement.next = self.eight.val() - self.insert_level.val();
        self.new_rank.next = self.complement.val().get_bits::<3>(0);
        self.chosen.select[0].next = bit_cast::<5, 3>(self.new_rank.val());
        self.ahead.next = self.chosen.data[0].val();
        self.last_place.next =
            ((self.one_level.val() << self.new_rank.val()) & self.lowest.word.val()).any();
        self.at_once.next = self.insert.val() & self.last_place.val();
        self.starts.next = self.insert.val() & !self.last_place.val();

        // The hole moves down by one entry a cycle, until it is where the unit belongs. What leaves
        // does not move. It begins, or a unit goes to the end at once, behind all units.
        self.position.next = self.units.val();
        if self.busy.q.val() {
            self.position.next = self.hole.q.val();
        }
        self.below.next = self.position.val() - self.one.val();
        self.moves.next = self.starts.val()
            | (self.busy.q.val()
                & (self.left.q.val() != self.none.val())
                & (self.hole.q.val() != self.none.val()));
        self.completes.next = self.busy.q.val() & (self.left.q.val() == self.none.val());
        self.shifted.next = self.position.val();
        if self.moves.val() {
            self.shifted.next = self.below.val();
        }
        self.start.next = bit_cast::<12, 11>(self.base.q.val());
        self.source_place.next = self.start.val() + self.below.val();
        self.memory.lift.next =
            self.moves.val() & !(self.remove.val() & (self.below.val() == self.none.val()));
        self.memory.lift_from.next = self.source_place.val().get_bits::<11>(0);
        self.next_hole.next = self.shifted.val();
        if self.remove.val() & (self.shifted.val() != self.none.val()) {
            self.next_hole.next = self.shifted.val() - self.one.val();
        }
        self.hole.d.next = self.next_hole.val();
        self.left.d.next = self.left.q.val();
        if self.left.q.val() != self.none.val() {
            self.left.d.next = self.left.q.val() - self.one.val();
        }
        if self.starts.val() {
            self.left.d.next = self.below.val() - self.ahead.val();
        }
        self.next_busy.next = (self.busy.q.val() & !self.completes.val()) | self.starts.val();
        self.busy.d.next = self.next_busy.val();
        self.pending.d.next = self.pending.q.val();
        self.pending_rank.d.next = self.pending_rank.q.val();
        if self.starts.val() {
            self.pending.d.next = self.insert_entry.val();
            self.pending_rank.d.next = self.new_rank.val();
        }

        // The unit itself: at the end, or where the hole is.
        self.bottom.next = self.busy.q.val() & (self.hole.q.val() == self.none.val());
        self.hole_place.next = self.start.val() + self.position.val();
        self.write_place.next = self.hole_place.val();
        if self.completes.val() & self.bottom.val() & self.remove.val() {
            self.write_place.next = self.hole_place.val() + self.one.val();
        }
        self.memory.write_enable.next = self.at_once.val() | self.completes.val();
        self.memory.write_address.next = self.write_place.val().get_bits::<11>(0);
        self.memory.write_data.next = self.insert_entry.val();
        if self.completes.val() {
            self.memory.write_data.next = self.pending.q.val();
        }

        // The ring and its levels.
        self.after_head.next = self.start.val() + self.one.val();
        self.next_base.next = self.base.q.val();
        if self.remove.val() {
            self.next_base.next = self.after_head.val().get_bits::<11>(0);
        }
        self.base.d.next = self.next_base.val();
        // The head is at the start of the ring, or one further when its place becomes the hole:
        // what comes chooses between places that are known before.
        self.hole_is_first.next = (self.position.val() == self.none.val())
            | (self.remove.val() & (self.position.val() == self.one.val()));
        if self.moves.val() {
            self.hole_is_first.next = (self.position.val() == self.one.val())
                | (self.remove.val() & (self.position.val() == self.two.val()));
        }
        self.memory.base.next = self.base.q.val();
        self.memory.skip.next = self.no_place.val();
        if self.remove.val() {
            self.memory.skip.next = self.one_place.val();
        }
        if self.next_busy.val() & self.hole_is_first.val() {
            self.memory.skip.next = self.one_place.val();
            if self.remove.val() {
                self.memory.skip.next = self.two_places.val();
            }
        }
        self.placed_rank.next = self.new_rank.val();
        if self.completes.val() {
            self.placed_rank.next = self.pending_rank.q.val();
        }
        self.placed_bit.next = self.one_level.val() << self.placed_rank.val();
        self.grows.next = self.no_level.val();
        if self.at_once.val() | self.completes.val() {
            // Every rank from this one on.
            self.grows.next = self.no_level.val() - self.placed_bit.val();
        }
        for i in 0..8 {
            self.upto[i].d.next = self.upto[i].q.val();
            if self.grows.val().get_bit(i) & !(self.remove.val() & self.upto[i].q.val().any()) {
                self.upto[i].d.next = self.upto[i].q.val() + self.one.val();
            }
            if !self.grows.val().get_bit(i) & self.remove.val() & self.upto[i].q.val().any() {
                self.upto[i].d.next = self.upto[i].q.val() - self.one.val();
            }
        }
    }
}
