//! Which thief gets what is left.

use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::{ClaimArbiter, Crossbar};

hdl_module! {
    /// The answers of all victims (rule 12 of `docs/ikra.md`; IKRA, Algorithm 1, lines 35 to 42) to
    /// `smxs` thieves.
    ///
    /// ```text
    ///   asks, victim, from_chunk --> [ claims to queues ] --> granted, refused; steal_queue
    ///   queue_left, chunk_left ----> [ claims to chunks ] -->                   steal_chunk
    ///   queue_far, chunk_far ------> [ crossbars        ] --> block
    /// ```
    ///
    /// Combinational, no storage.
    pub struct StealArbiter (smxs: usize) combinational {
        inputs {
            /// One bit for each thief: its request is at its victim.
            asks: Signal<In, Mask> = Signal::mask(smxs),
            /// Whom it asks; valid with its bit of `asks`.
            victim: Vec<Signal<In, Word>> = Signal::each(smxs, Word::id(smxs, 0)),
            /// One bit for each thief: for the chunk; valid with its bit of `asks`.
            from_chunk: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each victim: something of its queue is left after its own dispatch.
            queue_left: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each victim: something of its chunk is left after its own dispatch.
            chunk_left: Signal<In, Mask> = Signal::mask(smxs),
            /// The far block of each queue; valid where something is left.
            queue_far: Vec<Signal<In, BlockId>> = Signal::each(smxs, BlockId::default()),
            /// The far block of each chunk; valid where something is left.
            chunk_far: Vec<Signal<In, BlockId>> = Signal::each(smxs, BlockId::default()),
        }
        outputs {
            /// One bit for each thief: it gets a block.
            granted: Signal<Out, Mask> = Signal::mask(smxs),
            /// One bit for each thief: there is none.
            refused: Signal<Out, Mask> = Signal::mask(smxs),
            /// The block; zero without its bit of `granted`.
            block: Vec<Signal<Out, BlockId>> = Signal::each(smxs, BlockId::default()),
            /// One bit for each victim: the far block of its queue leaves.
            steal_queue: Signal<Out, Mask> = Signal::mask(smxs),
            /// One bit for each victim: the far block of its chunk leaves.
            steal_chunk: Signal<Out, Mask> = Signal::mask(smxs),
        }
        constants {
            no_block: Constant<BlockId>,
        }
        children {
            queues: ClaimArbiter = ClaimArbiter::new(smxs),
            chunks: ClaimArbiter = ClaimArbiter::new(smxs),
            of_queues: Crossbar<BlockId, Word> = Crossbar::of(BlockId::default(), smxs, smxs),
            of_chunks: Crossbar<BlockId, Word> = Crossbar::of(BlockId::default(), smxs, smxs),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for StealArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.queues.claims.next = self.asks.val() & !self.from_chunk.val();
        self.chunks.claims.next = self.asks.val() & self.from_chunk.val();
        self.queues.open.next = self.queue_left.val();
        self.chunks.open.next = self.chunk_left.val();
        for i in 0..self.smxs {
            self.queues.target[i].next = self.victim[i].val();
            self.chunks.target[i].next = self.victim[i].val();
            self.of_queues.word[i].next = self.queue_far[i].val();
            self.of_chunks.word[i].next = self.chunk_far[i].val();
            self.of_queues.select[i].next = self.victim[i].val();
            self.of_chunks.select[i].next = self.victim[i].val();
            self.block[i].next = self.no_block.val();
            if self.queues.grant.val().get_bit(i) {
                self.block[i].next = self.of_queues.data[i].val();
            }
            if self.chunks.grant.val().get_bit(i) {
                self.block[i].next = self.of_chunks.data[i].val();
            }
        }
        self.granted.next = self.queues.grant.val() | self.chunks.grant.val();
        self.refused.next = self.queues.refuse.val() | self.chunks.refuse.val();
        self.steal_queue.next = self.queues.taken.val();
        self.steal_chunk.next = self.chunks.taken.val();
    }
}
