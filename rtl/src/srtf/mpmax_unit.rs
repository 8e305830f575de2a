//! One SMX under MPMax.

use super::{Choice, OldestBelow, Residents};
use crate::control::Control;
use crate::dispatch::{Limits, Needs, SmxResources};
use crate::hdl_module;
use crate::word::{bit_cast, Lit, U};
use rust_hdl::prelude::*;

hdl_module! {
    /// What each SMX decides for itself under `mpmax` (rules 4 and 7 of `docs/srtf.md`).
    ///
    /// ```text
    ///   eligible, older[8], limit[8] --> [oldest_below] --> choice --> needs --> [resources] --> asks
    ///   finished ----------------------> [residents] ---------------------------------^
    /// ```
    ///
    /// Storage: that of its children.
    pub struct MpmaxUnit [] [] (limits: Limits) clocked {
        inputs {
            /// Kernels with blocks left.
            eligible: Signal<In, U<8>>,
            /// For each kernel those that are older.
            older: [Signal<In, U<8>>; 8],
            /// What its blocks take.
            needs: [Signal<In, Needs>; 8],
            /// Most resident blocks of each kernel.
            limit: [Signal<In, U<6>>; 8],
            /// A block ends here.
            finished: Signal<In, Bit>,
            /// Whose it is, an entry below 8; valid with `finished`.
            finished_kernel: Signal<In, U<5>>,
            /// The SMX receives a block of its choice.
            taken: Signal<In, Bit>,
        }
        outputs {
            /// The kernel that it serves.
            choice: Signal<Out, Choice>,
            /// A block of it fits.
            asks: Signal<Out, Bit>,
        }
        locals {
            wanted: Signal<Local, U<8>>,
            ends: Signal<Local, Choice>,
            gone: Signal<Local, U<8>>,
            received: Signal<Local, Choice>,
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
            residents: Residents,
            select: OldestBelow,
            resources: SmxResources = SmxResources::new(limits),
        }
    }
}

impl Logic for MpmaxUnit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.residents.control);
        Control::link(&mut self.control, &mut self.resources.control);
        self.select.eligible.next = self.eligible.val();
        self.wanted.next = self.nobody.val();
        if self.select.choice.val().valid {
            self.wanted.next = self.bit_zero.val() << self.select.choice.val().kernel;
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
            self.select.older[k].next = self.older[k].val();
            self.select.staying[k].next = self.residents.staying[k].val();
            self.select.limit[k].next = self.limit[k].val();
            if self.wanted.val().get_bit(k) {
                self.choice_needs.next = self.needs[k].val();
            }
            if self.gone.val().get_bit(k) {
                self.freed.next = self.needs[k].val();
            }
        }
        self.choice.next = self.select.choice.val();
        self.resources.needs.next = self.choice_needs.val();
        self.resources.finished.next = self.finished.val();
        self.resources.freed.next = self.freed.val();
        self.resources.take.next = self.taken.val();
        self.asks.next = self.select.choice.val().valid & self.resources.room.val();
        self.received.next = self.none.val();
        if self.taken.val() {
            self.received.next = self.select.choice.val();
        }
        self.residents.finished.next = self.ends.val();
        self.residents.taken.next = self.received.val();
    }
}
