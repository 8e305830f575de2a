//! The order of the blocks of a grid.

use super::{BlockAhead, DoubledStride, NextBlock, Stride};
use crate::port::{step_bits, BlockId};
use crate::prelude::*;
use crate::prim::verilog::bit;
use crate::prim::Popcount;

hdl_module! {
    /// The next `blocks` blocks of a grid, x running fastest, then y, then z: from each of those
    /// before on, as many further as there are.
    ///
    /// ```text
    ///   grid --> [ 1 ] --> [ 2 ] --> [ 4 ] ...                            strides
    ///              |         |         |
    ///   at ------>[+]------>[+]------>[+] ... --> block[], count
    ///    block[0]   [1]       [2, 3]    [4 .. 7]    | last
    ///                                               +--> [next_block] --> beyond, ends, empty
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
        children {
            strides: Vec<DoubledStride> =
                (0..doublings(blocks)).map(|_| DoubledStride::fresh()).collect(),
            ahead: Vec<BlockAhead> = (1..blocks).map(|_| BlockAhead::fresh()).collect(),
            there: Popcount = Popcount::new(blocks),
            after: NextBlock,
        }
    }
}

/// How often one has to be doubled so that `blocks` blocks are reached.
fn doublings(blocks: usize) -> usize {
    blocks.next_power_of_two().ilog2() as usize
}

/// Of `block`, other than the first one: from which one it is reached, and by which stride.
fn reached(block: usize) -> (usize, usize) {
    let stride = block.ilog2() as usize;
    (block - (1 << stride), stride)
}

impl BlockSequence {
    /// The block of this number, as far as it has come.
    fn number(&self, block: usize) -> BlockId {
        match block.checked_sub(1) {
            None => self.at.val(),
            Some(ahead) => self.ahead[ahead].block.val(),
        }
    }
}

impl Logic for BlockSequence {
    fn update(&mut self) {
        let (grid, blocks) = (self.grid.val(), self.block.len());
        // Up to 256 blocks have eight.
        let mut reach = [true; 8];
        for stride in 0..self.strides.len() {
            let (of, whole) = match stride.checked_sub(1) {
                None => (Stride::default(), true),
                Some(half) => (self.strides[half].twice.val(), reach[half]),
            };
            let doubled = &mut self.strides[stride];
            (doubled.of.next, doubled.one.next, doubled.grid.next) = (of, stride == 0, grid);
            reach[stride] = whole & doubled.exists.val();
        }
        let mut there = self.there.bits.val().zeros();
        there.set(0, !self.after.empty.val());
        for block in 1..blocks {
            let (from, stride) = reached(block);
            let (at, by) = (self.number(from), self.strides[stride].twice.val());
            let ahead = &mut self.ahead[block - 1];
            (ahead.at.next, ahead.by.next, ahead.grid.next) = (at, by, grid);
            there.set(block, there.get_bit(from) & reach[stride] & ahead.exists.val());
        }
        for block in 0..blocks {
            self.block[block].next = self.number(block);
        }
        self.there.bits.next = there;
        self.count.next = self.there.ones.val();
        self.after.at.next = self.number(blocks - 1);
        self.after.grid.next = grid;
        self.beyond.next = self.after.beyond.val();
        self.ends.next = !there.get_bit(blocks - 1) | self.after.ends.val();
        self.empty.next = self.after.empty.val();
    }

    fn connect(&mut self) {
        for stride in &mut self.strides {
            stride.of.connect();
            stride.one.connect();
            stride.grid.connect();
        }
        for ahead in &mut self.ahead {
            ahead.at.connect();
            ahead.by.connect();
            ahead.grid.connect();
        }
        self.block.iter_mut().for_each(|port| port.connect());
        self.there.bits.connect();
        self.count.connect();
        self.after.at.connect();
        self.after.grid.connect();
        self.beyond.connect();
        self.ends.connect();
        self.empty.connect();
    }

    fn hdl(&self) -> Verilog {
        let blocks = self.block.len();
        let number = |block: usize| match block.checked_sub(1) {
            None => "at".to_owned(),
            Some(ahead) => format!("ahead${ahead}$block"),
        };
        let (mut wires, mut code) = ("wire there$0 = ~after$empty;\n".to_owned(), String::new());
        let mut set = |to: String, what: &str| code += &format!("    {to} = {what};\n");
        for k in 0..self.strides.len() {
            let (half, one) = match k.checked_sub(1) {
                None => ("24'h0".to_owned(), "1'b1"),
                Some(half) => (format!("strides${half}$twice"), "1'b0"),
            };
            set(format!("strides${k}$of"), &half);
            set(format!("strides${k}$one"), one);
            set(format!("strides${k}$grid"), "grid");
        }
        for block in 1..blocks {
            let ((from, k), ahead) = (reached(block), format!("ahead${}", block - 1));
            set(format!("{ahead}$at"), &number(from));
            set(format!("{ahead}$by"), &format!("strides${k}$twice"));
            set(format!("{ahead}$grid"), "grid");
            let reach = (0..=k).map(|k| format!(" & strides${k}$exists")).collect::<String>();
            wires += &format!("wire there${block} = there${from}{reach} & {ahead}$exists;\n");
        }
        for block in 0..blocks {
            set(format!("block${block}"), &number(block));
            set(format!("there$bits{}", bit(blocks, block)), &format!("there${block}"));
        }
        set("count".to_owned(), "there$ones");
        set("after$at".to_owned(), &number(blocks - 1));
        set("after$grid".to_owned(), "grid");
        set("beyond".to_owned(), "after$beyond");
        set("ends".to_owned(), &format!("~there${} | after$ends", blocks - 1));
        set("empty".to_owned(), "after$empty");
        Verilog::Custom(format!("{wires}always @(*) begin\n{code}end\n"))
    }
}
