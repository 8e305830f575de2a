//! Blocks of groups that have ended and wait to be counted.

use super::Served;
use crate::dispatch::RoundRobin;
use crate::prelude::*;
use crate::prim::{Bundle, Fifo, TaggedSmx};

hdl_module! {
    /// A queue for each of `smxs` SMXs with `slots` slots (at most 32), served round robin, one
    /// block a cycle (rule 11b of `docs/dtbl.md`; what the ExeBL field of DTBL, section 4.2, takes
    /// in hardware).
    ///
    /// ```text
    ///   ended[s], ended_index[s] --+--> [ queue of s ] --+--> crowded
    ///                              +------- empty -------+
    ///                                                    |
    ///                                [ dispatch/round_robin ] --> served
    /// ```
    ///
    /// A block counts as in its queue from the cycle on in which it comes, the one after its end,
    /// and can be served in it. A queue holds twice as many blocks as there are slots (rounded up
    /// to a power of two), which are enough if no block goes to an SMX that is `crowded`. Storage:
    /// 11 bits for each place, 17 registers for each queue, the pointer.
    ///
    /// # Panics
    /// The constructor, with more than 32 slots.
    pub struct EndedBlocks (smxs: usize, slots: u64) clocked {
        inputs {
            /// One bit for each SMX: a block of a group on chip ended there in the cycle before.
            ended: Signal<In, Mask> = Signal::mask(smxs),
            /// Its group's entry; valid with its bit of `ended`.
            ended_index: Vec<Signal<In, U<11>>> = Signal::each(smxs, U::new(0)),
        }
        outputs {
            /// The group of the block that leaves its queue in this cycle, and is counted in the
            /// next.
            served: Signal<Out, Served>,
            /// One bit for each SMX: as many blocks wait there as it has slots, or more.
            crowded: Signal<Out, Mask> = Signal::mask(smxs),
        }
        constants {
            nobody: Constant<Served>,
            slots: Constant<U<9>> = Constant::new(U::new(slots)),
            one_less: Constant<U<9>> = Constant::new(U::new(slots - 1)),
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(smxs)),
        }
        children {
            queue: Vec<Fifo<U<11>, 6>> =
                (0..smxs).map(|_| Fifo::of(U::new(0), places(slots))).collect(),
            waits: Bundle<Mask> = Bundle::of(smxs),
            full: Bundle<Mask> = Bundle::of(smxs),
            turn: RoundRobin = RoundRobin::new(smxs),
        }
        state { smxs: usize = smxs }
    }
}

/// Places of a queue.
fn places(slots: u64) -> usize {
    assert!(slots <= 32, "{slots} slots: expected 32 at most");
    2 * slots.next_power_of_two() as usize
}

impl Logic for EndedBlocks {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.turn.control);
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.queue[i].control);
            // What comes and is served at once does not enter.
            self.queue[i].push.next = self.ended.val().get_bit(i)
                & !(self.queue[i].empty.val() & self.turn.grant.val().get_bit(i));
            self.queue[i].data.next = self.ended_index[i].val();
            self.queue[i].pop.next = self.turn.grant.val().get_bit(i);
            self.waits.bits[i].next = !self.queue[i].empty.val() | self.ended.val().get_bit(i);
            self.full.bits[i].next = (self.queue[i].filled.val() >= self.slots.val())
                | (self.ended.val().get_bit(i)
                    & (self.queue[i].filled.val() >= self.one_less.val()));
        }
        self.crowded.next = self.full.word.val();

        self.turn.request.next = self.waits.word.val();
        self.turn.restart.next = self.no_restart.val();
        self.served.next = self.nobody.val();
        for i in 0..self.smxs {
            if self.turn.grant.val().get_bit(i) {
                self.served.next.valid = true;
                self.served.next.index = self.queue[i].head.val();
                if self.queue[i].empty.val() {
                    self.served.next.index = self.ended_index[i].val();
                }
            }
        }
    }
}
