//! What one SMX stole.

mod properties;

use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{AheadMemory, Register};

hdl_module! {
    /// A steal queue (IKRA, section 4.4; rules 8, 12 and 13 of `docs/ikra.md`): `entries` blocks (a
    /// power of two, 2 to 32) in a ring. Its SMX runs them from the near end on, thieves take them
    /// from the far end, and what the SMX stole comes to the far end; which end that is changes
    /// with the direction.
    ///
    /// ```text
    ///   bottom, held, ran --> next lowest place left ---> [ entries x 63 ] --+--> next_block, far_block
    ///                     +-> next highest place left --> [ the same     ] --+
    ///   insert, insert_block --------------------------->
    /// ```
    ///
    /// Both ends of what is left are shown in the same cycle, so that the blocks are there twice,
    /// each time with one read port. Which places they are at in the next cycle follows from this
    /// one, whichever way the next kernel goes: until something has run the ends are those of the
    /// ring.
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `begins`, `take`, `steal`, `insert` | all outputs but `filled` | 1 |
    /// | `insert` | `filled` | 0 |
    ///
    /// Storage: two [`AheadMemory`]s of `entries` x 63 bits, 17 registers.
    pub struct StealQueue (entries: usize) clocked {
        inputs {
            /// A kernel begins; not together with `take`, `steal` or `insert`.
            begins: Signal<In, Bit>,
            /// With `begins`: the queue is emptied.
            clear: Signal<In, Bit>,
            /// The direction of the kernel that runs; another one from the cycle after `begins` on
            /// at the earliest.
            forward: Signal<In, Bit>,
            /// `next_block` is dispatched; only with `available`.
            take: Signal<In, Bit>,
            /// `far_block` leaves; only with `available`, and with `take` only if not `last`.
            steal: Signal<In, Bit>,
            /// A stolen block comes to the far end, as one that has run; only when not `available`,
            /// without effect when `full`.
            insert: Signal<In, Bit>,
            /// Which one; valid with `insert`.
            insert_block: Signal<In, BlockId>,
        }
        outputs {
            /// Something is left that has not run.
            available: Signal<Out, Bit>,
            /// The next block; zero when not `available`.
            next_block: Signal<Out, BlockId>,
            /// The block at the far end; zero when not `available`.
            far_block: Signal<Out, BlockId>,
            /// They are the same; low when not `available`.
            last: Signal<Out, Bit>,
            /// All entries are in use.
            full: Signal<Out, Bit>,
            /// The insertion of this cycle makes it full.
            filled: Signal<Out, Bit>,
        }
        locals {
            some: Signal<Local, Bit>,
            held_word: Signal<Local, U<6>>,
            above: Signal<Local, U<5>>,
            below: Signal<Local, U<5>>,
            inserted_at: Signal<Local, U<5>>,
            new_bottom: Signal<Local, U<5>>,
            new_held: Signal<Local, U<6>>,
            new_ran: Signal<Local, U<6>>,
            new_top: Signal<Local, U<5>>,
            ran_more: Signal<Local, U<6>>,
            held_more: Signal<Local, U<6>>,
            inserts: Signal<Local, Bit>,
        }
        constants {
            no_block: Constant<BlockId>,
            zero: Lit<6, 0>,
            one: Lit<6, 1>,
            place: Lit<5, 1>,
            all: Constant<U<6>> = Constant::new(U::new(entries as u64)),
        }
        children {
            low: AheadMemory<BlockId, 5> = AheadMemory::of(entries),
            high: AheadMemory<BlockId, 5> = AheadMemory::of(entries),
            bottom: Register<U<5>>,
            held: Register<U<6>>,
            ran: Register<U<6>>,
        }
        properties { properties::of }
    }
}

impl Logic for StealQueue {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.low.control);
        Control::link(&mut self.control, &mut self.high.control);
        Control::link(&mut self.control, &mut self.bottom.control);
        Control::link(&mut self.control, &mut self.held.control);
        Control::link(&mut self.control, &mut self.ran.control);

        // The places: `above` is the one over the top, `below` the one under the bottom.
        self.held_word.next = self.held.q.val();
        self.above.next = self.bottom.q.val() + self.held_word.val().get_bits::<5>(0);
        self.below.next = self.bottom.q.val() - self.place.val();
        self.inserted_at.next = self.below.val();
        if self.forward.val() {
            self.inserted_at.next = self.above.val();
        }

        self.some.next = self.ran.q.val() != self.held.q.val();
        self.ran_more.next = self.ran.q.val() + self.one.val();
        self.held_more.next = self.held.q.val() + self.one.val();
        self.available.next = self.some.val();
        self.last.next = self.some.val() & (self.ran_more.val() == self.held.q.val());
        self.full.next = self.held.q.val() == self.all.val();
        self.next_block.next = self.no_block.val();
        self.far_block.next = self.no_block.val();
        if self.some.val() {
            self.next_block.next = self.high.data.val();
            self.far_block.next = self.low.data.val();
            if self.forward.val() {
                self.next_block.next = self.low.data.val();
                self.far_block.next = self.high.data.val();
            }
        }

        self.inserts.next = self.insert.val() & (self.held.q.val() != self.all.val());
        self.filled.next = self.inserts.val() & (self.held_more.val() == self.all.val());
        self.low.write_enable.next = self.inserts.val();
        self.low.write_address.next = self.inserted_at.val();
        self.low.write_data.next = self.insert_block.val();
        self.high.write_enable.next = self.inserts.val();
        self.high.write_address.next = self.inserted_at.val();
        self.high.write_data.next = self.insert_block.val();

        self.new_bottom.next = self.bottom.q.val();
        self.new_held.next = self.held.q.val();
        self.new_ran.next = self.ran.q.val();
        if self.take.val() {
            self.new_ran.next = self.ran_more.val();
        }
        if self.steal.val() {
            self.new_held.next = self.held.q.val() - self.one.val();
            if !self.forward.val() {
                self.new_bottom.next = self.bottom.q.val() + self.place.val();
            }
        }
        if self.inserts.val() {
            self.new_held.next = self.held_more.val();
            self.new_ran.next = self.ran_more.val();
            if !self.forward.val() {
                self.new_bottom.next = self.below.val();
            }
        }
        if self.begins.val() {
            self.new_ran.next = self.zero.val();
            if self.clear.val() {
                self.new_held.next = self.zero.val();
            }
        }
        self.bottom.d.next = self.new_bottom.val();
        self.held.d.next = self.new_held.val();
        self.ran.d.next = self.new_ran.val();

        // The ends of what is left in the next cycle.
        self.new_top.next = self.new_bottom.val() + self.new_held.val().get_bits::<5>(0);
        self.low.next_address.next = self.new_bottom.val();
        self.high.next_address.next = self.new_top.val() - self.place.val();
        if self.forward.val() {
            self.low.next_address.next =
                self.new_bottom.val() + self.new_ran.val().get_bits::<5>(0);
        } else {
            self.high.next_address.next =
                self.new_top.val() - self.place.val() - self.new_ran.val().get_bits::<5>(0);
        }
    }
}
