//! The entries of a queue that move by one place, in two banks.

use super::QueueEntry;
use crate::prelude::*;
use crate::prim::{AheadMemory, Register};

hdl_module! {
    /// `entries` entries in a ring of places (LaPerm, section IV-E): those at even places in one
    /// bank, those at odd places in the other one, each with a read and a write port. One entry a
    /// cycle moves by a place, and the first one may be another one in each cycle.
    ///
    /// ```text
    ///   base, skip -------+--> [ even ] --+--> ( or kept ) --> first
    ///   lift, lift_from --+--> [ odd  ] --+--> the next place, in the next cycle
    ///   write_* ---------------^          +--> kept
    /// ```
    ///
    /// The last one moves first, so that in cycles that follow each other one moves out of one
    /// bank, then one out of the other. The bank out of which none moves shows the first entry or
    /// the second one, whichever is in it. The other bank showed its own in the cycle before, when
    /// none moved out of it: if it is the first one, it is kept for that cycle.
    ///
    /// `first` in `c + 1` is what is `skip` places behind `base` of cycle `c`, as it is after a
    /// write in `c`, or what moves there. `skip` and whether something moves or is written may come
    /// late: they choose between addresses and entries that are known before. Storage: `entries`
    /// (at least two) x 100 bits, the registers of two [`AheadMemory`] and 114 more.
    pub(super) struct EntryBanks (entries: usize) clocked {
        inputs {
            /// A place.
            base: Signal<In, U<11>>,
            /// How far behind it the first entry is in the next cycle, 0 to 2: with `lift` that is
            /// the first or second of this one, or that to which it moves.
            skip: Signal<In, U<2>>,
            /// An entry moves to the place behind its own, where it is two cycles later.
            lift: Signal<In, Bit>,
            /// Its place, valid with `lift`; after a cycle with `lift` the place before that one's.
            lift_from: Signal<In, U<11>>,
            /// An entry is written; in the cycle after a `lift` to the place that was left, or in
            /// place of what moves.
            write_enable: Signal<In, Bit>,
            /// Its place; valid with `write_enable`, and in the cycle after a `lift`, in which
            /// without `write_enable` it is the place that was left.
            write_address: Signal<In, U<11>>,
            /// What it is; valid with `write_enable`.
            write_data: Signal<In, QueueEntry>,
        }
        outputs {
            /// The first entry; undefined if it was never written.
            first: Signal<Out, QueueEntry>,
        }
        locals {
            pair: Signal<Local, U<10>>,
            next_pair: Signal<Local, U<10>>,
            behind: Signal<Local, U<11>>,
            distance: Signal<Local, U<11>>,
            next_is_odd: Signal<Local, Bit>,
            lifts_even: Signal<Local, Bit>,
            lifts_odd: Signal<Local, Bit>,
            to: Signal<Local, U<11>>,
            moved: Signal<Local, QueueEntry>,
            moves_to_even: Signal<Local, Bit>,
            moves_to_odd: Signal<Local, Bit>,
        }
        constants { one: Lit<11, 1>, one_pair: Lit<10, 1>, two_pairs: Lit<10, 2> }
        children {
            even: AheadMemory<QueueEntry, 10> = AheadMemory::of(entries.div_ceil(2)),
            odd: AheadMemory<QueueEntry, 10> = AheadMemory::of(entries.div_ceil(2)),
            first_is_odd: Register<Bit>,
            lifted: Register<Bit>,
            from: Register<U<11>>,
            hidden: Register<Bit>,
            kept: Register<QueueEntry>,
        }
        state { entries: usize = entries }
    }
}

impl EntryBanks {
    /// How many entries there are.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// The name of the word at `place` in the Verilog, for properties.
    pub(super) fn word(&self, place: usize) -> String {
        let bank = ["even", "odd"][place % 2];
        format!("{bank}.{}[{}]", self.even.array(), place / 2)
    }
}

impl Logic for EntryBanks {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.even.control);
        Control::link(&mut self.control, &mut self.odd.control);
        Control::link(&mut self.control, &mut self.first_is_odd.control);
        Control::link(&mut self.control, &mut self.lifted.control);
        Control::link(&mut self.control, &mut self.from.control);
        Control::link(&mut self.control, &mut self.hidden.control);
        Control::link(&mut self.control, &mut self.kept.control);

        // The first two entries of the next cycle, or what moves in place of one of them.
        self.lifts_even.next = self.lift.val() & !self.lift_from.val().get_bit(0);
        self.lifts_odd.next = self.lift.val() & self.lift_from.val().get_bit(0);
        self.pair.next = self.base.val().get_bits::<10>(1);
        self.next_pair.next = self.pair.val() + self.one_pair.val();
        self.even.next_address.next = self.next_pair.val();
        self.odd.next_address.next = self.pair.val();
        if self.base.val().get_bit(0) {
            if self.skip.val().get_bit(1) {
                self.even.next_address.next = self.pair.val() + self.two_pairs.val();
            }
            if self.skip.val().any() {
                self.odd.next_address.next = self.next_pair.val();
            }
        } else {
            if !self.skip.val().any() {
                self.even.next_address.next = self.pair.val();
            }
            if self.skip.val().get_bit(1) {
                self.odd.next_address.next = self.next_pair.val();
            }
        }
        if self.lifts_even.val() {
            self.even.next_address.next = self.lift_from.val().get_bits::<10>(1);
        }
        if self.lifts_odd.val() {
            self.odd.next_address.next = self.lift_from.val().get_bits::<10>(1);
        }

        // The first one is hidden behind what moves out of its bank, or is what moves.
        self.behind.next = self.lift_from.val() + self.one.val();
        self.distance.next = self.behind.val() - self.base.val();
        self.next_is_odd.next = self.base.val().get_bit(0) ^ self.skip.val().get_bit(0);
        self.hidden.d.next = (self.lifts_even.val() & !self.next_is_odd.val())
            | (self.lifts_odd.val() & self.next_is_odd.val())
            | (self.lift.val() & (self.distance.val() == bit_cast::<11, 2>(self.skip.val())));
        // Without `hidden` nobody looks at what is kept.
        self.kept.d.next = self.even.data.val();
        if self.lift_from.val().get_bit(0) {
            self.kept.d.next = self.odd.data.val();
        }
        self.first_is_odd.d.next = self.next_is_odd.val();
        self.first.next = self.even.data.val();
        if self.first_is_odd.q.val() {
            self.first.next = self.odd.data.val();
        }
        if self.hidden.q.val() {
            self.first.next = self.kept.q.val();
        }

        // What was read to move goes into the other bank, unless what is written takes its place.
        self.lifted.d.next = self.lift.val();
        self.from.d.next = self.from.q.val();
        if self.lift.val() {
            self.from.d.next = self.lift_from.val();
        }
        self.to.next = self.from.q.val() + self.one.val();
        self.moved.next = self.even.data.val();
        if self.from.q.val().get_bit(0) {
            self.moved.next = self.odd.data.val();
        }
        self.moves_to_even.next =
            self.lifted.q.val() & !self.to.val().get_bit(0) & self.write_address.val().get_bit(0);
        self.moves_to_odd.next =
            self.lifted.q.val() & self.to.val().get_bit(0) & !self.write_address.val().get_bit(0);
        self.even.write_enable.next = self.moves_to_even.val()
            | (self.write_enable.val() & !self.write_address.val().get_bit(0));
        self.even.write_address.next = self.write_address.val().get_bits::<10>(1);
        self.even.write_data.next = self.write_data.val();
        if self.moves_to_even.val() {
            self.even.write_address.next = self.to.val().get_bits::<10>(1);
            self.even.write_data.next = self.moved.val();
        }
        self.odd.write_enable.next = self.moves_to_odd.val()
            | (self.write_enable.val() & self.write_address.val().get_bit(0));
        self.odd.write_address.next = self.write_address.val().get_bits::<10>(1);
        self.odd.write_data.next = self.write_data.val();
        if self.moves_to_odd.val() {
            self.odd.write_address.next = self.to.val().get_bits::<10>(1);
            self.odd.write_data.next = self.moved.val();
        }
    }
}
