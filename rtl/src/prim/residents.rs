//! How many blocks each SMX holds, against a limit.

use crate::prelude::*;
use crate::prim::{Bundle, Register};

hdl_module! {
    /// Counts the resident blocks of `smxs` SMXs, of any kernel.
    ///
    /// ```text
    ///   [resident] --(- finished)--> now --(< limit)--> below
    ///       ^                         |
    ///       +------- (+ taken) -------+
    /// ```
    ///
    /// `below` is combinational in `finished` and `limit`. Storage: `smxs * 6` registers.
    pub struct Residents (smxs: usize) clocked {
        inputs {
            /// One bit for each SMX: a resident block ends there in this cycle.
            finished: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each SMX: it receives a block in this cycle.
            taken: Signal<In, Mask> = Signal::mask(smxs),
            /// How many blocks each SMX may hold.
            limit: Vec<Signal<In, U<6>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// One bit for each SMX: without the block that ends it holds fewer than its limit.
            below: Signal<Out, Mask> = Signal::mask(smxs),
        }
        locals {
            now: Vec<Signal<Local, U<6>>> = Signal::each(smxs, U::new(0)),
        }
        constants {
            one: Lit<6, 1>,
        }
        children {
            resident: Vec<Register<U<6>>> = Register::each(smxs, U::new(0)),
            belows: Bundle<Mask> = Bundle::of(smxs),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for Residents {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.resident[i].control);
            self.now[i].next = self.resident[i].q.val();
            if self.finished.val().get_bit(i) {
                self.now[i].next = self.resident[i].q.val() - self.one.val();
            }
            self.belows.bits[i].next = self.now[i].val() < self.limit[i].val();
            self.resident[i].d.next = self.now[i].val();
            if self.taken.val().get_bit(i) {
                self.resident[i].d.next = self.now[i].val() + self.one.val();
            }
        }
        self.below.next = self.belows.word.val();
    }
}
