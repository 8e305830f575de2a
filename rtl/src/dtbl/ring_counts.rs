//! How many groups of each kernel memory has, and how many were asked for.

use super::RingPlace;
use crate::prelude::*;
use crate::prim::{Register, RegisterFile, Tagged};

hdl_module! {
    /// For each entry of the Kernel Distributor a ring of its groups in global memory (DTBL,
    /// section 4.2: an overflowed group's information is fetched from there). The groups of an
    /// entry count from 0 in the order in which they are coalesced, also from one kernel in the
    /// entry to the next.
    ///
    /// ```text
    ///   overflow ---------> [ left,  32 x 32 ] --+
    ///   head, room -------> [ asked, 32 x 32 ] --+--> ask, head_asked
    ///                       [ begun, 2 x 32  ]
    /// ```
    ///
    /// At most one group a cycle is asked for, of the head. What is counted in `c` is seen in
    /// `c + 1`; outputs depend on the state, `head` and `room`. Counts wrap. Storage: 32 x
    /// (32 + 32) bits, 64 registers.
    pub struct RingCounts clocked {
        inputs {
            /// A group of this kernel is left in memory.
            overflow: Signal<In, Tagged>,
            /// Whether `head` names an entry.
            head_valid: Signal<In, Bit>,
            /// The kernel whose groups are asked for; valid with `head_valid`.
            head: Signal<In, U<5>>,
            /// One more group can be held.
            room: Signal<In, Bit>,
        }
        outputs {
            /// The place of the group whose information is asked for; zero when there is none.
            ask: Signal<Out, RingPlace>,
            /// With this cycle's, all groups of the head that were in memory before this cycle have
            /// been asked for; low without a head.
            head_asked: Signal<Out, Bit>,
        }
        locals {
            asks: Signal<Local, Bit>,
            overflow_bit: Signal<Local, U<32>>,
            head_bit: Signal<Local, U<32>>,
            tail: Signal<Local, U<32>>,
            head_left: Signal<Local, U<32>>,
            next_place: Signal<Local, U<32>>,
            after_place: Signal<Local, U<32>>,
            upto: Signal<Local, U<32>>,
        }
        constants {
            bit_zero: Lit<32, 1>,
            start: Lit<32, 0>,
            one: Lit<32, 1>,
            nothing: Constant<RingPlace>,
        }
        children {
            left: RegisterFile<U<32>, 5> = RegisterFile::of(32, 1, 1),
            asked: RegisterFile<U<32>, 5> = RegisterFile::of(32, 1, 0),
            left_begun: Register<U<32>>,
            asked_begun: Register<U<32>>,
        }
    }
}

impl Logic for RingCounts {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.left.control);
        Control::link(&mut self.control, &mut self.asked.control);
        Control::link(&mut self.control, &mut self.left_begun.control);
        Control::link(&mut self.control, &mut self.asked_begun.control);

        // A count that has not begun is zero, whatever its word holds.
        self.overflow_bit.next = self.bit_zero.val() << self.overflow.val().entry;
        self.left.also_address[0].next = self.overflow.val().entry;
        self.tail.next = self.start.val();
        if (self.left_begun.q.val() & self.overflow_bit.val()).any() {
            self.tail.next = self.left.also_data[0].val();
        }
        self.left.write_enable[0].next = self.overflow.val().valid;
        self.left.write_address[0].next = self.overflow.val().entry;
        self.left.write_data[0].next = self.tail.val() + self.one.val();
        self.left_begun.d.next = self.left_begun.q.val();
        if self.overflow.val().valid {
            self.left_begun.d.next = self.left_begun.q.val() | self.overflow_bit.val();
        }

        // The head's ring.
        self.head_bit.next = self.bit_zero.val() << self.head.val();
        self.left.address.next = self.head.val();
        self.asked.address.next = self.head.val();
        self.head_left.next = self.start.val();
        if (self.left_begun.q.val() & self.head_bit.val()).any() {
            self.head_left.next = self.left.data.val();
        }
        self.next_place.next = self.start.val();
        if (self.asked_begun.q.val() & self.head_bit.val()).any() {
            self.next_place.next = self.asked.data.val();
        }
        self.after_place.next = self.next_place.val() + self.one.val();
        self.asks.next = self.head_valid.val()
            & self.room.val()
            & (self.next_place.val() != self.head_left.val());
        self.ask.next = self.nothing.val();
        self.upto.next = self.next_place.val();
        if self.asks.val() {
            self.ask.next.valid = true;
            self.ask.next.kernel = self.head.val();
            self.ask.next.index = self.next_place.val();
            self.upto.next = self.after_place.val();
        }
        self.head_asked.next = self.head_valid.val() & (self.upto.val() == self.head_left.val());
        self.asked.write_enable[0].next = self.asks.val();
        self.asked.write_address[0].next = self.head.val();
        self.asked.write_data[0].next = self.after_place.val();
        self.asked_begun.d.next = self.asked_begun.q.val();
        if self.asks.val() {
            self.asked_begun.d.next = self.asked_begun.q.val() | self.head_bit.val();
        }
    }
}
