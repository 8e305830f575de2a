//! Which thief gets what is left.

use crate::dispatch::BlockId;
use crate::hdl_module;
use crate::prim::{ClaimArbiter, Crossbar};
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// The answers of all victims (rule 12 of `docs/ikra.md`; IKRA, Algorithm 1, lines 35 to 42) to `N` thieves (1 to 32).
    ///
    /// ```text
    ///   asks, victim, from_chunk --> [ claims to queues ] --> granted, refused; steal_queue
    ///   queue_left, chunk_left ----> [ claims to chunks ] -->                   steal_chunk
    ///   queue_far, chunk_far ------> [ crossbars        ] --> block
    /// ```
    ///
    /// Combinational, no storage.
    pub struct StealArbiter [const N: usize] [N] combinational {
        inputs {
            /// One bit for each thief: its request is at its victim.
            asks: Signal<In, U<N>>,
            /// Whom it asks; valid with its bit of `asks`.
            victim: [Signal<In, U<5>>; N],
            /// One bit for each thief: for the chunk; valid with its bit of `asks`.
            from_chunk: Signal<In, U<N>>,
            /// One bit for each victim: something of its queue is left after its own dispatch.
            queue_left: Signal<In, U<N>>,
            /// One bit for each victim: something of its chunk is left after its own dispatch.
            chunk_left: Signal<In, U<N>>,
            /// The far block of each queue; valid where something is left.
            queue_far: [Signal<In, BlockId>; N],
            /// The far block of each chunk; valid where something is left.
            chunk_far: [Signal<In, BlockId>; N],
        }
        outputs {
            /// One bit for each thief: it gets a block.
            granted: Signal<Out, U<N>>,
            /// One bit for each thief: there is none.
            refused: Signal<Out, U<N>>,
            /// The block; zero without its bit of `granted`.
            block: [Signal<Out, BlockId>; N],
            /// One bit for each victim: the far block of its queue leaves.
            steal_queue: Signal<Out, U<N>>,
            /// One bit for each victim: the far block of its chunk leaves.
            steal_chunk: Signal<Out, U<N>>,
        }
        constants {
            no_block: Constant<BlockId>,
        }
        children {
            queues: ClaimArbiter<N>,
            chunks: ClaimArbiter<N>,
            of_queues: Crossbar<BlockId, N, N>,
            of_chunks: Crossbar<BlockId, N, N>,
        }
    }
}

impl<const N: usize> Logic for StealArbiter<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.queues.claims.next = self.asks.val() & !self.from_chunk.val();
        self.chunks.claims.next = self.asks.val() & self.from_chunk.val();
        self.queues.open.next = self.queue_left.val();
        self.chunks.open.next = self.chunk_left.val();
        for i in 0..N {
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
