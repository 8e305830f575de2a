//! Whether a block of an SMX's choice fits there.

use super::Choice;
use crate::dispatch::SmxResources;
use crate::port::{Limits, Needs};
use crate::prelude::*;

hdl_module! {
    /// The resources of one SMX against the needs of the kernel that it serves (rule 4 of
    /// `docs/srtf.md`).
    ///
    /// ```text
    ///   choice, needs[8] ----------> [resources] --> asks
    ///   finished, finished_kernel -> [         ] --> ended (as a choice)
    ///   taken ---------------------> [         ] --> received (as a choice)
    /// ```
    ///
    /// All outputs are combinational. Storage: that of the resources.
    pub struct ChoiceRoom (limits: Limits) clocked {
        inputs {
            /// The kernel that the SMX serves.
            choice: Signal<In, Choice>,
            /// What the blocks of each kernel take.
            needs: [Signal<In, Needs>; 8],
            /// A block ends here.
            finished: Signal<In, Bit>,
            /// Whose it is, an entry below 8; valid with `finished`.
            finished_kernel: Signal<In, U<5>>,
            /// The SMX receives a block of its choice.
            taken: Signal<In, Bit>,
        }
        outputs {
            /// A block of its choice fits.
            asks: Signal<Out, Bit>,
            /// The kernel whose block ends; zero without one.
            ended: Signal<Out, Choice>,
            /// The kernel whose block comes; zero without one.
            received: Signal<Out, Choice>,
        }
        locals {
            wanted: Signal<Local, U<8>>,
            ends: Signal<Local, Choice>,
            gone: Signal<Local, U<8>>,
            choice_needs: Signal<Local, Needs>,
            freed: Signal<Local, Needs>,
        }
        constants {
            none: Constant<Choice>,
            nobody: Lit<8, 0>,
            bit_zero: Lit<8, 1>,
            nothing: Constant<Needs>,
        }
        children {
            resources: SmxResources = SmxResources::new(limits),
        }
    }
}

impl Logic for ChoiceRoom {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.resources.control);
        self.wanted.next = self.nobody.val();
        if self.choice.val().valid {
            self.wanted.next = self.bit_zero.val() << self.choice.val().kernel;
        }
        self.ends.next = self.none.val();
        self.gone.next = self.nobody.val();
        if self.finished.val() {
            self.ends.next.valid = true;
            self.ends.next.kernel = bit_cast::<3, 5>(self.finished_kernel.val());
            self.gone.next = self.bit_zero.val() << self.ends.val().kernel;
        }
        self.choice_needs.next = self.nothing.val();
        self.freed.next = self.nothing.val();
        for k in 0..8 {
            if self.wanted.val().get_bit(k) {
                self.choice_needs.next = self.needs[k].val();
            }
            if self.gone.val().get_bit(k) {
                self.freed.next = self.needs[k].val();
            }
        }
        self.resources.needs.next = self.choice_needs.val();
        self.resources.finished.next = self.finished.val();
        self.resources.freed.next = self.freed.val();
        self.resources.take.next = self.taken.val();
        self.asks.next = self.choice.val().valid & self.resources.room.val();
        self.ended.next = self.ends.val();
        self.received.next = self.none.val();
        if self.taken.val() {
            self.received.next = self.choice.val();
        }
    }
}
