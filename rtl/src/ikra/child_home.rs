//! The device kernel that runs at one home and level, and its chunk.

use super::{ChunkEntry, Stake, Tenancy};
use crate::port::{BlockId, Dispatch, Needs};
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// The tenant of SMX `number` of `smxs` at one level from 1 on (IKRA, section 8; rules 23, 24
    /// and 28 of `docs/ikra.md`): its chunk is the whole grid, less what is in queues, and is kept
    /// for the next tenant of the same grid.
    ///
    /// ```text
    ///   begins, grid --> [ tenant, extent, known, told ] --> taken, load, ends
    ///   take, steal ---> [ chunk_entry                 ] --> next_work, far_block, last, available
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `begins` | `taken`, `next_work` | 1 |
    /// | `grid` | `load` | 0 |
    /// | `busy`, `resident` | `ends` | 0 |
    ///
    /// Storage: that of its child and 117 registers.
    pub struct ChildHome (number: usize, smxs: usize) clocked {
        inputs {
            /// A kernel with blocks begins here; only when not `taken`.
            begins: Signal<In, Bit>,
            /// Its entry; valid with `begins`.
            kernel: Signal<In, U<5>>,
            /// Its extent; valid with `begins` and when `load` is looked at.
            grid: Signal<In, BlockId>,
            /// What each of its blocks takes; valid with `begins`.
            needs: Signal<In, Needs>,
            /// The next block is dispatched.
            take: Signal<In, Bit>,
            /// The far block is stolen.
            steal: Signal<In, Bit>,
            /// A block of it is in nobody's queue, or filled one.
            told: Signal<In, Bit>,
            /// A block of it is left in a queue, or on its way.
            busy: Signal<In, Bit>,
            /// One bit for each entry: blocks of it are in execution.
            resident: Signal<In, U<32>>,
        }
        outputs {
            /// There is a tenant.
            taken: Signal<Out, Bit>,
            /// A kernel of this grid gets a new chunk.
            load: Signal<Out, Bit>,
            /// What queues need to know of the tenant, or the last one.
            tenancy: Signal<Out, Tenancy>,
            /// Something of the chunk is left.
            available: Signal<Out, Bit>,
            /// What runs next of it; zero when not `available`.
            next_work: Signal<Out, Dispatch>,
            /// What the blocks of the chunk have in common; zero when not `available`.
            stake: Signal<Out, Stake> = Signal::of(Stake::none(smxs)),
            /// What each of them takes; zero when not `available`.
            next_needs: Signal<Out, Needs>,
            /// The far block; zero when not `available`.
            far_block: Signal<Out, BlockId>,
            /// It is the next block.
            last: Signal<Out, Bit>,
            /// The bit of the tenant's entry, if it ends in this cycle.
            ends: Signal<Out, U<32>>,
        }
        locals {
            keeps: Signal<Local, Bit>,
            own: Signal<Local, U<32>>,
            over: Signal<Local, Bit>,
            common: Signal<Local, Stake> = Signal::of(Stake::none(smxs)),
            work: Signal<Local, Dispatch>,
        }
        constants {
            nobody: Lit<32, 0>,
            bit_zero: Lit<32, 1>,
            one_x: Lit<31, 1>,
            one: Lit<16, 1>,
            first_block: Constant<BlockId>,
            no_work: Constant<Dispatch>,
            no_stake: Constant<Stake> = Constant::new(Stake::none(smxs)),
            here: Constant<Word> = Constant::id(smxs, number),
        }
        children {
            tenant: Register<Bit>,
            entry: Register<U<5>>,
            takes: Register<Needs>,
            known: Register<Bit>,
            extent: Register<BlockId>,
            anew: Register<Bit>,
            chunk: ChunkEntry = ChunkEntry::new(true),
        }
    }
}

impl Logic for ChildHome {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.tenant.control);
        Control::link(&mut self.control, &mut self.entry.control);
        Control::link(&mut self.control, &mut self.takes.control);
        Control::link(&mut self.control, &mut self.known.control);
        Control::link(&mut self.control, &mut self.extent.control);
        Control::link(&mut self.control, &mut self.anew.control);
        Control::link(&mut self.control, &mut self.chunk.control);

        // A tenant comes.
        self.keeps.next = self.known.q.val()
            & !self.anew.q.val()
            & (self.grid.val().x == self.extent.q.val().x)
            & (self.grid.val().y == self.extent.q.val().y)
            & (self.grid.val().z == self.extent.q.val().z);
        self.load.next = !self.keeps.val();
        self.known.d.next = self.known.q.val() | self.begins.val();
        self.entry.d.next = self.entry.q.val();
        self.takes.d.next = self.takes.q.val();
        self.extent.d.next = self.extent.q.val();
        if self.begins.val() {
            self.entry.d.next = self.kernel.val();
            self.takes.d.next = self.needs.val();
            self.extent.d.next = self.grid.val();
        }
        self.anew.d.next =
            (self.anew.q.val() | self.told.val()) & !(self.begins.val() & !self.keeps.val());

        // Its chunk.
        self.chunk.begins.next = self.begins.val();
        self.chunk.former.next = self.chunk.forward.val();
        self.chunk.load.next = self.begins.val() & !self.keeps.val();
        self.chunk.load_start.next = self.first_block.val();
        self.chunk.load_last.next.x = self.grid.val().x - self.one_x.val();
        self.chunk.load_last.next.y = self.grid.val().y - self.one.val();
        self.chunk.load_last.next.z = self.grid.val().z - self.one.val();
        self.chunk.load_vacant.next = false;
        self.chunk.grid.next = self.extent.q.val();
        self.chunk.take.next = self.take.val();
        self.chunk.steal.next = self.steal.val();
        self.available.next = self.chunk.available.val();
        self.far_block.next = self.chunk.far_block.val();
        self.last.next = self.chunk.last.val();
        self.work.next.valid = true;
        self.work.next.kernel = self.entry.q.val();
        self.work.next.block = self.chunk.next_block.val();
        self.next_work.next = self.no_work.val();
        self.common.next = self.no_stake.val();
        if self.chunk.available.val() {
            self.next_work.next = self.work.val();
            self.common.next.home = self.here.val();
            self.common.next.kernel = self.entry.q.val();
            self.common.next.needs = self.takes.q.val();
        }
        self.stake.next = self.common.val();
        self.next_needs.next = self.common.val().needs;
        self.tenancy.next.forward = self.chunk.forward.val();
        self.tenancy.next.kernel = self.entry.q.val();
        self.tenancy.next.needs = self.takes.q.val();

        // It goes when nothing of it is left anywhere.
        self.own.next = self.bit_zero.val() << self.entry.q.val();
        self.over.next = self.tenant.q.val()
            & !self.chunk.available.val()
            & !self.busy.val()
            & !(self.resident.val() & self.own.val()).any();
        self.taken.next = self.tenant.q.val();
        self.tenant.d.next = (self.tenant.q.val() & !self.over.val()) | self.begins.val();
        self.ends.next = self.nobody.val();
        if self.over.val() {
            self.ends.next = self.own.val();
        }
    }
}
