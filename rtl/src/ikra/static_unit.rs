//! One SMX without stealing.

use super::own_chunk::OwnChunk;
use super::{DerivedChunk, Kernel, Layouts};
use crate::dispatch::SmxResources;
use crate::port::{BlockId, Dispatch, Limits, Needs};
use crate::prelude::*;

hdl_module! {
    /// What each SMX decides for itself under `ikra/chunk`, `reset` and `flip` (rules 4 to 6 of
    /// `docs/ikra.md`).
    ///
    /// ```text
    ///   first, behind --> [own_chunk] --next_block--> dispatch
    ///                                             ^ room
    ///   finished -------> [resources] ------------+
    /// ```
    ///
    /// Latency and storage are its children's.
    pub struct StaticUnit (number: usize, smxs: usize, limits: Limits, flips: bool, gated: bool) clocked {
        inputs {
            /// The assignment of chunks starts.
            assigns: Signal<In, Bit>,
            /// The head begins.
            begins: Signal<In, Bit>,
            /// With `begins`: its chunks are new.
            load: Signal<In, Bit>,
            /// The head runs.
            running: Signal<In, Bit>,
            /// The SMX at position 0.
            first: Signal<In, Word> = Signal::id(smxs),
            /// The head's entry.
            head: Signal<In, U<5>>,
            /// The head.
            kernel: Signal<In, Kernel>,
            /// The start of the chunk of the SMX behind this one.
            behind: Signal<In, BlockId>,
            /// A block ends here.
            finished: Signal<In, Bit>,
            /// The gates let a block go that it asks for; there if there are gates.
            allowed: Signal<In, Bit> = Signal::optional(gated, false),
        }
        outputs {
            /// The starts are known.
            ready: Signal<Out, Bit>,
            /// The start of its chunk.
            start: Signal<Out, BlockId>,
            /// It would receive a block if there were no gates; there if there are any.
            asks: Signal<Out, Bit> = Signal::optional(gated, false),
            /// The block that it receives.
            dispatch: Signal<Out, Dispatch>,
            /// Nothing is left and nothing is resident.
            done: Signal<Out, Bit>,
        }
        locals {
            fits: Signal<Local, Bit>,
            goes: Signal<Local, Bit>,
            offer: Signal<Local, Dispatch>,
        }
        constants {
            no_dispatch: Constant<Dispatch>,
            nothing: Constant<Needs>,
            nobody_steals: Constant<Bit> = Constant::new(false),
            one_layout: Constant<Layouts> = Constant::new(Layouts::ONE),
            share: Constant<DerivedChunk>,
        }
        children {
            chunk: OwnChunk = OwnChunk::new(number, smxs, 1, flips),
            resources: SmxResources = SmxResources::new(limits),
        }
        state { gated: usize = usize::from(gated) }
    }
}

impl Logic for StaticUnit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.chunk.control);
        Control::link(&mut self.control, &mut self.resources.control);
        self.chunk.assigns.next = self.assigns.val();
        self.chunk.begins.next = self.begins.val();
        self.chunk.load.next = self.load.val();
        self.chunk.first.next = self.first.val();
        self.chunk.layouts.next = self.one_layout.val();
        self.chunk.derived.next = self.share.val();
        self.chunk.blocks.next = self.kernel.val().blocks;
        self.chunk.grid.next = self.kernel.val().grid;
        self.chunk.behind.next = self.behind.val();
        self.chunk.steal.next = self.nobody_steals.val();
        self.ready.next = self.chunk.ready.val();
        self.start.next = self.chunk.start.val();

        self.resources.needs.next = self.kernel.val().needs;
        self.resources.finished.next = self.finished.val();
        self.resources.freed.next = self.nothing.val();
        if self.finished.val() {
            self.resources.freed.next = self.kernel.val().needs;
        }
        self.fits.next =
            self.running.val() & self.chunk.available.val() & self.resources.room.val();
        self.goes.next = self.fits.val();
        for _is in 0..self.gated {
            self.asks.next = self.fits.val();
            self.goes.next = self.allowed.val();
        }
        self.chunk.take.next = self.goes.val();
        self.resources.take.next = self.goes.val();
        self.offer.next.valid = true;
        self.offer.next.kernel = self.head.val();
        self.offer.next.block = self.chunk.next_block.val();
        self.dispatch.next = self.no_dispatch.val();
        if self.goes.val() {
            self.dispatch.next = self.offer.val();
        }
        self.done.next = !self.chunk.available.val() & self.resources.vacant.val();
    }
}
