//! Who has most.

mod properties;

use crate::prelude::*;
use crate::prim::BitPlanes;

/// Bits of a count.
const BITS: usize = 6;

hdl_module! {
    /// Of `smxs` SMXs that ask, those with the largest count (`docs/most-room.md`, rule 3).
    ///
    /// ```text
    ///   request --> ( any with bit 5? only these ) --> ( bit 4? ) --> ... --> ( bit 0? ) --> most
    ///                        ^                             ^                      ^
    ///   count[s] ---[ planes: bit 5 of all ]---------[ bit 4 ]---- ... ------[ bit 0 ]
    /// ```
    ///
    /// Combinational, no storage.
    pub struct Most (smxs: usize) combinational {
        inputs {
            /// One bit for each SMX that asks; always valid.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// What each has; valid with its bit of `request`.
            count: Vec<Signal<In, U<6>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// Those of `request` with the largest count; zero when nobody asks.
            most: Signal<Out, Mask> = Signal::mask(smxs),
        }
        locals {
            left: Signal<Local, Mask> = Signal::mask(smxs),
        }
        children {
            planes: BitPlanes = BitPlanes::new(smxs),
        }
        state { smxs: usize = smxs, bits: usize = BITS }
        properties { properties::of }
    }
}

impl Logic for Most {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.smxs {
            self.planes.number[i].next = self.count[i].val();
        }
        self.left.next = self.request.val();
        for b in 0..self.bits {
            if (self.left.val() & self.planes.plane[b].val()).any() {
                self.left.next = self.left.val() & self.planes.plane[b].val();
            }
        }
        self.most.next = self.left.val();
    }
}
