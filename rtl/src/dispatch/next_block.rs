//! The block behind another one in a grid.

mod properties;

use crate::port::BlockId;
use crate::prelude::*;

hdl_module! {
    /// The block of a grid behind `at`, x running fastest, then y, then z.
    ///
    /// ```text
    ///   at, grid --> [ last of its row, its plane, all? ] --> beyond, ends, empty
    /// ```
    ///
    /// Combinational, no storage.
    pub struct NextBlock combinational {
        inputs {
            /// A block; within `grid` unless that is empty.
            at: Signal<In, BlockId>,
            /// The extent of the grid.
            grid: Signal<In, BlockId>,
        }
        outputs {
            /// The block behind it; valid when not `ends`.
            beyond: Signal<Out, BlockId>,
            /// There is none.
            ends: Signal<Out, Bit>,
            /// The grid is empty.
            empty: Signal<Out, Bit>,
        }
        locals {
            none: Signal<Local, Bit>,
            more: Signal<Local, Bit>,
            last_x: Signal<Local, Bit>,
            last_y: Signal<Local, Bit>,
            last_z: Signal<Local, Bit>,
        }
        constants {
            zero_x: Lit<31, 0>,
            zero: Lit<16, 0>,
            one_x: Lit<31, 1>,
            one: Lit<16, 1>,
            up: Lit<5, 1>,
        }
        properties { properties::of }
    }
}

impl Logic for NextBlock {
    #[hdl_gen]
    fn update(&mut self) {
        self.none.next = (self.grid.val().x == self.zero_x.val())
            | (self.grid.val().y == self.zero.val())
            | (self.grid.val().z == self.zero.val());
        self.more.next = !self.none.val();
        // Whether it is the last of each extent: a + 1 == b, without the sum. They differ where a
        // carry comes in: at the lowest bit, and above each that a has and b has not.
        self.last_x.next = (self.at.val().x ^ self.grid.val().x)
            == (((self.at.val().x & !self.grid.val().x) << self.up.val()) | self.one_x.val());
        self.last_y.next = (self.at.val().y ^ self.grid.val().y)
            == (((self.at.val().y & !self.grid.val().y) << self.up.val()) | self.one.val());
        self.last_z.next = (self.at.val().z ^ self.grid.val().z)
            == (((self.at.val().z & !self.grid.val().z) << self.up.val()) | self.one.val());
        self.beyond.next = self.at.val();
        self.beyond.next.x = self.at.val().x + self.one_x.val();
        if self.last_x.val() {
            self.beyond.next.x = self.zero_x.val();
            self.beyond.next.y = self.at.val().y + self.one.val();
            if self.last_y.val() {
                self.beyond.next.y = self.zero.val();
                self.beyond.next.z = self.at.val().z + self.one.val();
                if self.last_z.val() {
                    self.more.next = false;
                }
            }
        }
        self.ends.next = !self.more.val();
        self.empty.next = self.none.val();
    }
}
