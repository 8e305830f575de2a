//! Which SMX has waited longest for a block.

use crate::prelude::*;
use crate::prim::{Bundle, Register};

hdl_module! {
    /// A matrix arbiter: for each of `smxs` SMXs, which others have waited longer.
    ///
    /// ```text
    ///   request, [a row each SMX] --> nobody older asks --> [bundle] --> allow
    ///   taken --> the one that is served is older than nobody from now on
    /// ```
    ///
    /// `allow` is combinational in `request`; who is served in `c` is the youngest in `c + 1`.
    /// After reset an SMX is older than those of higher numbers. Storage: `smxs * smxs` register
    /// bits.
    pub struct Order (smxs: usize) clocked {
        inputs {
            /// One bit for each SMX that asks for a block; always valid.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for the SMX to which a block goes in this cycle; within `allow`.
            taken: Signal<In, Mask> = Signal::mask(smxs),
        }
        outputs {
            /// The one of `request` that has waited longest, one-hot; zero when nobody asks.
            allow: Signal<Out, Mask> = Signal::mask(smxs),
        }
        locals {
            older: Vec<Signal<Local, Mask>> = Signal::each(smxs, Mask::none(smxs)),
            then: Vec<Signal<Local, Mask>> = Signal::each(smxs, Mask::none(smxs)),
        }
        constants {
            at_reset: Vec<Constant<Mask>> = (0..smxs)
                .map(|smx| Constant::new(Mask::gather(smxs, |other| other < smx)))
                .collect(),
            others: Vec<Constant<Mask>> = (0..smxs)
                .map(|smx| Constant::new(Mask::gather(smxs, |other| other != smx)))
                .collect(),
        }
        children {
            // Of each row the bits that are others than after reset, since registers reset to zero.
            smx: Vec<Register<Mask>> = Register::each(smxs, Mask::none(smxs)),
            oldest: Bundle<Mask> = Bundle::of(smxs),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for Order {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.smx[i].control);
            self.older[i].next = (self.smx[i].q.val() & !self.at_reset[i].val())
                | (self.at_reset[i].val() & !self.smx[i].q.val());
            self.oldest.bits[i].next =
                self.request.val().get_bit(i) & !(self.older[i].val() & self.request.val()).any();
            self.then[i].next = self.older[i].val() & !self.taken.val();
            if self.taken.val().get_bit(i) {
                self.then[i].next = self.others[i].val();
            }
            self.smx[i].d.next = (self.then[i].val() & !self.at_reset[i].val())
                | (self.at_reset[i].val() & !self.then[i].val());
        }
        self.allow.next = self.oldest.word.val();
    }
}
