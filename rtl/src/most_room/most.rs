//! Who has most.

use crate::prelude::*;
use crate::prim::Bundle;

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
            // The highest bit first.
            planes: Vec<Plane> = (0..BITS).rev().map(|bit| Plane::new(smxs, bit)).collect(),
        }
        state { smxs: usize = smxs, bits: usize = BITS }
    }
}

impl Logic for Most {
    #[hdl_gen]
    fn update(&mut self) {
        self.left.next = self.request.val();
        for b in 0..self.bits {
            for i in 0..self.smxs {
                self.planes[b].count[i].next = self.count[i].val();
            }
            if (self.left.val() & self.planes[b].plane.val()).any() {
                self.left.next = self.left.val() & self.planes[b].plane.val();
            }
        }
        self.most.next = self.left.val();
    }
}

hdl_module! {
    /// One bit of each of `smxs` counts, as a mask: wires, no logic and no storage.
    pub struct Plane (smxs: usize, bit: usize) combinational {
        inputs {
            /// The counts; always valid.
            count: Vec<Signal<In, U<6>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// Bit `bit` of each.
            plane: Signal<Out, Mask> = Signal::mask(smxs),
        }
        locals {
            picked: Signal<Local, U<6>>,
        }
        constants {
            only: Constant<U<6>> = Constant::new(U::new(1 << bit)),
        }
        children {
            bits: Bundle<Mask> = Bundle::of(smxs),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for Plane {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.smxs {
            self.picked.next = self.count[i].val() & self.only.val();
            self.bits.bits[i].next = self.picked.val().any();
        }
        self.plane.next = self.bits.word.val();
    }
}
