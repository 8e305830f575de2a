//! The block before and the block behind.

mod properties;

use crate::port::BlockId;
use crate::prelude::*;

hdl_module! {
    /// The neighbour of a block in the order of linear ids, x running fastest.
    ///
    /// ```text
    ///   at, grid, forward --> [ + 1 or - 1 ] --> to
    /// ```
    ///
    /// One place behind the last block is (0, 0, grid z). Combinational, no storage.
    pub struct BlockStep combinational {
        inputs {
            /// A block of the grid; or the place behind its last one, unless `forward`.
            at: Signal<In, BlockId>,
            /// The extent of the grid; no dimension zero.
            grid: Signal<In, BlockId>,
            /// The block behind; otherwise the one before, which the first block does not have.
            forward: Signal<In, Bit>,
        }
        outputs {
            /// The neighbour.
            to: Signal<Out, BlockId>,
        }
        locals {
            moved: Signal<Local, BlockId>,
        }
        constants {
            zero_x: Lit<31, 0>,
            zero: Lit<16, 0>,
            one_x: Lit<31, 1>,
            one: Lit<16, 1>,
        }
        properties { properties::of }
    }
}

impl Logic for BlockStep {
    #[hdl_gen]
    fn update(&mut self) {
        self.moved.next = self.at.val();
        if self.forward.val() {
            self.moved.next.x = self.at.val().x + self.one_x.val();
            if self.moved.val().x == self.grid.val().x {
                self.moved.next.x = self.zero_x.val();
                self.moved.next.y = self.at.val().y + self.one.val();
                if self.moved.val().y == self.grid.val().y {
                    self.moved.next.y = self.zero.val();
                    self.moved.next.z = self.at.val().z + self.one.val();
                }
            }
        } else {
            self.moved.next.x = self.at.val().x - self.one_x.val();
            if self.at.val().x == self.zero_x.val() {
                self.moved.next.x = self.grid.val().x - self.one_x.val();
                self.moved.next.y = self.at.val().y - self.one.val();
                if self.at.val().y == self.zero.val() {
                    self.moved.next.y = self.grid.val().y - self.one.val();
                    self.moved.next.z = self.at.val().z - self.one.val();
                }
            }
        }
        self.to.next = self.moved.val();
    }
}
