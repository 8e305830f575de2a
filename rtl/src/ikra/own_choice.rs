//! Whether one SMX runs something of one level from 1 on.

use super::Choice;
use crate::port::{Dispatch, Needs};
use crate::prelude::*;

hdl_module! {
    /// Puts what is left of `level` before what is left of the levels below it, the chunk before
    /// the queue (rule 25 of `docs/ikra.md`). One for each level makes a chain.
    ///
    /// ```text
    ///   below ------------------> [ highest level ] --> choice --> (level above, and at last the SMX)
    ///   chunk_next, queue_next -> [               ]
    ///   takes ------------------> [ is it this one? ] --> take_chunk, take_queue
    /// ```
    ///
    /// Combinational, no storage.
    pub struct OwnChoice (level: u64) combinational {
        inputs {
            /// What is next of the levels below.
            below: Signal<In, Choice>,
            /// What is next of the chunk of this level.
            chunk_next: Signal<In, Dispatch>,
            /// What it takes.
            chunk_needs: Signal<In, Needs>,
            /// What is next of the queue of this level.
            queue_next: Signal<In, Dispatch>,
            /// What it takes.
            queue_needs: Signal<In, Needs>,
            /// The level of which the SMX dispatches a block; zero for none from 1 on.
            takes: Signal<In, U<2>>,
        }
        outputs {
            /// What is next of this level and those below.
            choice: Signal<Out, Choice>,
            /// The block of the chunk is dispatched.
            take_chunk: Signal<Out, Bit>,
            /// The block of the queue is dispatched.
            take_queue: Signal<Out, Bit>,
        }
        locals {
            work: Signal<Local, Dispatch>,
            work_needs: Signal<Local, Needs>,
            mine: Signal<Local, Choice>,
            here: Signal<Local, Bit>,
        }
        constants {
            number: Constant<U<2>> = Constant::new(U::new(level)),
        }
    }
}

impl Logic for OwnChoice {
    #[hdl_gen]
    fn update(&mut self) {
        self.work.next = self.queue_next.val();
        self.work_needs.next = self.queue_needs.val();
        if self.chunk_next.val().valid {
            self.work.next = self.chunk_next.val();
            self.work_needs.next = self.chunk_needs.val();
        }
        self.mine.next.valid = true;
        self.mine.next.level = self.number.val();
        self.mine.next.kernel = self.work.val().kernel;
        self.mine.next.block = self.work.val().block;
        self.mine.next.needs = self.work_needs.val();
        self.choice.next = self.below.val();
        if self.work.val().valid {
            self.choice.next = self.mine.val();
        }

        self.here.next = self.takes.val() == self.number.val();
        self.take_chunk.next = self.here.val() & self.chunk_next.val().valid;
        self.take_queue.next =
            self.here.val() & self.queue_next.val().valid & !self.chunk_next.val().valid;
    }
}
