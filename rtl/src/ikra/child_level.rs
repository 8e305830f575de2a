//! One level of nested kernels on all SMXs.

use super::child_answer::ChildAnswer;
use super::child_home::ChildHome;
use super::child_queue::ChildQueue;
use super::ports::home_bits;
use super::{Home, Loot, Stake, StealArbiter, Tenancy};
use crate::port::{BlockId, Dispatch, Needs};
use crate::prelude::*;
use crate::prim::{Bundle, Crossbar};

hdl_module! {
    /// A chunk entry and a steal queue for each of `smxs` SMXs at one level from 1 on (IKRA,
    /// section 8; rules 23 to 28 of `docs/ikra.md`), but for what SMXs decide.
    ///
    /// ```text
    ///   begins, home ---> [ home of each SMX  ] --> taken, chunk_next, ends
    ///                       | tenancy  ^ told, busy
    ///                       v crossbar |
    ///   arrives, owed --> [ queue of each SMX ] --> queue_next
    ///                       | far ends, what is left
    ///                       v
    ///   asks, victim ---> [ crossbars, steal_arbiter ] --> asked_needs, granted, refused, loot
    ///   fits ----------->
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `begins` | `taken`, `chunk_next`, `queue_next` | 1 |
    /// | `home` | `taken` | 0 |
    /// | `asks` | `asked_needs`, `granted`, `refused`, `loot` | 0 |
    /// | `owed`, `resident` | `ends` | 0 |
    ///
    /// Storage: that of its children.
    pub struct ChildLevel (smxs: usize, entries: usize) clocked {
        inputs {
            /// A kernel with blocks begins; only when not `taken`.
            begins: Signal<In, Bit>,
            /// Its home, below `smxs`; valid with `begins` and when `taken` is looked at.
            home: Signal<In, Word> = Signal::id(smxs),
            /// Its entry; valid with `begins`.
            kernel: Signal<In, U<5>>,
            /// Its extent; valid with `begins`.
            grid: Signal<In, BlockId>,
            /// What each of its blocks takes; valid with `begins`.
            needs: Signal<In, Needs>,
            /// One bit for each SMX: it dispatches the next block of its chunk.
            take_chunk: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each SMX: it dispatches the next block of its queue; not with
            /// `take_chunk`.
            take_queue: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each thief: its request is at its victim.
            asks: Signal<In, Mask> = Signal::mask(smxs),
            /// Whom it asks; valid with its bit of `asks`.
            victim: Vec<Signal<In, Word>> = Signal::each(smxs, Word::id(smxs, 0)),
            /// One bit for each thief: for the chunk; valid with its bit of `asks`.
            from_chunk: Signal<In, Mask> = Signal::mask(smxs),
            /// One bit for each thief: it has room for `asked_needs`; valid with its bit of `asks`.
            fits: Signal<In, Mask> = Signal::mask(smxs),
            /// A stolen block is dispatched on the thief.
            arrives: Vec<Signal<In, Loot>> = Signal::each(smxs, Loot::none(smxs)),
            /// A block is on its way to the thief.
            owed: Vec<Signal<In, Home>> = Signal::each(smxs, Home::none(smxs)),
            /// One bit for each entry: blocks of it are in execution.
            resident: Signal<In, U<32>>,
        }
        outputs {
            /// `home` has a tenant.
            taken: Signal<Out, Bit>,
            /// What each SMX would run next of its chunk.
            chunk_next: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// What each SMX would run next of its queue.
            queue_next: Vec<Signal<Out, Dispatch>> = Signal::each(smxs, Dispatch::default()),
            /// What that of the chunk takes.
            chunk_needs: Vec<Signal<Out, Needs>> = Signal::each(smxs, Needs::default()),
            /// What that of the queue takes.
            queue_needs: Vec<Signal<Out, Needs>> = Signal::each(smxs, Needs::default()),
            /// What the block takes for which the thief asks; zero when nothing is left.
            asked_needs: Vec<Signal<Out, Needs>> = Signal::each(smxs, Needs::default()),
            /// One bit for each thief: it gets a block.
            granted: Signal<Out, Mask> = Signal::mask(smxs),
            /// One bit for each thief: it gets none.
            refused: Signal<Out, Mask> = Signal::mask(smxs),
            /// The block; zero without its bit of `granted`.
            loot: Vec<Signal<Out, Loot>> = Signal::each(smxs, Loot::none(smxs)),
            /// One bit for each entry whose kernel ends.
            ends: Signal<Out, U<32>>,
        }
        locals {
            at: Signal<Local, Mask> = Signal::mask(home_bits(smxs)),
            occupied: Signal<Local, Bit>,
            anew: Signal<Local, Bit>,
            told: Signal<Local, Mask> = Signal::mask(home_bits(smxs)),
            busy: Signal<Local, Mask> = Signal::mask(home_bits(smxs)),
            ended: Signal<Local, U<32>>,
        }
        constants {
            nobody: Lit<32, 0>,
            wide_nobody: Vec<Constant<Mask>> = match home_bits(smxs) {
                32 => vec![],
                wide => vec![Constant::new(Mask::none(wide))],
            },
            bit_zero: Constant<Mask> = Constant::new(Mask::one(home_bits(smxs))),
        }
        children {
            homes: Vec<ChildHome> =
                (0..smxs).map(|number| ChildHome::new(number, smxs)).collect(),
            tenancies: Crossbar<Tenancy, Word> = Crossbar::of(Tenancy::default(), smxs, smxs),
            queues: Vec<ChildQueue> = (0..smxs).map(|_| ChildQueue::new(smxs, entries)).collect(),
            of_chunks: Crossbar<Stake, Word> = Crossbar::of(Stake::none(smxs), smxs, smxs),
            of_queues: Crossbar<Stake, Word> = Crossbar::of(Stake::none(smxs), smxs, smxs),
            chunks_left: Bundle<Mask> = Bundle::of(smxs),
            queues_left: Bundle<Mask> = Bundle::of(smxs),
            arbiter: StealArbiter = StealArbiter::new(smxs),
            answers: Vec<ChildAnswer> = (0..smxs).map(|_| ChildAnswer::new(smxs)).collect(),
        }
        state { smxs: usize = smxs, wide: bool = home_bits(smxs) > 32 }
    }
}

/// The logic; no entry and no home are the same constant as long as there is one bit for each of 32
/// of both, and so it is there once for these and once for more homes.
macro_rules! kernel {
    ($kernel:ident, $($no_home:tt)*) => {
        trait $kernel {
            fn update(&mut self);
            fn connect(&mut self);
            fn hdl(&self) -> Verilog;
        }

        #[allow(clippy::useless_conversion)]
        impl $kernel for ChildLevel {
            #[hdl_gen]
            fn update(&mut self) {
                // A kernel begins: its home has no tenant, and may keep the chunk of the last one.
                self.at.next = self.bit_zero.val() << self.home.val();
                self.occupied.next = false;
                self.anew.next = false;
                for i in 0..self.smxs {
                    Control::link(&mut self.control, &mut self.homes[i].control);
                    if self.at.val().get_bit(i) {
                        self.occupied.next = self.homes[i].taken.val();
                        self.anew.next = self.homes[i].load.val();
                    }
                    self.homes[i].begins.next = self.begins.val() & self.at.val().get_bit(i);
                    self.homes[i].kernel.next = self.kernel.val();
                    self.homes[i].grid.next = self.grid.val();
                    self.homes[i].needs.next = self.needs.val();
                    self.homes[i].resident.next = self.resident.val();
                }
                self.taken.next = self.occupied.val();

                // Each queue follows the tenant of its home.
                self.told.next = self.$($no_home)*.val().into();
                self.busy.next = self.$($no_home)*.val().into();
                for i in 0..self.smxs {
                    Control::link(&mut self.control, &mut self.queues[i].control);
                    self.tenancies.word[i].next = self.homes[i].tenancy.val();
                    self.tenancies.select[i].next = self.queues[i].home.val();
                    self.queues[i].tenancy.next = self.tenancies.data[i].val();
                    self.queues[i].begins.next = self.begins.val();
                    self.queues[i].begun.next = self.home.val();
                    self.queues[i].load.next = self.anew.val();
                    self.queues[i].arrives.next = self.arrives[i].val();
                    self.queues[i].owed.next = self.owed[i].val();
                    self.told.next = self.told.val() | self.queues[i].tells.val();
                    self.busy.next = self.busy.val() | self.queues[i].busy.val();
                }
                self.ended.next = self.nobody.val();
                for i in 0..self.smxs {
                    self.homes[i].told.next = self.told.val().get_bit(i);
                    self.homes[i].busy.next = self.busy.val().get_bit(i);
                    self.ended.next = self.ended.val() | self.homes[i].ends.val();
                }
                self.ends.next = self.ended.val();

                // Own work, and what is left of it.
                for i in 0..self.smxs {
                    self.chunk_next[i].next = self.homes[i].next_work.val();
                    self.chunk_needs[i].next = self.homes[i].next_needs.val();
                    self.queue_next[i].next = self.queues[i].next_work.val();
                    self.queue_needs[i].next = self.queues[i].next_needs.val();
                    self.homes[i].take.next = self.take_chunk.val().get_bit(i);
                    self.queues[i].take.next = self.take_queue.val().get_bit(i);
                    self.chunks_left.bits[i].next = self.homes[i].available.val()
                        & !(self.take_chunk.val().get_bit(i) & self.homes[i].last.val());
                    self.queues_left.bits[i].next = self.queues[i].available.val()
                        & !(self.take_queue.val().get_bit(i) & self.queues[i].last.val());
                }

                // Thieves: one without room is refused, and does not count.
                self.arbiter.asks.next = self.asks.val() & self.fits.val();
                self.arbiter.from_chunk.next = self.from_chunk.val();
                self.arbiter.chunk_left.next = self.chunks_left.word.val();
                self.arbiter.queue_left.next = self.queues_left.word.val();
                self.granted.next = self.arbiter.granted.val();
                self.refused.next = self.arbiter.refused.val() | (self.asks.val() & !self.fits.val());
                for i in 0..self.smxs {
                    self.arbiter.victim[i].next = self.victim[i].val();
                    self.arbiter.chunk_far[i].next = self.homes[i].far_block.val();
                    self.arbiter.queue_far[i].next = self.queues[i].far_block.val();
                    self.homes[i].steal.next = self.arbiter.steal_chunk.val().get_bit(i);
                    self.queues[i].steal.next = self.arbiter.steal_queue.val().get_bit(i);
                    self.of_chunks.word[i].next = self.homes[i].stake.val();
                    self.of_queues.word[i].next = self.queues[i].stake.val();
                    self.of_chunks.select[i].next = self.victim[i].val();
                    self.of_queues.select[i].next = self.victim[i].val();
                    self.answers[i].asks.next = self.asks.val().get_bit(i);
                    self.answers[i].from_chunk.next = self.from_chunk.val().get_bit(i);
                    self.answers[i].of_chunk.next = self.of_chunks.data[i].val();
                    self.answers[i].of_queue.next = self.of_queues.data[i].val();
                    self.answers[i].granted.next = self.arbiter.granted.val().get_bit(i);
                    self.answers[i].block.next = self.arbiter.block[i].val();
                    self.asked_needs[i].next = self.answers[i].asked_needs.val();
                    self.loot[i].next = self.answers[i].loot.val();
                }
            }
        }
    };
}
kernel!(UpTo32, nobody);
kernel!(Above32, wide_nobody[0]);

impl Logic for ChildLevel {
    fn update(&mut self) {
        if self.wide {
            Above32::update(self);
        } else {
            UpTo32::update(self);
        }
    }

    fn connect(&mut self) {
        if self.wide {
            Above32::connect(self);
        } else {
            UpTo32::connect(self);
        }
    }

    fn hdl(&self) -> Verilog {
        if self.wide {
            Above32::hdl(self)
        } else {
            UpTo32::hdl(self)
        }
    }
}
