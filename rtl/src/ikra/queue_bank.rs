//! The steal queues of one SMX in all layouts.

use super::StealQueue;
use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// A [`StealQueue`] and the order of chunk and queue for each of `layout_count` layouts (rules
    /// 9 and 15 of `docs/ikra.md`), of which one is in use; with one layout nothing but the queue
    /// and its bit.
    ///
    /// ```text
    ///   layout --> begins, take, steal, insert of one of [ each: steal_queue ] --> its outputs
    ///                                                    [ each: first       ] --> queue_first
    /// ```
    ///
    /// Latency is its children's; storage theirs and `layout_count` registers.
    pub struct QueueBank (layout_count: usize, entries: usize) clocked {
        inputs {
            /// The layout of the kernel that begins, or else runs; below `layout_count`.
            layout: Signal<In, U<2>>,
            /// A kernel begins; not together with `take`, `steal` or `insert`.
            begins: Signal<In, Bit>,
            /// With `begins`: its chunks are new and the queue is emptied.
            load: Signal<In, Bit>,
            /// The direction of the kernel that runs.
            forward: Signal<In, Bit>,
            /// `next_block` is dispatched; only with `available`.
            take: Signal<In, Bit>,
            /// `far_block` leaves; only with `available`, and with `take` only if not `last`.
            steal: Signal<In, Bit>,
            /// A stolen block comes to the far end, as one that has run; only when not `available`,
            /// without effect when `full`.
            insert: Signal<In, Bit>,
            /// Which one; valid with `insert`.
            insert_block: Signal<In, BlockId>,
        }
        outputs {
            /// The queue's turn is before the chunk's.
            queue_first: Signal<Out, Bit>,
            /// Something is left that has not run.
            available: Signal<Out, Bit>,
            /// The next block; zero when not `available`.
            next_block: Signal<Out, BlockId>,
            /// The block at the far end; zero when not `available`.
            far_block: Signal<Out, BlockId>,
            /// They are the same; low when not `available`.
            last: Signal<Out, Bit>,
            /// All entries are in use.
            full: Signal<Out, Bit>,
            /// The insertion of this cycle makes it full.
            filled: Signal<Out, Bit>,
        }
        locals {
            used: Vec<Signal<Local, Bit>> = Signal::each(layout_count, false),
        }
        constants {
            numbers: Vec<Constant<U<2>>> =
                (0..layout_count).map(|c| Constant::new(U::new(c as u64))).collect(),
            no_block: Constant<BlockId>,
        }
        children {
            queue: Vec<StealQueue> = (0..layout_count).map(|_| StealQueue::new(entries)).collect(),
            first: Vec<Register<Bit>> = Register::each(layout_count, false),
        }
        state { layout_count: usize = layout_count }
    }
}

impl Logic for QueueBank {
    #[hdl_gen]
    fn update(&mut self) {
        self.queue_first.next = false;
        self.available.next = false;
        self.next_block.next = self.no_block.val();
        self.far_block.next = self.no_block.val();
        self.last.next = false;
        self.full.next = false;
        self.filled.next = false;
        for c in 0..self.layout_count {
            Control::link(&mut self.control, &mut self.queue[c].control);
            Control::link(&mut self.control, &mut self.first[c].control);
            self.used[c].next = self.layout.val() == self.numbers[c].val();
            self.queue[c].begins.next = self.begins.val() & self.used[c].val();
            self.queue[c].clear.next = self.load.val() & self.used[c].val();
            self.queue[c].forward.next = self.forward.val();
            self.queue[c].take.next = self.take.val() & self.used[c].val();
            self.queue[c].steal.next = self.steal.val() & self.used[c].val();
            self.queue[c].insert.next = self.insert.val() & self.used[c].val();
            self.queue[c].insert_block.next = self.insert_block.val();
            self.first[c].d.next = self.first[c].q.val();
            if self.begins.val() & self.used[c].val() {
                self.first[c].d.next = !self.first[c].q.val() & !self.load.val();
            }
            if self.used[c].val() {
                self.queue_first.next = self.first[c].q.val();
                self.available.next = self.queue[c].available.val();
                self.next_block.next = self.queue[c].next_block.val();
                self.far_block.next = self.queue[c].far_block.val();
                self.last.next = self.queue[c].last.val();
                self.full.next = self.queue[c].full.val();
                self.filled.next = self.queue[c].filled.val();
            }
        }
    }
}
