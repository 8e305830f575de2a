//! The kernel with the least time.

use super::Choice;
use crate::prelude::*;

hdl_module! {
    /// The kernel of a set with the least time, the older one of equals. Combinational, no storage.
    ///
    /// ```text
    ///   among, time[8], older[8] --> choice
    /// ```
    pub struct Least combinational {
        inputs {
            /// The set.
            among: Signal<In, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// The time of each kernel.
            time: [Signal<In, U<40>>; 8],
        }
        outputs {
            /// The one with the least; zero when there is none.
            choice: Signal<Out, Choice>,
        }
        locals {
            chosen: Signal<Local, Choice>,
            best: Signal<Local, U<40>>,
            behind: Signal<Local, U<8>>,
            better: Signal<Local, Bit>,
        }
        constants {
            none: Constant<Choice>,
            no_time: Lit<40, 0>,
            nobody: Lit<8, 0>,
            numbers: [Constant<U<3>>; 8] = std::array::from_fn(|k| Constant::new(U::new(k as u64))),
        }
    }
}

impl Logic for Least {
    #[hdl_gen]
    fn update(&mut self) {
        self.chosen.next = self.none.val();
        self.best.next = self.no_time.val();
        // Those that are older than the best so far.
        self.behind.next = self.nobody.val();
        for k in 0..8 {
            self.better.next = !self.chosen.val().valid
                | (self.time[k].val() < self.best.val())
                | ((self.time[k].val() == self.best.val()) & self.behind.val().get_bit(k));
            if self.among.val().get_bit(k) & self.better.val() {
                self.chosen.next.valid = true;
                self.chosen.next.kernel = self.numbers[k].val();
                self.best.next = self.time[k].val();
                self.behind.next = self.older[k].val();
            }
        }
        self.choice.next = self.chosen.val();
    }
}
