//! How many blocks each SMX holds, against a limit.

use crate::control::Control;
use crate::hdl_module;
use crate::prim::{Bundle, Register};
use crate::word::{Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// Counts the resident blocks of `N` SMXs (1 to 32), of any kernel.
    ///
    /// ```text
    ///   [resident] --(- finished)--> now --(< limit)--> below
    ///       ^                         |
    ///       +------- (+ taken) -------+
    /// ```
    ///
    /// `below` is combinational in `finished` and `limit`. Storage: `N * 6` registers.
    pub struct Residents [const N: usize] [N] clocked {
        inputs {
            /// One bit for each SMX: a resident block ends there in this cycle.
            finished: Signal<In, U<N>>,
            /// One bit for each SMX: it receives a block in this cycle.
            taken: Signal<In, U<N>>,
            /// How many blocks each SMX may hold.
            limit: [Signal<In, U<6>>; N],
        }
        outputs {
            /// One bit for each SMX: without the block that ends it holds fewer than its limit.
            below: Signal<Out, U<N>>,
        }
        locals {
            now: [Signal<Local, U<6>>; N],
        }
        constants {
            one: Lit<6, 1>,
        }
        children {
            resident: [Register<U<6>>; N],
            belows: Bundle<N>,
        }
    }
}

impl<const N: usize> Logic for Residents<N> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..N {
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
