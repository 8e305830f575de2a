//! The chunks of one SMX in all layouts.

use super::{ChunkEntry, Layouts};
use crate::port::BlockId;
use crate::prelude::*;

hdl_module! {
    /// A [`ChunkEntry`] for each of `layout_count` layouts (rules 15 and 19 of `docs/ikra.md`), of
    /// which one is in use; with one layout nothing but the entry.
    ///
    /// ```text
    ///   layouts.used ----> begins, take, steal of one of [ each: chunk_entry ] --> its available, next_block, ...
    ///   layouts.source --> the direction before
    /// ```
    ///
    /// Latency and storage are its children's.
    pub struct ChunkBank (layout_count: usize, flips: bool) clocked {
        inputs {
            /// Which layouts are used, below `layout_count`.
            layouts: Signal<In, Layouts>,
            /// A kernel begins; not together with `take` or `steal`.
            begins: Signal<In, Bit>,
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
            former: Signal<Local, Bit>,
            used: Vec<Signal<Local, Bit>> = Signal::each(layout_count, false),
        }
        constants {
            numbers: Vec<Constant<U<2>>> =
                (0..layout_count).map(|c| Constant::new(U::new(c as u64))).collect(),
            no_block: Constant<BlockId>,
        }
        children {
            entry: Vec<ChunkEntry> = (0..layout_count).map(|_| ChunkEntry::new(flips)).collect(),
        }
        state { layout_count: usize = layout_count }
    }
}

impl Logic for ChunkBank {
    #[hdl_gen]
    fn update(&mut self) {
        self.former.next = false;
        for c in 0..self.layout_count {
            if self.layouts.val().known & (self.layouts.val().source == self.numbers[c].val()) {
                self.former.next = self.entry[c].forward.val();
            }
        }
        self.forward.next = false;
        self.available.next = false;
        self.next_block.next = self.no_block.val();
        self.far_block.next = self.no_block.val();
        self.last.next = false;
        for c in 0..self.layout_count {
            Control::link(&mut self.control, &mut self.entry[c].control);
            self.used[c].next = self.layouts.val().used == self.numbers[c].val();
            self.entry[c].begins.next = self.begins.val() & self.used[c].val();
            self.entry[c].former.next = self.former.val();
            self.entry[c].load.next = self.load.val() & self.used[c].val();
            self.entry[c].load_start.next = self.load_start.val();
            self.entry[c].load_last.next = self.load_last.val();
            self.entry[c].load_vacant.next = self.load_vacant.val();
            self.entry[c].grid.next = self.grid.val();
            self.entry[c].take.next = self.take.val() & self.used[c].val();
            self.entry[c].steal.next = self.steal.val() & self.used[c].val();
            if self.used[c].val() {
                self.forward.next = self.entry[c].forward.val();
                self.available.next = self.entry[c].available.val();
                self.next_block.next = self.entry[c].next_block.val();
                self.far_block.next = self.entry[c].far_block.val();
                self.last.next = self.entry[c].last.val();
            }
        }
    }
}
