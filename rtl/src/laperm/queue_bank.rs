//! The priority queues of a GPU.

use super::{
    queue_bits, EntryFetch, HeadBlock, LinkedSlice, Place, QueueEntry, QueueStatus, Refill,
    ShiftingSlice, Spill,
};
use crate::prelude::*;
use crate::prim::{Bundle, Crossbar, PriorityEncoder};

/// A bank of each kind of slice: the same logic around other children.
macro_rules! queue_bank {
    ($(#[$meta:meta])* $name:ident, $slice:ident) => {
        hdl_module! {
            $(#[$meta])*
            ///
            /// ```text
            ///   record_place, group_place --> ( status of their queues ) --> record_open, group_open
            ///   enter, place, entry --> [ slice a queue  ] --> spill
            ///   refill ---------------> [                ] --> refill_taken
            ///   step, remove ---------> [                ] --> fetch (lowest queue that asks)
            ///                           [                ] --> heads, head
            /// ```
            ///
            /// While a unit that was fetched is at the port, nothing else enters. Storage: that of
            /// its children.
            pub struct $name (smxs: usize, queues: usize, entries: usize, levels: usize) clocked {
                inputs {
                    /// Where a record's kernel would enter.
                    record_place: Signal<In, Place> = Signal::of(Place::none(smxs)),
                    /// Where a group would enter.
                    group_place: Signal<In, Place> = Signal::of(Place::none(smxs)),
                    /// A new unit enters; only where it could.
                    enter: Signal<In, Bit>,
                    /// Where; valid with `enter`.
                    place: Signal<In, Place> = Signal::of(Place::none(smxs)),
                    /// What it is; valid with `enter`.
                    entry: Signal<In, QueueEntry>,
                    /// A unit comes from memory; it stays until `refill_taken`.
                    refill: Signal<In, Refill> = Signal::of(Refill::none(smxs)),
                    /// One bit for each queue: the next block of its head is dispatched.
                    step: Signal<In, Mask> = Signal::mask(queues),
                    /// One bit for each queue: its head leaves.
                    remove: Signal<In, Mask> = Signal::mask(queues),
                }
                outputs {
                    /// A new unit could enter at `record_place` in this cycle.
                    record_open: Signal<Out, Bit>,
                    /// A new unit could enter at `group_place` in this cycle.
                    group_open: Signal<Out, Bit>,
                    /// One bit for each queue that has a unit on chip.
                    heads: Signal<Out, Mask> = Signal::mask(queues),
                    /// The next block of each queue's first unit; valid with its bit of `heads`.
                    head: Vec<Signal<Out, HeadBlock>> = Signal::each(queues, HeadBlock::default()),
                    /// The unit at `refill` is taken.
                    refill_taken: Signal<Out, Bit>,
                    /// A unit is put into memory.
                    spill: Signal<Out, Spill> = Signal::of(Spill::none(smxs)),
                    /// A unit in memory is asked for.
                    fetch: Signal<Out, EntryFetch> = Signal::of(EntryFetch::none(smxs)),
                }
                locals {
                    record_status: Signal<Local, QueueStatus>,
                    record_rank: Signal<Local, U<4>>,
                    record_bit: Signal<Local, U<8>>,
                    group_status: Signal<Local, QueueStatus>,
                    group_rank: Signal<Local, U<4>>,
                    group_bit: Signal<Local, U<8>>,
                    refill_place: Signal<Local, Place> = Signal::of(Place::none(smxs)),
                    fetch_place: Signal<Local, Place> = Signal::of(Place::none(smxs)),
                    entered: Signal<Local, Mask> = Signal::mask(queue_bits(queues)),
                    refilled: Signal<Local, Mask> = Signal::mask(queue_bits(queues)),
                    refill_status: Signal<Local, QueueStatus>,
                    spilled: Signal<Local, Bit>,
                }
                constants {
                    eight: Lit<4, 8>,
                    one_level: Lit<8, 1>,
                    nobody: Constant<Mask> = Constant::new(Mask::none(queue_bits(queues))),
                    bit_zero: Constant<Mask> = Constant::new(Mask::one(queue_bits(queues))),
                    no_spill: Constant<Spill> = Constant::new(Spill::none(smxs)),
                    no_fetch: Constant<EntryFetch> = Constant::new(EntryFetch::none(smxs)),
                }
                children {
                    slice: Vec<$slice> = (0..queues).map(|_| $slice::new(entries, levels)).collect(),
                    status: Crossbar<QueueStatus, Word> = Crossbar::within(smxs, QueueStatus::default(), queues, 3),
                    spill_index: Crossbar<U<32>, Word> = Crossbar::within(smxs, U::new(0), queues, 1),
                    fetch_index: Crossbar<U<32>, Word> = Crossbar::within(smxs, U::new(0), queues, 1),
                    fetch_level: Crossbar<U<4>, Word> = Crossbar::within(smxs, U::new(0), queues, 1),
                    valid: Bundle<Mask> = Bundle::of(queues),
                    spills: Bundle<Mask> = Bundle::of(queues),
                    asks: Bundle<Mask> = Bundle::of(queues),
                    lowest: PriorityEncoder<Mask> = PriorityEncoder::within(smxs, queues),
                }
                state { queues: usize = queues }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                // Which queues are concerned.
                self.entered.next = self.nobody.val();
                if self.enter.val() {
                    self.entered.next = self.bit_zero.val() << self.place.val().queue;
                }
                self.refill_place.next = self.refill.val().place;
                self.status.select[2].next = self.refill_place.val().queue;
                self.refill_status.next = self.status.data[2].val();
                self.refilled.next = self.nobody.val();
                if self.refill.val().valid & self.refill_status.val().ready {
                    self.refilled.next = self.bit_zero.val() << self.refill_place.val().queue;
                }
                self.refill_taken.next = self.refill.val().valid & self.refill_status.val().ready;

                for i in 0..self.queues {
                    Control::link(&mut self.control, &mut self.slice[i].control);
                    self.slice[i].enter.next = self.entered.val().get_bit(i);
                    self.slice[i].level.next = self.place.val().level;
                    self.slice[i].entry.next = self.entry.val();
                    self.slice[i].refill.next = self.refilled.val().get_bit(i);
                    self.slice[i].refill_level.next = self.refill_place.val().level;
                    self.slice[i].refill_entry.next = self.refill.val().entry;
                    self.slice[i].fetch.next = self.lowest.grant.val().get_bit(i);
                    self.slice[i].step.next = self.step.val().get_bit(i);
                    self.slice[i].remove.next = self.remove.val().get_bit(i);
                    self.status.word[i].next = self.slice[i].status.val();
                    self.head[i].next = self.slice[i].head.val();
                    self.spill_index.word[i].next = self.slice[i].spill_index.val();
                    self.fetch_index.word[i].next = self.slice[i].fetch_index.val();
                    self.fetch_level.word[i].next = self.slice[i].fetch_level.val();
                    self.valid.bits[i].next = self.slice[i].head_valid.val();
                    self.spills.bits[i].next = self.slice[i].spills.val();
                    self.asks.bits[i].next = self.slice[i].asks.val();
                }

                // Who could enter: what would be spilled, or what its queue is ready for.
                self.status.select[0].next = self.record_place.val().queue;
                self.record_status.next = self.status.data[0].val();
                self.record_rank.next = self.eight.val() - self.record_place.val().level;
                self.record_bit.next = self.one_level.val() << self.record_rank.val();
                self.record_open.next = !self.refill.val().valid
                    & (self.record_status.val().ready
                        | self.record_status.val().full
                        | (self.record_status.val().behind & self.record_bit.val()).any());
                self.status.select[1].next = self.group_place.val().queue;
                self.group_status.next = self.status.data[1].val();
                self.group_rank.next = self.eight.val() - self.group_place.val().level;
                self.group_bit.next = self.one_level.val() << self.group_rank.val();
                self.group_open.next = !self.refill.val().valid
                    & (self.group_status.val().ready
                        | self.group_status.val().full
                        | (self.group_status.val().behind & self.group_bit.val()).any());

                self.heads.next = self.valid.word.val();

                // Traffic with memory.
                self.spilled.next = self.spills.word.val().any();
                self.spill_index.select[0].next = self.place.val().queue;
                self.spill.next = self.no_spill.val();
                if self.spilled.val() {
                    self.spill.next.valid = true;
                    self.spill.next.place = self.place.val();
                    self.spill.next.index = self.spill_index.data[0].val();
                    self.spill.next.entry = self.entry.val();
                }
                self.lowest.request.next = self.asks.word.val();
                self.fetch_index.select[0].next = self.lowest.index.val();
                self.fetch_level.select[0].next = self.lowest.index.val();
                self.fetch_place.next.queue = self.lowest.index.val();
                self.fetch_place.next.level = self.fetch_level.data[0].val();
                self.fetch.next = self.no_fetch.val();
                if self.lowest.valid.val() {
                    self.fetch.next.valid = true;
                    self.fetch.next.place = self.fetch_place.val();
                    self.fetch.next.index = self.fetch_index.data[0].val();
                }
            }
        }
    };
}

queue_bank!(
    /// `queues` priority queues whose insertion moves entries (LaPerm, section IV-E; figure 5(c)).
    ShiftingBank,
    ShiftingSlice
);
queue_bank!(
    /// `queues` priority queues of linked lists (LaPerm, section IV-E; figure 5(c)).
    LinkedBank,
    LinkedSlice
);
