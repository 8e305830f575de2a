//! How many blocks of each kernel one SMX holds.

mod properties;

use super::Choice;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// Resident blocks of each of eight kernels on one SMX.
    ///
    /// ```text
    ///   [resident] --(- finished)--> staying --(+ taken)--> [resident]
    /// ```
    ///
    /// `staying` is combinational in `finished`. Storage: 8 x 6 registers.
    pub struct Residents clocked {
        inputs {
            /// A block of this kernel ends here.
            finished: Signal<In, Choice>,
            /// A block of this kernel comes here.
            taken: Signal<In, Choice>,
        }
        outputs {
            /// As the cycle begins.
            resident: [Signal<Out, U<6>>; 8],
            /// Less the one that ends.
            staying: [Signal<Out, U<6>>; 8],
        }
        locals {
            gone: Signal<Local, U<8>>,
            come: Signal<Local, U<8>>,
            now: [Signal<Local, U<6>>; 8],
        }
        constants {
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            one: Lit<6, 1>,
        }
        children {
            count: [Register<U<6>>; 8],
        }
        properties { properties::of }
    }
}

impl Logic for Residents {
    #[hdl_gen]
    fn update(&mut self) {
        self.gone.next = self.nobody.val();
        if self.finished.val().valid {
            self.gone.next = self.bit_zero.val() << self.finished.val().kernel;
        }
        self.come.next = self.nobody.val();
        if self.taken.val().valid {
            self.come.next = self.bit_zero.val() << self.taken.val().kernel;
        }
        for k in 0..8 {
            Control::link(&mut self.control, &mut self.count[k].control);
            self.resident[k].next = self.count[k].q.val();
            self.now[k].next = self.count[k].q.val();
            if self.gone.val().get_bit(k) {
                self.now[k].next = self.count[k].q.val() - self.one.val();
            }
            self.staying[k].next = self.now[k].val();
            self.count[k].d.next = self.now[k].val();
            if self.come.val().get_bit(k) {
                self.count[k].d.next = self.now[k].val() + self.one.val();
            }
        }
    }
}
