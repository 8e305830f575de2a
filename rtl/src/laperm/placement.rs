//! To which queue what a block launches belongs.

use super::{Parent, Place};
use crate::prelude::*;

/// How SMXs and levels are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// SMXs that share a queue, at least 1.
    pub cluster: usize,
    /// Levels of child blocks (L), 1 to 8.
    pub levels: u64,
}

hdl_module! {
    /// The queue of the launching block's SMX, and the level after its own, at most L (LaPerm,
    /// sections IV-A and IV-B). Combinational, no storage.
    ///
    /// ```text
    ///   parent --> [ queue of each SMX ], [ + 1, at most L ] --> place
    /// ```
    pub struct Placement (smxs: usize, division: Division) combinational {
        inputs {
            /// The launching block; its SMX is below `smxs`.
            parent: Signal<In, Parent> = Signal::of(Parent::none(smxs)),
        }
        outputs {
            /// Where what it launches belongs.
            place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
        }
        locals {
            queue: Signal<Local, Word> = Signal::id(smxs),
            level: Signal<Local, U<4>>,
        }
        constants {
            first: Constant<Word> = Constant::id(smxs, 0),
            one: Lit<4, 1>,
            most: Constant<U<4>> = Constant::new(U::new(division.levels)),
            smx: Vec<Constant<Word>> = Constant::ids(smxs),
            queue_of: Vec<Constant<Word>> =
                (0..smxs).map(|s| Constant::id(smxs, s / division.cluster)).collect(),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for Placement {
    #[hdl_gen]
    fn update(&mut self) {
        self.queue.next = self.first.val();
        for i in 0..self.smxs {
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
