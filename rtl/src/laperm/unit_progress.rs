//! How far the first unit of each level has got.

use crate::dispatch::NextBlock;
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{Register, RegisterFile};

hdl_module! {
    /// NextBL of a priority queue (LaPerm, section IV-A). Within a level units go first come, first
    /// served, so one register for each level is enough: a unit that has begun is the first of its
    /// level until it leaves.
    ///
    /// ```text
    ///   rank ---------> [ begun ] [ NextBL of each level ] --> at
    ///   step, remove -> [       ] [                      ]     |
    ///   grid -----------------------------------------> [next_block] --> ends, empty
    /// ```
    ///
    /// Everything is combinational in `rank` and `grid`. Storage: 63 bits for each of `levels`
    /// levels (rounded up to a power of two) and 8 registers.
    pub(super) struct UnitProgress (levels: usize) clocked {
        inputs {
            /// 8 less the level of the unit.
            rank: Signal<In, U<3>>,
            /// Its extent.
            grid: Signal<In, BlockId>,
            /// Its next block is dispatched.
            step: Signal<In, Bit>,
            /// It leaves.
            remove: Signal<In, Bit>,
        }
        outputs {
            /// Its next block.
            at: Signal<Out, BlockId>,
            /// That block is its last.
            ends: Signal<Out, Bit>,
            /// It has no blocks.
            empty: Signal<Out, Bit>,
        }
        locals {
            rank_bit: Signal<Local, U<8>>,
            next_block: Signal<Local, BlockId>,
        }
        constants {
            one: Lit<8, 1>,
            first_block: Constant<BlockId>,
        }
        children {
            order: NextBlock,
            begun: Register<U<8>>,
            next_blocks: RegisterFile<BlockId, 3> = RegisterFile::of(levels.next_power_of_two(), 1, 0),
        }
    }
}

impl Logic for UnitProgress {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.begun.control);
        Control::link(&mut self.control, &mut self.next_blocks.control);
        self.rank_bit.next = self.one.val() << self.rank.val();
        self.next_blocks.address.next = self.rank.val();
        self.next_block.next = self.first_block.val();
        if (self.begun.q.val() & self.rank_bit.val()).any() {
            self.next_block.next = self.next_blocks.data.val();
        }
        self.order.at.next = self.next_block.val();
        self.order.grid.next = self.grid.val();
        self.at.next = self.next_block.val();
        self.ends.next = self.order.ends.val();
        self.empty.next = self.order.empty.val();
        self.next_blocks.write_enable[0].next = self.step.val() & !self.remove.val();
        self.next_blocks.write_address[0].next = self.rank.val();
        self.next_blocks.write_data[0].next = self.order.beyond.val();
        self.begun.d.next = self.begun.q.val();
        if self.step.val() {
            self.begun.d.next = self.begun.q.val() | self.rank_bit.val();
        }
        if self.remove.val() {
            self.begun.d.next = self.begun.q.val() & !self.rank_bit.val();
        }
    }
}
