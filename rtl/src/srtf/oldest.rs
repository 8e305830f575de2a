//! The oldest of a set of kernels.

use super::Choice;
use crate::prelude::*;

hdl_module! {
    /// The kernel of a set than which no other of the set is older, or comes before it in another
    /// order ([`super::sooner::Sooner`]). Combinational, no storage.
    ///
    /// ```text
    ///   among, older[8] --> choice
    /// ```
    pub struct Oldest combinational {
        inputs {
            /// The set.
            among: Signal<In, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
        }
        outputs {
            /// Its oldest one; zero when there is none.
            choice: Signal<Out, Choice>,
        }
        locals {
            chosen: Signal<Local, Choice>,
        }
        constants {
            none: Constant<Choice>,
            numbers: [Constant<U<3>>; 8] = std::array::from_fn(|k| Constant::new(U::new(k as u64))),
        }
    }
}

impl Logic for Oldest {
    #[hdl_gen]
    fn update(&mut self) {
        self.chosen.next = self.none.val();
        for k in 0..8 {
            if self.among.val().get_bit(k) & !(self.older[k].val() & self.among.val()).any() {
                self.chosen.next.valid = true;
                self.chosen.next.kernel = self.numbers[k].val();
            }
        }
        self.choice.next = self.chosen.val();
    }
}
