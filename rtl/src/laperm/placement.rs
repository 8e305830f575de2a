//! To which queue what a block launches belongs.

use super::{Parent, Place};
use crate::hdl_module;
use crate::word::{Lit, U};
use rust_hdl::prelude::*;

/// How SMXs and levels are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// SMXs that share a queue, at least 1.
    pub cluster: usize,
    /// Levels of child blocks (L), 1 to 8.
    pub levels: u64,
}

hdl_module! {
    /// The queue of the launching block's SMX, and the level after its own, at most L (LaPerm, sections IV-A
    /// and IV-B). Combinational, no storage.
    ///
    /// ```text
    ///   parent --> [ queue of each SMX ], [ + 1, at most L ] --> place
    /// ```
    pub struct Placement [const N: usize] [N] (division: Division) combinational {
        inputs {
            /// The launching block; its SMX is below `N`.
            parent: Signal<In, Parent>,
        }
        outputs {
            /// Where what it launches belongs.
            place: Signal<Out, Place>,
        }
        locals {
            queue: Signal<Local, U<5>>,
            level: Signal<Local, U<4>>,
        }
        constants {
            first: Lit<5, 0>,
            one: Lit<4, 1>,
            most: Constant<U<4>> = Constant::new(U::new(division.levels)),
            smx: [Constant<U<5>>; N] = std::array::from_fn(|s| Constant::new(U::new(s as u64))),
            queue_of: [Constant<U<5>>; N] =
                std::array::from_fn(|s| Constant::new(U::new((s / division.cluster) as u64))),
        }
    }
}

impl<const N: usize> Logic for Placement<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.queue.next = self.first.val();
        for i in 0..N {
            if self.parent.val().smx == self.smx[i].val() {
                self.queue.next = self.queue_of[i].val();
            }
        }
        self.level.next = self.parent.val().level + self.one.val();
        if self.parent.val().level >= self.most.val() {
            self.level.next = self.most.val();
        }
        self.place.next.queue = self.queue.val();
        self.place.next.level = self.level.val();
    }
}
