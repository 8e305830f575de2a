//! What each SMX has in use, and whether another block fits.

use super::{InUse, Limits, Needs};
use crate::control::Control;
use crate::hdl_module;
use crate::prim::{Bundle, Register};
use crate::word::{bit_cast, Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// The resources of one SMX: in use, less what a finished block returns, plus what the next one
    /// needs, against the limits.
    ///
    /// ```text
    ///   [in use] --(-freed)--> now --(+needs)--> sum --(<= limits)--> room
    ///       ^                                     |
    ///       +----------- take ? sum : now --------+
    /// ```
    ///
    /// `room` is combinational in `finished`, `freed` and `needs`. Storage: 56 registers.
    pub struct SmxResources [] [] (limits: Limits) clocked {
        inputs {
            /// A resident block ends in this cycle.
            finished: Signal<In, Bit>,
            /// What it returns; zero unless `finished`.
            freed: Signal<In, Needs>,
            /// What the next block takes; always valid.
            needs: Signal<In, Needs>,
            /// The next block goes to this SMX.
            take: Signal<In, Bit>,
        }
        outputs {
            /// The next block fits.
            room: Signal<Out, Bit>,
            /// No block is resident; depends on the state alone.
            vacant: Signal<Out, Bit>,
        }
        locals {
            now: Signal<Local, InUse>,
            sum: Signal<Local, InUse>,
        }
        constants {
            none: Lit<7, 0>,
            one: Lit<7, 1>,
            most_threads: Constant<U<13>> = Constant::new(U::new(limits.threads)),
            most_registers: Constant<U<18>> = Constant::new(U::new(limits.registers)),
            most_shared_memory: Constant<U<18>> = Constant::new(U::new(limits.shared_memory)),
            most_slots: Constant<U<7>> = Constant::new(U::new(limits.slots)),
        }
        children {
            in_use: Register<InUse>,
        }
    }
}

impl Logic for SmxResources {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.in_use.control);
        self.vacant.next = self.in_use.q.val().slots == self.none.val();
        self.now.next = self.in_use.q.val();
        self.now.next.threads =
            self.in_use.q.val().threads - bit_cast::<13, 12>(self.freed.val().threads);
        self.now.next.registers =
            self.in_use.q.val().registers - bit_cast::<18, 17>(self.freed.val().registers);
        self.now.next.shared_memory =
            self.in_use.q.val().shared_memory - bit_cast::<18, 17>(self.freed.val().shared_memory);
        if self.finished.val() {
            self.now.next.slots = self.in_use.q.val().slots - self.one.val();
        }
        self.sum.next.threads =
            self.now.val().threads + bit_cast::<13, 12>(self.needs.val().threads);
        self.sum.next.registers =
            self.now.val().registers + bit_cast::<18, 17>(self.needs.val().registers);
        self.sum.next.shared_memory =
            self.now.val().shared_memory + bit_cast::<18, 17>(self.needs.val().shared_memory);
        self.sum.next.slots = self.now.val().slots + self.one.val();
        self.room.next = (self.sum.val().threads <= self.most_threads.val())
            & (self.sum.val().registers <= self.most_registers.val())
            & (self.sum.val().shared_memory <= self.most_shared_memory.val())
            & (self.sum.val().slots <= self.most_slots.val());
        self.in_use.d.next = self.now.val();
        if self.take.val() {
            self.in_use.d.next = self.sum.val();
        }
    }
}

hdl_module! {
    /// [`SmxResources`] for each of `N` SMXs (1 to 32), all with the same limits.
    ///
    /// ```text
    ///   needs ----------------------> [ SMX 0 .. N-1 ] --> room
    ///   finished, freed[s], take ---> [              ]
    /// ```
    ///
    /// Latency as [`SmxResources`]. Storage: `N * 56` registers.
    pub struct ResourceTable [const N: usize] [N] (limits: Limits) clocked {
        inputs {
            /// What the next block takes; always valid.
            needs: Signal<In, Needs>,
            /// One bit for each SMX: a block ends there.
            finished: Signal<In, U<N>>,
            /// What each SMX's finished block returns; zero without one.
            freed: [Signal<In, Needs>; N],
            /// One bit for each SMX: the next block goes there.
            take: Signal<In, U<N>>,
        }
        outputs {
            /// One bit for each SMX: the next block fits.
            room: Signal<Out, U<N>>,
        }
        children {
            smx: [SmxResources; N] = std::array::from_fn(|_| SmxResources::new(limits)),
            rooms: Bundle<N>,
        }
    }
}

impl<const N: usize> Logic for ResourceTable<N> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..N {
            Control::link(&mut self.control, &mut self.smx[i].control);
            self.smx[i].needs.next = self.needs.val();
            self.smx[i].finished.next = self.finished.val().get_bit(i);
            self.smx[i].freed.next = self.freed[i].val();
            self.smx[i].take.next = self.take.val().get_bit(i);
            self.rooms.bits[i].next = self.smx[i].room.val();
        }
        self.room.next = self.rooms.word.val();
    }
}
