//! What one SMX stole at one level from 1 on.

use super::ports::home_bits;
use super::{Home, Loot, Stake, StealQueue, Tenancy};
use crate::port::{BlockId, Dispatch, Needs};
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// A [`StealQueue`] whose blocks are all of one home (IKRA, section 8; rules 24 and 27 of
    /// `docs/ikra.md`): it begins with the tenants of that home, runs in their direction, and takes
    /// no block of another one while it holds any.
    ///
    /// ```text
    ///   begins, begun --> [ holder        ] --home--> (the tenant of that home) --tenancy--+
    ///   arrives --------> [ fresh         ] --> tells                                      |
    ///   take, steal ----> [ steal_queue   ] --> next_work, far_block, last, available <----+
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `begins`, `take`, `steal`, `arrives` | `home`, `next_work` | 1 |
    /// | `tenancy` | `next_work`, `far_block` | 0 |
    /// | `arrives` | `tells` | 0 |
    ///
    /// Storage: that of its child and 7 registers, with an SMX's number of 5 bits (up to 32 SMXs).
    pub struct ChildQueue (smxs: usize, entries: usize) clocked {
        inputs {
            /// A kernel with blocks begins at this level.
            begins: Signal<In, Bit>,
            /// Its home; valid with `begins`.
            begun: Signal<In, Word> = Signal::id(smxs),
            /// Its chunk is a new one; valid with `begins`.
            load: Signal<In, Bit>,
            /// The tenant of `home`, or the last one.
            tenancy: Signal<In, Tenancy>,
            /// The next block is dispatched.
            take: Signal<In, Bit>,
            /// The far block leaves.
            steal: Signal<In, Bit>,
            /// A stolen block is dispatched here.
            arrives: Signal<In, Loot> = Signal::of(Loot::none(smxs)),
            /// A block is on its way here.
            owed: Signal<In, Home> = Signal::of(Home::none(smxs)),
        }
        outputs {
            /// The home of its blocks; any when it holds none. State alone.
            home: Signal<Out, Word> = Signal::id(smxs),
            /// Something is left.
            available: Signal<Out, Bit>,
            /// What runs next of it; zero when not `available`.
            next_work: Signal<Out, Dispatch>,
            /// What its blocks have in common; zero when not `available`.
            stake: Signal<Out, Stake> = Signal::of(Stake::none(smxs)),
            /// What each of them takes; zero when not `available`.
            next_needs: Signal<Out, Needs>,
            /// The far block; zero when not `available`.
            far_block: Signal<Out, BlockId>,
            /// It is the next block.
            last: Signal<Out, Bit>,
            /// The bit of the home that is told.
            tells: Signal<Out, Mask> = Signal::mask(home_bits(smxs)),
            /// The bits of homes of which a block is left here, or on its way here.
            busy: Signal<Out, Mask> = Signal::mask(home_bits(smxs)),
        }
        locals {
            opens: Signal<Local, Bit>,
            same: Signal<Local, Bit>,
            accepts: Signal<Local, Bit>,
            inserts: Signal<Local, Bit>,
            emptied: Signal<Local, Bit>,
            common: Signal<Local, Stake> = Signal::of(Stake::none(smxs)),
            work: Signal<Local, Dispatch>,
            homes: Signal<Local, Mask> = Signal::mask(home_bits(smxs)),
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(home_bits(smxs))),
            bit_zero: Constant<Mask> = Constant::new(Mask::one(home_bits(smxs))),
            no_work: Constant<Dispatch>,
            no_stake: Constant<Stake> = Constant::new(Stake::none(smxs)),
        }
        children {
            queue: StealQueue = StealQueue::new(entries),
            holder: Register<Home> = Register::new(Home::none(smxs)),
            fresh: Register<Bit>,
        }
    }
}

impl Logic for ChildQueue {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.queue.control);
        Control::link(&mut self.control, &mut self.holder.control);
        Control::link(&mut self.control, &mut self.fresh.control);

        // A tenant of its blocks' home begins.
        self.home.next = self.holder.q.val().home;
        self.opens.next = self.begins.val()
            & self.holder.q.val().valid
            & (self.begun.val() == self.holder.q.val().home);
        self.queue.begins.next = self.opens.val();
        self.queue.clear.next = self.load.val();
        self.queue.forward.next = self.tenancy.val().forward;
        self.queue.take.next = self.take.val();
        self.queue.steal.next = self.steal.val();

        // What is left.
        self.available.next = self.queue.available.val();
        self.far_block.next = self.queue.far_block.val();
        self.last.next = self.queue.last.val();
        self.work.next.valid = true;
        self.work.next.kernel = self.tenancy.val().kernel;
        self.work.next.block = self.queue.next_block.val();
        self.next_work.next = self.no_work.val();
        self.common.next = self.no_stake.val();
        if self.queue.available.val() {
            self.next_work.next = self.work.val();
            self.common.next.home = self.holder.q.val().home;
            self.common.next.kernel = self.tenancy.val().kernel;
            self.common.next.needs = self.tenancy.val().needs;
        }
        self.stake.next = self.common.val();
        self.next_needs.next = self.common.val().needs;

        // A stolen block. The direction matters to nobody when it is the only one.
        self.same.next = self.arrives.val().home == self.holder.q.val().home;
        self.accepts.next = !self.holder.q.val().valid
            | (self.same.val()
                & !self.opens.val()
                & !self.queue.available.val()
                & !self.queue.full.val());
        self.inserts.next = self.arrives.val().valid & self.accepts.val();
        self.queue.insert.next = self.inserts.val();
        self.queue.insert_block.next = self.arrives.val().block;
        self.tells.next = self.nobody.val();
        if self.arrives.val().valid & (!self.accepts.val() | self.queue.filled.val()) {
            self.tells.next = self.bit_zero.val() << self.arrives.val().home;
        }

        // Only a queue of which nothing has run can lose its last block.
        self.fresh.d.next =
            (self.fresh.q.val() | self.opens.val()) & !self.take.val() & !self.inserts.val();
        self.emptied.next = self.steal.val() & self.queue.last.val() & self.fresh.q.val();
        self.holder.d.next = self.holder.q.val();
        if self.emptied.val() | (self.opens.val() & self.load.val()) {
            self.holder.d.next.valid = false;
        }
        if self.inserts.val() {
            self.holder.d.next.valid = true;
            self.holder.d.next.home = self.arrives.val().home;
        }

        // Whose kernels cannot end.
        self.homes.next = self.nobody.val();
        if self.queue.available.val() {
            self.homes.next = self.bit_zero.val() << self.holder.q.val().home;
        }
        if self.owed.val().valid {
            self.homes.next = self.homes.val() | (self.bit_zero.val() << self.owed.val().home);
        }
        self.busy.next = self.homes.val();
    }
}
