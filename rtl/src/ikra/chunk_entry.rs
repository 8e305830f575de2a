//! The chunk of one SMX.

mod properties;

use super::block_step::BlockStep;
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// A chunk entry (IKRA, sections 4.1 to 4.4; rules 5, 6 and 12 of `docs/ikra.md`): the first
    /// and the last block, which stay from kernel to kernel, the current one, and whether anything
    /// is left. Its SMX takes blocks in the direction, thieves take them from the far end.
    ///
    /// ```text
    ///   begins, load --> [ start, last_block, vacant ] --far_block--> [ - 1 step ] --+
    ///   steal ---------> [                           ] <-----------------------+
    ///   take ----------> [ current, left ] --next_block--> [ + 1 step ] --> current
    ///                    [ forward       ]
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `begins`, `take`, `steal` | all outputs | 1 |
    ///
    /// Storage: 3 x 63 + 3 registers.
    pub struct ChunkEntry (flips: bool) clocked {
        inputs {
            /// A kernel begins; not together with `take` or `steal`.
            begins: Signal<In, Bit>,
            /// The direction before; with `begins` it becomes the other one, if it alternates at
            /// all.
            former: Signal<In, Bit>,
            /// With `begins`: the chunk is a new one.
            load: Signal<In, Bit>,
            /// Its first block; valid with `load`.
            load_start: Signal<In, BlockId>,
            /// Its last block; valid with `load`.
            load_last: Signal<In, BlockId>,
            /// It has no block; valid with `load`.
            load_vacant: Signal<In, Bit>,
            /// The extent of the grid; valid from `begins` to the end of the kernel.
            grid: Signal<In, BlockId>,
            /// `next_block` is dispatched; only with `available`.
            take: Signal<In, Bit>,
            /// `far_block` is stolen; only with `available`, and with `take` only if not `last`.
            steal: Signal<In, Bit>,
        }
        outputs {
            /// The direction of the kernel that runs.
            forward: Signal<Out, Bit>,
            /// Something is left.
            available: Signal<Out, Bit>,
            /// The next block; zero when not `available`.
            next_block: Signal<Out, BlockId>,
            /// The block at the far end; zero when not `available`.
            far_block: Signal<Out, BlockId>,
            /// They are the same; low when not `available`.
            last: Signal<Out, Bit>,
        }
        locals {
            bound: Signal<Local, BlockId>,
            alone: Signal<Local, Bit>,
            meets: Signal<Local, Bit>,
            single: Signal<Local, Bit>,
            turned: Signal<Local, Bit>,
            new_start: Signal<Local, BlockId>,
            new_last: Signal<Local, BlockId>,
            new_vacant: Signal<Local, Bit>,
        }
        constants {
            no_block: Constant<BlockId>,
            alternates: Constant<Bit> = Constant::new(flips),
        }
        children {
            start: Register<BlockId>,
            last_block: Register<BlockId>,
            vacant: Register<Bit>,
            current: Register<BlockId>,
            left: Register<Bit>,
            onward: Register<Bit>,
            ahead: BlockStep,
            inward: BlockStep,
        }
        properties { properties::of }
    }
}

impl Logic for ChunkEntry {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.start.control);
        Control::link(&mut self.control, &mut self.last_block.control);
        Control::link(&mut self.control, &mut self.vacant.control);
        Control::link(&mut self.control, &mut self.current.control);
        Control::link(&mut self.control, &mut self.left.control);
        Control::link(&mut self.control, &mut self.onward.control);

        // Near and far end.
        self.forward.next = self.onward.q.val();
        self.bound.next = self.start.q.val();
        if self.onward.q.val() {
            self.bound.next = self.last_block.q.val();
        }
        self.alone.next = (self.current.q.val().x == self.bound.val().x)
            & (self.current.q.val().y == self.bound.val().y)
            & (self.current.q.val().z == self.bound.val().z);
        self.available.next = self.left.q.val();
        self.last.next = self.left.q.val() & self.alone.val();
        self.next_block.next = self.no_block.val();
        self.far_block.next = self.no_block.val();
        if self.left.q.val() {
            self.next_block.next = self.current.q.val();
            self.far_block.next = self.bound.val();
        }

        // One block fewer at either end.
        self.ahead.at.next = self.current.q.val();
        self.ahead.grid.next = self.grid.val();
        self.ahead.forward.next = self.onward.q.val();
        self.inward.at.next = self.bound.val();
        self.inward.grid.next = self.grid.val();
        self.inward.forward.next = !self.onward.q.val();
        self.meets.next = (self.ahead.to.val().x == self.bound.val().x)
            & (self.ahead.to.val().y == self.bound.val().y)
            & (self.ahead.to.val().z == self.bound.val().z);
        self.single.next = (self.start.q.val().x == self.last_block.q.val().x)
            & (self.start.q.val().y == self.last_block.q.val().y)
            & (self.start.q.val().z == self.last_block.q.val().z);

        self.new_start.next = self.start.q.val();
        self.new_last.next = self.last_block.q.val();
        self.new_vacant.next = self.vacant.q.val();
        if self.steal.val() {
            if self.onward.q.val() {
                self.new_last.next = self.inward.to.val();
            } else {
                self.new_start.next = self.inward.to.val();
            }
            self.new_vacant.next = self.vacant.q.val() | self.single.val();
        }
        if self.load.val() {
            self.new_start.next = self.load_start.val();
            self.new_last.next = self.load_last.val();
            self.new_vacant.next = self.load_vacant.val();
        }
        self.start.d.next = self.new_start.val();
        self.last_block.d.next = self.new_last.val();
        self.vacant.d.next = self.new_vacant.val();

        self.turned.next = !self.former.val() | !self.alternates.val();
        self.current.d.next = self.current.q.val();
        self.left.d.next = self.left.q.val();
        self.onward.d.next = self.onward.q.val();
        if self.take.val() {
            self.current.d.next = self.ahead.to.val();
            self.left.d.next = !self.alone.val() & !(self.steal.val() & self.meets.val());
        } else {
            if self.steal.val() {
                self.left.d.next = !self.alone.val();
            }
        }
        if self.begins.val() {
            self.onward.d.next = self.turned.val();
            self.left.d.next = !self.new_vacant.val();
            self.current.d.next = self.new_last.val();
            if self.turned.val() {
                self.current.d.next = self.new_start.val();
            }
        }
    }
}
