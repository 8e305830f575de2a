//! The kernel with the least time.

use super::oldest::Oldest;
use super::sooner::Sooner;
use super::Choice;
use crate::prelude::*;

hdl_module! {
    /// The kernel of a set with the least time, the older one of equals. Combinational, no storage.
    ///
    /// ```text
    ///   time[8], older[8] --> [ sooner ] --> [ first of among ] --> choice
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
        children {
            order: Sooner,
            first: Oldest,
        }
    }
}

impl Logic for Least {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.among.next = self.among.val();
        for k in 0..8 {
            self.order.older[k].next = self.older[k].val();
            self.order.time[k].next = self.time[k].val();
            self.first.older[k].next = self.order.sooner[k].val();
        }
        self.choice.next = self.first.choice.val();
    }
}
