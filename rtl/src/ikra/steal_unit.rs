//! One SMX that steals and is stolen from.

use super::own_chunk::OwnChunk;
use super::queue_bank::QueueBank;
use super::{DerivedChunk, Kernel, Layouts, OwnWork, Stealing, Thief, WhenFull};
use crate::dispatch::SmxResources;
use crate::port::{BlockId, Dispatch, Limits, Needs};
use crate::prelude::*;

hdl_module! {
    /// What each SMX decides for itself under `ikra/steal` (rules 4 to 13 of `docs/ikra.md`), with
    /// `layout_count` layouts.
    ///
    /// ```text
    ///   behind, derived ->[own_chunk  ] --next_block--+--> dispatch       far, chunk_left --> (arbiter)
    ///                     [queue_bank ] --next_block--+      ^ room       far, queue_left -->
    ///   finished -------> [resources  ] ---------------+
    ///                     [own_work   ] --done--> thief, if `stealing.executed`
    ///   granted, refused> [thief      ] --arrives, block--> dispatch, queue_bank; asks, victim --> (arbiter)
    /// ```
    ///
    /// Latency and storage are its children's.
    pub struct StealUnit (number: usize, smxs: usize, layout_count: usize, limits: Limits, stealing: Stealing, gated: bool) clocked {
        inputs {
            /// The assignment of chunks starts.
            assigns: Signal<In, Bit>,
            /// The head begins.
            begins: Signal<In, Bit>,
            /// With `begins`: its chunks are new.
            load: Signal<In, Bit>,
            /// Which layouts are used, below `layout_count`.
            layouts: Signal<In, Layouts>,
            /// The chunk that is assigned if it is not the share of its position; looked at with
            /// `assigns`.
            derived: Signal<In, DerivedChunk>,
            /// The head runs.
            running: Signal<In, Bit>,
            /// The head ends.
            finish: Signal<In, Bit>,
            /// The head's entry.
            head: Signal<In, U<5>>,
            /// The head.
            kernel: Signal<In, Kernel>,
            /// The start of the chunk of the SMX behind this one.
            behind: Signal<In, BlockId>,
            /// A block ends here.
            finished: Signal<In, Bit>,
            /// The victim gives a block.
            granted: Signal<In, Bit>,
            /// It has none.
            refused: Signal<In, Bit>,
            /// The block; valid with `granted`.
            granted_block: Signal<In, BlockId>,
            /// `queue_far` is stolen.
            steal_queue: Signal<In, Bit>,
            /// `chunk_far` is stolen.
            steal_chunk: Signal<In, Bit>,
            /// The gates let a block go here; there if there are gates.
            allowed: Signal<In, Bit> = Signal::optional(gated, false),
        }
        outputs {
            /// The starts are known.
            ready: Signal<Out, Bit>,
            /// The start of its chunk.
            start: Signal<Out, BlockId>,
            /// The first linear id of its share; valid with `assigns` and without `derived`.
            first_id: Signal<Out, U<31>>,
            /// It has room while the head runs; there if there are gates.
            has_room: Signal<Out, Bit> = Signal::optional(gated, false),
            /// It receives a block; there if there are gates.
            receives: Signal<Out, Bit> = Signal::optional(gated, false),
            /// The block that it receives.
            dispatch: Signal<Out, Dispatch>,
            /// Nothing is left, on its way, or resident.
            done: Signal<Out, Bit>,
            /// Its queue becomes full and asks for new chunks.
            filled: Signal<Out, Bit>,
            /// Its request is at its victim.
            asks: Signal<Out, Bit>,
            /// Whom it asks.
            victim: Signal<Out, Word> = Signal::id(smxs),
            /// For its chunk.
            from_chunk: Signal<Out, Bit>,
            /// Something of the queue is left after its own dispatch.
            queue_left: Signal<Out, Bit>,
            /// Something of the chunk is left after its own dispatch.
            chunk_left: Signal<Out, Bit>,
            /// The far block of the queue.
            queue_far: Signal<Out, BlockId>,
            /// The far block of the chunk.
            chunk_far: Signal<Out, BlockId>,
        }
        locals {
            fits: Signal<Local, Bit>,
            may: Signal<Local, Bit>,
            from_queue: Signal<Local, Bit>,
            takes_chunk: Signal<Local, Bit>,
            takes_queue: Signal<Local, Bit>,
            own: Signal<Local, Bit>,
            exhausted: Signal<Local, Bit>,
            executed: Signal<Local, Bit>,
            offer: Signal<Local, Dispatch>,
        }
        constants {
            no_dispatch: Constant<Dispatch>,
            nothing: Constant<Needs>,
            zero: Constant<Word> = Constant::id(smxs, 0),
            dispatched: Constant<Bit> = Constant::new(true),
            stops: Constant<Bit> = Constant::new(stealing.when_full == WhenFull::Stop),
        }
        children {
            chunk: OwnChunk = OwnChunk::new(number, smxs, layout_count, true),
            queue: QueueBank = QueueBank::new(layout_count, stealing.entries),
            own_work: Optional<OwnWork> = Optional::new(stealing.executed.then(OwnWork::new)),
            thief: Thief = Thief::new(number, smxs, stealing.latency),
            resources: SmxResources = SmxResources::new(limits),
        }
        state { gated: usize = usize::from(gated), waits: usize = usize::from(stealing.executed) }
    }
}

impl Logic for StealUnit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.chunk.control);
        Control::link(&mut self.control, &mut self.queue.control);
        Control::link(&mut self.control, &mut self.thief.control);
        Control::link(&mut self.control, &mut self.resources.control);

        // The kernel begins.
        self.chunk.assigns.next = self.assigns.val();
        self.chunk.begins.next = self.begins.val();
        self.chunk.load.next = self.load.val();
        self.chunk.first.next = self.zero.val();
        self.chunk.blocks.next = self.kernel.val().blocks;
        self.chunk.grid.next = self.kernel.val().grid;
        self.chunk.behind.next = self.behind.val();
        self.ready.next = self.chunk.ready.val();
        self.start.next = self.chunk.start.val();
        self.first_id.next = self.chunk.first_id.val();
        self.chunk.layouts.next = self.layouts.val();
        self.chunk.derived.next = self.derived.val();
        self.queue.layout.next = self.layouts.val().used;
        self.queue.begins.next = self.begins.val();
        self.queue.load.next = self.load.val();
        self.queue.forward.next = self.chunk.forward.val();

        // Its own work.
        self.resources.needs.next = self.kernel.val().needs;
        self.resources.finished.next = self.finished.val();
        self.resources.freed.next = self.nothing.val();
        if self.finished.val() {
            self.resources.freed.next = self.kernel.val().needs;
        }
        self.fits.next = self.running.val() & self.resources.room.val();
        self.may.next = self.fits.val();
        for _is in 0..self.gated {
            self.has_room.next = self.fits.val();
            self.may.next = self.allowed.val();
        }
        self.from_queue.next = self.queue.available.val()
            & (self.queue.queue_first.val() | !self.chunk.available.val());
        self.takes_queue.next = self.may.val() & self.from_queue.val();
        self.takes_chunk.next =
            self.may.val() & self.chunk.available.val() & !self.from_queue.val();
        self.own.next = self.may.val() & (self.chunk.available.val() | self.queue.available.val());
        self.chunk.take.next = self.takes_chunk.val();
        self.queue.take.next = self.takes_queue.val();

        // What others steal, after its own dispatch.
        self.queue_left.next =
            self.queue.available.val() & !(self.takes_queue.val() & self.queue.last.val());
        self.chunk_left.next =
            self.chunk.available.val() & !(self.takes_chunk.val() & self.chunk.last.val());
        self.queue_far.next = self.queue.far_block.val();
        self.chunk_far.next = self.chunk.far_block.val();
        self.queue.steal.next = self.steal_queue.val();
        self.chunk.steal.next = self.steal_chunk.val();

        // What it steals.
        self.exhausted.next = !self.chunk.available.val() & !self.queue.available.val();
        self.thief.begins.next = self.begins.val();
        self.thief.stop.next = self.finish.val();
        self.executed.next = self.dispatched.val();
        for _is in 0..self.waits {
            Control::link(&mut self.control, &mut self.own_work.control);
            self.own_work.begins.next = self.begins.val();
            self.own_work.running.next = self.running.val();
            self.own_work.exhausted.next = self.exhausted.val();
            self.own_work.vacant.next = self.resources.vacant.val();
            self.executed.next = self.own_work.done.val();
        }
        self.thief.hungry.next = self.may.val()
            & self.exhausted.val()
            & self.executed.val()
            & !(self.stops.val() & self.queue.full.val());
        self.thief.granted.next = self.granted.val();
        self.thief.refused.next = self.refused.val();
        self.thief.granted_block.next = self.granted_block.val();
        self.asks.next = self.thief.asks.val();
        self.victim.next = self.thief.victim.val();
        self.from_chunk.next = self.thief.from_chunk.val();
        self.queue.insert.next = self.thief.arrives.val();
        self.queue.insert_block.next = self.thief.block.val();
        self.filled.next = self.queue.filled.val() & !self.stops.val();

        self.resources.take.next = self.own.val() | self.thief.arrives.val();
        for _is in 0..self.gated {
            self.receives.next = self.own.val() | self.thief.arrives.val();
        }
        self.offer.next.valid = true;
        self.offer.next.kernel = self.head.val();
        self.offer.next.block = self.chunk.next_block.val();
        if self.from_queue.val() {
            self.offer.next.block = self.queue.next_block.val();
        }
        if self.thief.arrives.val() {
            self.offer.next.block = self.thief.block.val();
        }
        self.dispatch.next = self.no_dispatch.val();
        if self.own.val() | self.thief.arrives.val() {
            self.dispatch.next = self.offer.val();
        }
        self.done.next =
            self.exhausted.val() & !self.thief.owed.val() & self.resources.vacant.val();
    }
}
