//! The limits of just-in-time MPMax.

mod properties;

use super::Sum;
use crate::port::{Limits, Needs};
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// For each kernel how many of its blocks an SMX holds beside one of the largest co-runner
    /// (SRTF, section 5.2.2; rule 6 of `docs/srtf.md`), counted up one block a cycle whenever the
    /// set of kernels changes.
    ///
    /// ```text
    ///   needs[8], present --> [ maximum of the others ] --> [ sum ] --(+ needs)--> fits --> [ n ] --> limit[8]
    ///   change -------------> [ place, active, begun  ] --> busy
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `change` | `busy` | 1 |
    /// | `change` | all of `limit` | 9, and 1 + limit for each kernel |
    ///
    /// Storage: 4 + 1 + 49 + 6 + 8 x 6 registers.
    pub struct Reserve (limits: Limits) clocked {
        inputs {
            /// A kernel is accepted or leaves.
            change: Signal<In, Bit>,
            /// The kernels in the table.
            present: Signal<In, U<8>>,
            /// What their blocks take.
            needs: [Signal<In, Needs>; 8],
        }
        outputs {
            /// The limits are not known yet.
            busy: Signal<Out, Bit>,
            /// Most resident blocks of each kernel on an SMX.
            limit: [Signal<Out, U<6>>; 8],
        }
        locals {
            place_bit: Signal<Local, U<8>>,
            others: Signal<Local, U<8>>,
            here: Signal<Local, Bit>,
            own: Signal<Local, Needs>,
            looked_at: Signal<Local, Needs>,
            largest: Signal<Local, Needs>,
            start: Signal<Local, Sum>,
            more: Signal<Local, Sum>,
            slots: Signal<Local, U<6>>,
            fits: Signal<Local, Bit>,
            known: Signal<Local, U<6>>,
            advance: Signal<Local, Bit>,
            settle: Signal<Local, Bit>,
        }
        constants {
            bit_zero: Lit<8, 1>,
            first: Lit<3, 0>,
            next_place: Lit<3, 1>,
            zero: Lit<6, 0>,
            one: Lit<6, 1>,
            nothing: Constant<Needs>,
            most_threads: Constant<U<13>> = Constant::new(U::new(limits.threads)),
            most_registers: Constant<U<18>> = Constant::new(U::new(limits.registers)),
            most_shared_memory: Constant<U<18>> = Constant::new(U::new(limits.shared_memory)),
            most_slots: Constant<U<6>> = Constant::new(U::new(limits.slots)),
        }
        children {
            place: Register<U<3>>,
            active: Register<Bit>,
            begun: Register<Bit>,
            sum: Register<Sum>,
            n: Register<U<6>>,
            limits_of: [Register<U<6>>; 8],
        }
        properties { properties::of }
    }
}

impl Logic for Reserve {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.place.control);
        Control::link(&mut self.control, &mut self.active.control);
        Control::link(&mut self.control, &mut self.begun.control);
        Control::link(&mut self.control, &mut self.sum.control);
        Control::link(&mut self.control, &mut self.n.control);
        self.busy.next = self.active.q.val();

        // The kernel whose limit is computed, and the largest of each need of all others.
        self.place_bit.next = self.bit_zero.val() << self.place.q.val();
        self.others.next = self.present.val() & !self.place_bit.val();
        self.here.next = (self.present.val() & self.place_bit.val()).any();
        self.own.next = self.nothing.val();
        self.largest.next = self.nothing.val();
        for k in 0..8 {
            if self.place_bit.val().get_bit(k) {
                self.own.next = self.needs[k].val();
            }
            self.looked_at.next = self.needs[k].val();
            if self.others.val().get_bit(k) {
                if self.largest.val().threads < self.looked_at.val().threads {
                    self.largest.next.threads = self.looked_at.val().threads;
                }
                if self.largest.val().registers < self.looked_at.val().registers {
                    self.largest.next.registers = self.looked_at.val().registers;
                }
                if self.largest.val().shared_memory < self.looked_at.val().shared_memory {
                    self.largest.next.shared_memory = self.looked_at.val().shared_memory;
                }
            }
        }
        self.start.next.threads = bit_cast::<13, 12>(self.largest.val().threads);
        self.start.next.registers = bit_cast::<18, 17>(self.largest.val().registers);
        self.start.next.shared_memory = bit_cast::<18, 17>(self.largest.val().shared_memory);

        // One block more.
        self.more.next.threads =
            self.sum.q.val().threads + bit_cast::<13, 12>(self.own.val().threads);
        self.more.next.registers =
            self.sum.q.val().registers + bit_cast::<18, 17>(self.own.val().registers);
        self.more.next.shared_memory =
            self.sum.q.val().shared_memory + bit_cast::<18, 17>(self.own.val().shared_memory);
        self.slots.next = self.most_slots.val();
        if self.others.val().any() {
            self.slots.next = self.most_slots.val() - self.one.val();
        }
        self.fits.next = (self.more.val().threads <= self.most_threads.val())
            & (self.more.val().registers <= self.most_registers.val())
            & (self.more.val().shared_memory <= self.most_shared_memory.val())
            & (self.n.q.val() < self.slots.val());
        self.known.next = self.n.q.val();
        if self.n.q.val() == self.zero.val() {
            self.known.next = self.one.val();
        }

        self.settle.next = self.active.q.val()
            & !self.change.val()
            & self.here.val()
            & self.begun.q.val()
            & !self.fits.val();
        self.advance.next =
            self.settle.val() | (self.active.q.val() & !self.change.val() & !self.here.val());
        self.begun.d.next = self.begun.q.val();
        self.sum.d.next = self.sum.q.val();
        self.n.d.next = self.n.q.val();
        if self.active.q.val() & self.here.val() {
            if self.begun.q.val() {
                if self.fits.val() {
                    self.sum.d.next = self.more.val();
                    self.n.d.next = self.n.q.val() + self.one.val();
                }
            } else {
                self.begun.d.next = true;
                self.sum.d.next = self.start.val();
                self.n.d.next = self.zero.val();
            }
        }
        self.place.d.next = self.place.q.val();
        self.active.d.next = self.active.q.val();
        if self.advance.val() {
            self.begun.d.next = false;
            self.place.d.next = self.place.q.val() + self.next_place.val();
            self.active.d.next = !self.place.q.val().all();
        }
        if self.change.val() {
            self.begun.d.next = false;
            self.place.d.next = self.first.val();
            self.active.d.next = true;
            // What was under way is left as it was.
            self.sum.d.next = self.sum.q.val();
            self.n.d.next = self.n.q.val();
        }
        for k in 0..8 {
            Control::link(&mut self.control, &mut self.limits_of[k].control);
            self.limit[k].next = self.limits_of[k].q.val();
            self.limits_of[k].d.next = self.limits_of[k].q.val();
            if self.settle.val() & self.place_bit.val().get_bit(k) {
                self.limits_of[k].d.next = self.known.val();
            }
        }
    }
}
