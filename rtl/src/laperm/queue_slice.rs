//! One priority queue with its overflow queues.

use super::{HeadBlock, LinkedQueue, OverflowQueues, QueueEntry, QueueStatus, ShiftingQueue};
use crate::dtbl::BlockRegister;
use crate::prelude::*;

/// A slice over each kind of queue: the same logic around another child.
macro_rules! queue_slice {
    ($(#[$meta:meta])* $name:ident, $queue:ident) => {
        hdl_module! {
            $(#[$meta])*
            ///
            /// ```text
            ///   enter, place, entry ---+--> [ queue on chip   ] --> head
            ///   refill, ...  ----------+    [                 ]
            ///                          +--> [ overflow_queues ] --> spills, asks, fetch_*
            /// ```
            ///
            /// A new unit goes to memory when units of its level are there or on their way from
            /// there, or when all entries are taken or promised; otherwise on chip. Storage: that
            /// of its children.
            pub(super) struct $name (entries: usize, levels: usize) clocked {
                inputs {
                    /// A new unit enters this queue; only when `status` lets it.
                    enter: Signal<In, Bit>,
                    /// Its level, 1 to 8; always valid.
                    level: Signal<In, U<4>>,
                    /// What it is; valid with `enter`.
                    entry: Signal<In, QueueEntry>,
                    /// A unit that was fetched is inserted; only when `status.ready`.
                    refill: Signal<In, Bit>,
                    /// Its level; valid with `refill`.
                    refill_level: Signal<In, U<4>>,
                    /// What it is; valid with `refill`.
                    refill_entry: Signal<In, QueueEntry>,
                    /// The unit at `fetch_index` is asked for; only with `asks`.
                    fetch: Signal<In, Bit>,
                    /// The head's next block is dispatched; only with `head_valid`.
                    step: Signal<In, Bit>,
                    /// The head leaves; only with `head_valid`.
                    remove: Signal<In, Bit>,
                }
                outputs {
                    /// Whether a new unit could enter.
                    status: Signal<Out, QueueStatus>,
                    /// The new unit goes to memory; low without `enter`.
                    spills: Signal<Out, Bit>,
                    /// Its place there; valid with `spills`.
                    spill_index: Signal<Out, U<32>>,
                    /// A unit in memory could come.
                    asks: Signal<Out, Bit>,
                    /// The level of the one that would; valid with `asks`.
                    fetch_level: Signal<Out, U<4>>,
                    /// Its place there; valid with `asks`.
                    fetch_index: Signal<Out, U<32>>,
                    /// There is a unit on chip.
                    head_valid: Signal<Out, Bit>,
                    /// The next block of the first one; valid with `head_valid`.
                    head: Signal<Out, HeadBlock>,
                }
                locals {
                    complement: Signal<Local, U<4>>,
                    rank: Signal<Local, U<3>>,
                    rank_bit: Signal<Local, U<8>>,
                    refill_complement: Signal<Local, U<4>>,
                    taken: Signal<Local, U<12>>,
                    full: Signal<Local, Bit>,
                    away: Signal<Local, Bit>,
                    first: Signal<Local, QueueEntry>,
                    next_block: Signal<Local, BlockRegister>,
                }
                constants {
                    eight: Lit<4, 8>,
                    one_level: Lit<8, 1>,
                    all: Constant<U<12>> = Constant::new(U::new(entries as u64)),
                }
                children {
                    queue: $queue = $queue::new(entries, levels),
                    overflow: OverflowQueues = OverflowQueues::new(levels),
                }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                Control::link(&mut self.control, &mut self.queue.control);
                Control::link(&mut self.control, &mut self.overflow.control);
                self.taken.next = self.queue.count.val() + self.overflow.promised.val();
                self.full.next = self.taken.val() == self.all.val();
                self.status.next.ready = self.queue.ready.val();
                self.status.next.full = self.full.val();
                self.status.next.behind = self.overflow.behind.val();

                // A new unit: on chip or to memory.
                self.complement.next = self.eight.val() - self.level.val();
                self.rank.next = self.complement.val().get_bits::<3>(0);
                self.rank_bit.next = self.one_level.val() << self.rank.val();
                self.away.next =
                    self.full.val() | (self.overflow.behind.val() & self.rank_bit.val()).any();
                self.overflow.spill.next = self.enter.val() & self.away.val();
                self.overflow.spill_rank.next = self.rank.val();
                self.spills.next = self.enter.val() & self.away.val();
                self.spill_index.next = self.overflow.spill_index.val();

                // One insertion a cycle: that unit, or one that comes back.
                self.queue.insert.next =
                    self.refill.val() | (self.enter.val() & !self.away.val());
                self.queue.insert_level.next = self.level.val();
                self.queue.insert_entry.next = self.entry.val();
                if self.refill.val() {
                    self.queue.insert_level.next = self.refill_level.val();
                    self.queue.insert_entry.next = self.refill_entry.val();
                }
                self.refill_complement.next = self.eight.val() - self.refill_level.val();
                self.overflow.arrive.next = self.refill.val();
                self.overflow.arrive_rank.next =
                    self.refill_complement.val().get_bits::<3>(0);

                // What could come, unless its entry goes to the new unit.
                self.asks.next = self.overflow.any.val()
                    & !self.full.val()
                    & !(self.enter.val() & !self.away.val());
                self.fetch_level.next =
                    self.eight.val() - bit_cast::<4, 3>(self.overflow.fetch_rank.val());
                self.fetch_index.next = self.overflow.fetch_index.val();
                self.overflow.fetch.next = self.fetch.val();

                self.queue.step.next = self.step.val();
                self.queue.remove.next = self.remove.val();
                self.head_valid.next = self.queue.head_valid.val();
                self.first.next = self.queue.head.val().entry;
                self.next_block.next.kernel = self.first.val().kernel;
                self.next_block.next.group = self.first.val().group;
                self.next_block.next.block = self.queue.head.val().at;
                self.head.next.register = self.next_block.val();
                self.head.next.level = self.queue.head.val().level;
                self.head.next.ends = self.queue.head.val().ends;
                self.head.next.empty = self.queue.head.val().empty;
            }
        }
    };
}

queue_slice!(
    /// One priority queue whose insertion moves entries, with its overflow queues (LaPerm, section
    /// IV-E).
    ShiftingSlice,
    ShiftingQueue
);
queue_slice!(
    /// One priority queue of linked lists, with its overflow queues (LaPerm, section IV-E).
    LinkedSlice,
    LinkedQueue
);
