//! The order of the blocks of a grid.

use crate::port::{step_bits, BlockId};
use crate::prelude::*;

hdl_module! {
    /// The next `blocks` blocks of a grid, x running fastest, then y, then z.
    ///
    /// ```text
    ///   at ---> [ + 1 ] --> [ + 1 ] --> ... --> beyond
    ///   grid      |           |
    ///          block[0]    block[1]      count, ends, empty
    /// ```
    ///
    /// Combinational, no storage.
    pub struct BlockSequence (blocks: usize) combinational {
        inputs {
            /// The kernel's next block; within `grid` unless that is empty.
            at: Signal<In, BlockId>,
            /// The extent of the grid.
            grid: Signal<In, BlockId>,
        }
        outputs {
            /// The blocks from `at` on; the first `count` are valid.
            block: Vec<Signal<Out, BlockId>> = Signal::each(blocks, BlockId::default()),
            /// How many blocks are left, at most `blocks`; none of an empty grid.
            count: Signal<Out, Word> = Signal::word(step_bits(blocks)),
            /// The block after these; valid when not `ends`.
            beyond: Signal<Out, BlockId>,
            /// No block is left after these `count`.
            ends: Signal<Out, Bit>,
            /// The grid is empty.
            empty: Signal<Out, Bit>,
        }
        locals {
            here: Signal<Local, BlockId>,
            none: Signal<Local, Bit>,
            more: Signal<Local, Bit>,
            last_x: Signal<Local, Bit>,
            last_y: Signal<Local, Bit>,
            last_z: Signal<Local, Bit>,
            left: Signal<Local, Word> = Signal::word(step_bits(blocks)),
        }
        constants {
            zero_x: Lit<31, 0>,
            zero: Lit<16, 0>,
            one_x: Lit<31, 1>,
            one: Lit<16, 1>,
            up: Lit<5, 1>,
            no_block: Constant<Word> = Constant::new(Word::zero(step_bits(blocks))),
            one_block: Constant<Word> = Constant::new(Word::new(step_bits(blocks), 1)),
        }
        state { blocks: usize = blocks }
    }
}

impl Logic for BlockSequence {
    #[hdl_gen]
    fn update(&mut self) {
        self.none.next = (self.grid.val().x == self.zero_x.val())
            | (self.grid.val().y == self.zero.val())
            | (self.grid.val().z == self.zero.val());
        self.here.next = self.at.val();
        self.more.next = !self.none.val();
        self.left.next = self.no_block.val();
        for i in 0..self.blocks {
            self.block[i].next = self.here.val();
            if self.more.val() {
                self.left.next = self.left.val() + self.one_block.val();
            }
            // Whether each is the last of its extent: a + 1 == b, without the sum. They differ
            // where a carry comes in: at the lowest bit, and above each that a has and b has not.
            self.last_x.next = (self.here.val().x ^ self.grid.val().x)
                == (((self.here.val().x & !self.grid.val().x) << self.up.val()) | self.one_x.val());
            self.last_y.next = (self.here.val().y ^ self.grid.val().y)
                == (((self.here.val().y & !self.grid.val().y) << self.up.val()) | self.one.val());
            self.last_z.next = (self.here.val().z ^ self.grid.val().z)
                == (((self.here.val().z & !self.grid.val().z) << self.up.val()) | self.one.val());
            self.here.next.x = self.here.val().x + self.one_x.val();
            if self.last_x.val() {
                self.here.next.x = self.zero_x.val();
                self.here.next.y = self.here.val().y + self.one.val();
                if self.last_y.val() {
                    self.here.next.y = self.zero.val();
                    self.here.next.z = self.here.val().z + self.one.val();
                    if self.last_z.val() {
                        self.more.next = false;
                    }
                }
            }
        }
        self.count.next = self.left.val();
        self.beyond.next = self.here.val();
        self.ends.next = !self.more.val();
        self.empty.next = self.none.val();
    }
}
