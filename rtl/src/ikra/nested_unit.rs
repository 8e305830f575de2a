//! One SMX that runs and steals blocks of several nesting levels.

use super::own_chunk::OwnChunk;
use super::queue_bank::QueueBank;
use super::{Choice, DerivedChunk, Home, Kernel, Layouts, Loot, NestedThief};
use crate::dispatch::SmxResources;
use crate::port::{BlockId, Dispatch, Limits, Needs};
use crate::prelude::*;
use crate::prim::Tagged;

hdl_module! {
    /// What each SMX decides for itself under `ikra/steal(nesting=L)` (rules 22 and 25 to 27 of
    /// `docs/ikra.md`), and its chunk and queue of level 0.
    ///
    /// ```text
    ///   begins, load ---> [own_chunk   ] --+
    ///                     [queue_bank  ] --+--> choice --> (levels from 1 on)
    ///   best ----------------------------------> dispatch, started, takes
    ///   finished, freed > [resources   ] --room----^-> fits --> (arbiters)
    ///   granted, refused> [nested_thief] --loot--> dispatch; asks, victim, level --> (arbiters)
    /// ```
    ///
    /// A block that is granted takes its room at once, though it is dispatched a cycle later:
    /// nothing else is tried in between. So nobody needs to know what it takes when it arrives.
    ///
    /// Latency and storage are its children's.
    pub struct NestedUnit (number: usize, smxs: usize, levels: usize, limits: Limits, entries: usize, gated: bool) clocked {
        inputs {
            /// The assignment of chunks of level 0 starts.
            assigns: Signal<In, Bit>,
            /// The host's kernel begins.
            begins: Signal<In, Bit>,
            /// With `begins`: its chunks are new.
            load: Signal<In, Bit>,
            /// A device kernel with blocks begins somewhere.
            child_begins: Signal<In, Bit>,
            /// Its level; valid with `child_begins`.
            child_level: Signal<In, U<2>>,
            /// The entry of the host's kernel.
            head: Signal<In, U<5>>,
            /// The host's kernel.
            kernel: Signal<In, Kernel>,
            /// The start of the chunk of the SMX behind this one.
            behind: Signal<In, BlockId>,
            /// What is next here of all levels.
            best: Signal<In, Choice>,
            /// A block ends here.
            finished: Signal<In, Bit>,
            /// What it returns; zero unless `finished`.
            freed: Signal<In, Needs>,
            /// What the block takes for which it asks, at a level from 1 on.
            asked_needs: Signal<In, Needs>,
            /// The victim gives a block.
            granted: Signal<In, Bit>,
            /// It gives none.
            refused: Signal<In, Bit>,
            /// The block, if it is of level 0; valid with `granted`.
            granted_block: Signal<In, BlockId>,
            /// The block, if it is of another level; valid with `granted`.
            granted_loot: Signal<In, Loot> = Signal::of(Loot::none(smxs)),
            /// `queue_far` is stolen.
            steal_queue: Signal<In, Bit>,
            /// `chunk_far` is stolen.
            steal_chunk: Signal<In, Bit>,
            /// The gates let a block go here; there if there are gates.
            allowed: Signal<In, Bit> = Signal::optional(gated, false),
        }
        outputs {
            /// The starts of chunks of level 0 are known.
            ready: Signal<Out, Bit>,
            /// The start of its chunk of level 0.
            start: Signal<Out, BlockId>,
            /// What is next here of level 0.
            choice: Signal<Out, Choice>,
            /// The block that it receives.
            dispatch: Signal<Out, Dispatch>,
            /// The kernel of that block.
            started: Signal<Out, Tagged>,
            /// It receives a block; there if there are gates.
            receives: Signal<Out, Bit> = Signal::optional(gated, false),
            /// The level of which it dispatches a block of its own; zero for none from 1 on.
            takes: Signal<Out, U<2>>,
            /// Nothing of level 0 is left here, or on its way here.
            spent: Signal<Out, Bit>,
            /// Its queue of level 0 asks for new chunks.
            filled: Signal<Out, Bit>,
            /// Its request is at its victim.
            asks: Signal<Out, Bit>,
            /// Whom it asks.
            victim: Signal<Out, Word> = Signal::id(smxs),
            /// For its chunk.
            from_chunk: Signal<Out, Bit>,
            /// Of which level.
            level: Signal<Out, U<2>>,
            /// There is room for what it asks for; valid with `asks`.
            fits: Signal<Out, Bit>,
            /// The stolen block that it receives.
            loot: Signal<Out, Loot> = Signal::of(Loot::none(smxs)),
            /// The home of that block.
            owed: Signal<Out, Home> = Signal::of(Home::none(smxs)),
            /// Its level.
            loot_level: Signal<Out, U<2>>,
            /// Something of the queue of level 0 is left after its own dispatch.
            queue_left: Signal<Out, Bit>,
            /// Something of the chunk of level 0 is left after its own dispatch.
            chunk_left: Signal<Out, Bit>,
            /// The far block of that queue.
            queue_far: Signal<Out, BlockId>,
            /// The far block of that chunk.
            chunk_far: Signal<Out, BlockId>,
        }
        locals {
            from_queue: Signal<Local, Bit>,
            host_left: Signal<Local, Bit>,
            mine: Signal<Local, Choice>,
            looked: Signal<Local, Needs>,
            of_host: Signal<Local, Bit>,
            takes_chunk: Signal<Local, Bit>,
            takes_queue: Signal<Local, Bit>,
            own: Signal<Local, Bit>,
            given: Signal<Local, Dispatch>,
            arrives: Signal<Local, Bit>,
        }
        constants {
            no_dispatch: Constant<Dispatch>,
            nothing_left: Constant<Choice>,
            no_home: Constant<Word> = Constant::id(smxs, 0),
            zero: Constant<Word> = Constant::id(smxs, 0),
            host_level: Lit<2, 0>,
            one_layout: Constant<Layouts> = Constant::new(Layouts::ONE),
            share: Constant<DerivedChunk>,
        }
        children {
            chunk: OwnChunk = OwnChunk::new(number, smxs, 1, true),
            queue: QueueBank = QueueBank::new(1, entries),
            thief: NestedThief = NestedThief::new(number, smxs, levels),
            resources: SmxResources = SmxResources::new(limits),
        }
        state { gated: usize = usize::from(gated) }
    }
}

impl Logic for NestedUnit {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.chunk.control);
        Control::link(&mut self.control, &mut self.queue.control);
        Control::link(&mut self.control, &mut self.thief.control);
        Control::link(&mut self.control, &mut self.resources.control);

        // The host's kernel begins.
        self.chunk.assigns.next = self.assigns.val();
        self.chunk.begins.next = self.begins.val();
        self.chunk.load.next = self.load.val();
        self.chunk.first.next = self.zero.val();
        self.chunk.blocks.next = self.kernel.val().blocks;
        self.chunk.grid.next = self.kernel.val().grid;
        self.chunk.behind.next = self.behind.val();
        self.ready.next = self.chunk.ready.val();
        self.start.next = self.chunk.start.val();
        self.chunk.layouts.next = self.one_layout.val();
        self.chunk.derived.next = self.share.val();
        self.queue.layout.next = self.host_level.val();
        self.queue.begins.next = self.begins.val();
        self.queue.load.next = self.load.val();
        self.queue.forward.next = self.chunk.forward.val();

        // Its own work of level 0.
        self.from_queue.next = self.queue.available.val()
            & (self.queue.queue_first.val() | !self.chunk.available.val());
        self.host_left.next = self.chunk.available.val() | self.queue.available.val();
        self.mine.next.valid = true;
        self.mine.next.level = self.host_level.val();
        self.mine.next.kernel = self.head.val();
        self.mine.next.block = self.chunk.next_block.val();
        if self.from_queue.val() {
            self.mine.next.block = self.queue.next_block.val();
        }
        self.mine.next.needs = self.kernel.val().needs;
        self.choice.next = self.nothing_left.val();
        if self.chunk.available.val() | self.queue.available.val() {
            self.choice.next = self.mine.val();
        }

        // Its own work of the highest level, if there is room and no request under way.
        self.looked.next = self.best.val().needs;
        if self.thief.asks.val() {
            self.looked.next = self.asked_needs.val();
            if self.thief.level.val() == self.host_level.val() {
                self.looked.next = self.kernel.val().needs;
            }
        }
        self.resources.needs.next = self.looked.val();
        self.resources.finished.next = self.finished.val();
        self.resources.freed.next = self.freed.val();
        self.own.next = self.best.val().valid
            & self.resources.room.val()
            & !self.thief.asks.val()
            & !self.thief.owed.val();
        for _is in 0..self.gated {
            self.own.next = self.own.val() & self.allowed.val();
        }
        self.of_host.next = self.own.val() & (self.best.val().level == self.host_level.val());
        self.takes_queue.next = self.of_host.val() & self.from_queue.val();
        self.takes_chunk.next = self.of_host.val() & !self.from_queue.val();
        self.chunk.take.next = self.takes_chunk.val();
        self.queue.take.next = self.takes_queue.val();
        self.takes.next = self.host_level.val();
        if self.own.val() {
            self.takes.next = self.best.val().level;
        }

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
        self.thief.begins.next = self.begins.val() | self.child_begins.val();
        self.thief.begins_level.next = self.child_level.val();
        if self.begins.val() {
            self.thief.begins_level.next = self.host_level.val();
        }
        self.thief.ends.next = self.finished.val();
        self.thief.hungry.next = !self.best.val().valid;
        for _is in 0..self.gated {
            self.thief.hungry.next = !self.best.val().valid & self.allowed.val();
        }
        self.thief.granted.next = self.granted.val();
        self.thief.refused.next = self.refused.val();
        self.thief.no_room.next = !self.resources.room.val();
        self.thief.granted_loot.next = self.granted_loot.val();
        if self.thief.level.val() == self.host_level.val() {
            self.thief.granted_loot.next.valid = self.granted.val();
            self.thief.granted_loot.next.home = self.no_home.val();
            self.thief.granted_loot.next.kernel = self.head.val();
            self.thief.granted_loot.next.block = self.granted_block.val();
        }
        self.asks.next = self.thief.asks.val();
        self.victim.next = self.thief.victim.val();
        self.from_chunk.next = self.thief.from_chunk.val();
        self.level.next = self.thief.level.val();
        self.fits.next = self.resources.room.val();
        self.resources.take.next = self.own.val() | self.granted.val();
        self.loot.next = self.thief.loot.val();
        self.loot_level.next = self.thief.loot_level.val();
        self.owed.next.valid = self.thief.loot.val().valid;
        self.owed.next.home = self.thief.loot.val().home;

        // A stolen block of level 0. A kernel may have begun since it was asked for: then something
        // of the queue may be left, and the block stays out of it as it would of a full one.
        self.arrives.next =
            self.thief.owed.val() & (self.thief.loot_level.val() == self.host_level.val());
        self.queue.insert.next = self.arrives.val() & !self.queue.available.val();
        self.queue.insert_block.next = self.thief.loot.val().block;
        self.filled.next =
            self.queue.filled.val() | (self.arrives.val() & self.queue.available.val());
        self.spent.next = !self.host_left.val() & !self.arrives.val();

        self.given.next = self.no_dispatch.val();
        if self.own.val() {
            self.given.next.valid = true;
            self.given.next.kernel = self.best.val().kernel;
            self.given.next.block = self.best.val().block;
        }
        if self.thief.owed.val() {
            self.given.next.valid = true;
            self.given.next.kernel = self.thief.loot.val().kernel;
            self.given.next.block = self.thief.loot.val().block;
        }
        self.dispatch.next = self.given.val();
        for _is in 0..self.gated {
            self.receives.next = self.given.val().valid;
        }
        self.started.next.valid = self.given.val().valid;
        self.started.next.entry = self.given.val().kernel;
    }
}
