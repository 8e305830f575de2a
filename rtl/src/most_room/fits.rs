//! How many blocks still fit an SMX.

mod properties;

use crate::port::{InUse, Needs};
use crate::prelude::*;
use crate::prim::Quotient;

hdl_module! {
    /// The room of an SMX in blocks: the least of its free slots and of what is free of each
    /// resource divided by what a block needs (`docs/most-room.md`, rule 2).
    ///
    /// ```text
    ///   free, needs --> [ quotient ] threads       --+
    ///               --> [ quotient ] registers     --+--> min --> count
    ///               --> [ quotient ] shared memory --+
    ///   free.slots ----------------------------------+
    /// ```
    ///
    /// Combinational, no storage.
    pub struct Fits combinational {
        inputs {
            /// What no block holds; always valid.
            free: Signal<In, InUse>,
            /// What a block takes; always valid.
            needs: Signal<In, Needs>,
        }
        outputs {
            /// How many such blocks fit; 0 to 63.
            count: Signal<Out, U<6>>,
        }
        locals {
            slots: Signal<Local, U<7>>,
            least: Signal<Local, U<6>>,
        }
        children {
            threads: Quotient = Quotient::new(13),
            registers: Quotient = Quotient::new(18),
            shared_memory: Quotient = Quotient::new(18),
        }
        state { thread_bits: usize = 13, bits: usize = 18 }
        properties { properties::of }
    }
}

impl Logic for Fits {
    #[hdl_gen]
    fn update(&mut self) {
        self.threads.dividend.next = bit_cast_to(self.free.val().threads, self.thread_bits);
        self.threads.divisor.next = bit_cast_to(self.needs.val().threads, self.thread_bits);
        self.registers.dividend.next = bit_cast_to(self.free.val().registers, self.bits);
        self.registers.divisor.next = bit_cast_to(self.needs.val().registers, self.bits);
        self.shared_memory.dividend.next = bit_cast_to(self.free.val().shared_memory, self.bits);
        self.shared_memory.divisor.next = bit_cast_to(self.needs.val().shared_memory, self.bits);
        self.slots.next = self.free.val().slots;
        self.least.next = self.slots.val().get_bits::<6>(0);
        if self.threads.quotient.val() < self.least.val() {
            self.least.next = self.threads.quotient.val();
        }
        if self.registers.quotient.val() < self.least.val() {
            self.least.next = self.registers.quotient.val();
        }
        if self.shared_memory.quotient.val() < self.least.val() {
            self.least.next = self.shared_memory.quotient.val();
        }
        self.count.next = self.least.val();
    }
}
