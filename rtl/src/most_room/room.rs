//! Which SMXs have most room for a block.

use super::{Fits, Most};
use crate::port::{InUse, Needs};
use crate::prelude::*;

hdl_module! {
    /// Of `smxs` SMXs that ask, those on which most blocks with these needs still fit
    /// (`docs/most-room.md`, rules 2 and 3).
    ///
    /// ```text
    ///   free[s], needs --> [ fits[s] ] -- count[s] --> [ most ] --> most
    ///   request ------------------------------------------^
    /// ```
    ///
    /// Combinational, no storage.
    pub struct Room (smxs: usize) combinational {
        inputs {
            /// One bit for each SMX that asks; always valid.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// What a block takes; always valid.
            needs: Signal<In, Needs>,
            /// What no block holds on each SMX; always valid.
            free: Vec<Signal<In, InUse>> = Signal::each(smxs, InUse::default()),
        }
        outputs {
            /// Those of `request` on which most blocks fit; zero when nobody asks.
            most: Signal<Out, Mask> = Signal::mask(smxs),
        }
        children {
            fits: Vec<Fits> = (0..smxs).map(|_| Fits::fresh()).collect(),
            choice: Most = Most::new(smxs),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for Room {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.smxs {
            self.fits[i].free.next = self.free[i].val();
            self.fits[i].needs.next = self.needs.val();
            self.choice.count[i].next = self.fits[i].count.val();
        }
        self.choice.request.next = self.request.val();
        self.most.next = self.choice.most.val();
    }
}
