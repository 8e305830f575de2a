//! The chunk of one SMX, from its assignment on.

use super::block_step::BlockStep;
use super::chunk_bank::ChunkBank;
use super::{ChunkStart, DerivedChunk, Layouts};
use crate::port::BlockId;
use crate::prelude::*;

hdl_module! {
    /// [`ChunkStart`] and [`ChunkBank`] of SMX `number`: its position, and its last block, which is
    /// the one before the start of the SMX behind it (rule 4 of `docs/ikra.md`).
    ///
    /// ```text
    ///   first --> position --> [chunk_start] --start--> (to the SMX before)
    ///                               v
    ///   behind --> [ - 1 step ] --> [chunk_bank] --> next_block, far_block, available, last
    /// ```
    ///
    /// Latency and storage are its children's.
    pub struct OwnChunk (number: usize, smxs: usize, layout_count: usize, flips: bool) clocked {
        inputs {
            /// The assignment starts.
            assigns: Signal<In, Bit>,
            /// A kernel begins.
            begins: Signal<In, Bit>,
            /// With `begins`: with the chunk that was assigned.
            load: Signal<In, Bit>,
            /// Which layouts are used, below `layout_count`.
            layouts: Signal<In, Layouts>,
            /// The chunk that is assigned if it is not the share of its position; looked at with
            /// `assigns`.
            derived: Signal<In, DerivedChunk>,
            /// The SMX at position 0; valid with `assigns` and `load`.
            first: Signal<In, Word> = Signal::id(smxs),
            /// Blocks of the kernel; valid with `assigns`.
            blocks: Signal<In, U<31>>,
            /// The extent of its grid; valid from `assigns` to its end.
            grid: Signal<In, BlockId>,
            /// The start of the chunk of the SMX behind this one; valid with `load`.
            behind: Signal<In, BlockId>,
            /// `next_block` is dispatched.
            take: Signal<In, Bit>,
            /// `far_block` is stolen.
            steal: Signal<In, Bit>,
        }
        outputs {
            /// `start` is valid.
            ready: Signal<Out, Bit>,
            /// The start of the chunk that was assigned.
            start: Signal<Out, BlockId>,
            /// The first linear id of its share; valid with `assigns` and without `derived`.
            first_id: Signal<Out, U<31>>,
            /// The direction.
            forward: Signal<Out, Bit>,
            /// Something is left.
            available: Signal<Out, Bit>,
            /// The next block.
            next_block: Signal<Out, BlockId>,
            /// The block at the far end.
            far_block: Signal<Out, BlockId>,
            /// They are the same.
            last: Signal<Out, Bit>,
        }
        locals {
            from: Signal<Local, Word> = Signal::word(id_bits(smxs) + 1),
            wrapped: Signal<Local, Word> = Signal::word(id_bits(smxs) + 1),
            position: Signal<Local, Word> = Signal::id(smxs),
            beyond: Signal<Local, BlockId>,
        }
        constants {
            here: Constant<Word> = Constant::new(Word::new(id_bits(smxs) + 1, number as u64)),
            here_wrapped: Constant<Word> =
                Constant::new(Word::new(id_bits(smxs) + 1, (number + smxs) as u64)),
            last_position: Constant<Word> = Constant::id(smxs, smxs - 1),
            no_block: Constant<BlockId>,
            backward: Constant<Bit> = Constant::new(false),
        }
        children {
            starts: ChunkStart = ChunkStart::new(smxs),
            entry: ChunkBank = ChunkBank::new(layout_count, flips),
            previous: BlockStep,
        }
        state { id_bits: usize = id_bits(smxs), wrapped_bits: usize = id_bits(smxs) + 1 }
    }
}

impl Logic for OwnChunk {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.starts.control);
        Control::link(&mut self.control, &mut self.entry.control);

        // The position: how far behind the first SMX.
        self.from.next = bit_cast_to(self.first.val(), self.wrapped_bits);
        self.wrapped.next = self.here.val() - self.from.val();
        if self.here.val() < self.from.val() {
            self.wrapped.next = self.here_wrapped.val() - self.from.val();
        }
        self.position.next = bit_cast_to(self.wrapped.val(), self.id_bits);
        self.starts.begins.next = self.assigns.val();
        self.starts.position.next = self.position.val();
        self.starts.blocks.next = self.blocks.val();
        self.starts.grid.next = self.grid.val();
        self.starts.derived.next = self.derived.val().valid;
        self.starts.derived_first.next = self.derived.val().first;
        self.starts.derived_vacant.next = self.derived.val().vacant;
        self.first_id.next = self.starts.first_id.val();
        self.ready.next = self.starts.ready.val();
        self.start.next = self.starts.start.val();

        // The last block is the one before the next chunk, or before the end of the grid.
        self.beyond.next = self.behind.val();
        if self.position.val() == self.last_position.val() {
            self.beyond.next = self.no_block.val();
            self.beyond.next.z = self.grid.val().z;
        }
        self.previous.at.next = self.beyond.val();
        self.previous.grid.next = self.grid.val();
        self.previous.forward.next = self.backward.val();

        self.entry.layouts.next = self.layouts.val();
        self.entry.begins.next = self.begins.val();
        self.entry.load.next = self.load.val();
        self.entry.load_start.next = self.starts.start.val();
        self.entry.load_last.next = self.previous.to.val();
        self.entry.load_vacant.next = self.starts.vacant.val();
        self.entry.grid.next = self.grid.val();
        self.entry.take.next = self.take.val();
        self.entry.steal.next = self.steal.val();
        self.forward.next = self.entry.forward.val();
        self.available.next = self.entry.available.val();
        self.next_block.next = self.entry.next_block.val();
        self.far_block.next = self.entry.far_block.val();
        self.last.next = self.entry.last.val();
    }
}
