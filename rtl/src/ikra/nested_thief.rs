//! The requests that one SMX sends for blocks of any nesting level.

use super::victim_order::VictimOrder;
use super::Loot;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// Asks the other SMXs for a block, level by level from the host's kernels on (IKRA, section 8;
    /// rules 11 and 26 of `docs/ikra.md`). Unlike a [`Thief`](super::Thief)'s, its scan goes back
    /// whenever something may have become available: to the level of a kernel that begins, or to
    /// the first one when a block ends here and there was no room for what others had. A request
    /// that is under way then goes on, and a mark with the level waits for its answer.
    ///
    /// ```text
    ///   hungry -----------> [ asking, answered                      ] --> asks
    ///   granted, refused -> [ scan: place, for its chunk, its level ] --> victim, from_chunk, level
    ///   begins, ends -----> [ back, back_level: when it is answered ]
    ///   no_room ----------> [ short                                 ]
    ///   granted_loot -----> [ loot                                  ] --> owed, loot
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `hungry` | `asks` | 1 |
    /// | `granted` | `owed` | 1 |
    ///
    /// Storage: 74 + 15 registers, with an SMX's number of 5 bits.
    ///
    /// # Panics
    /// The constructor, unless `number < smxs` and `levels` is 1 to 4.
    pub struct NestedThief (number: usize, smxs: usize, levels: usize) clocked {
        inputs {
            /// A kernel with blocks begins.
            begins: Signal<In, Bit>,
            /// Its level, of two kernels the lower one; valid with `begins`.
            begins_level: Signal<In, U<2>>,
            /// A block ends here.
            ends: Signal<In, Bit>,
            /// Nothing is left of any level here.
            hungry: Signal<In, Bit>,
            /// The victim gives a block; only with `asks`.
            granted: Signal<In, Bit>,
            /// It gives none; only with `asks`, and not with `granted`.
            refused: Signal<In, Bit>,
            /// For want of room; valid with `refused`.
            no_room: Signal<In, Bit>,
            /// The block; valid with `granted`.
            granted_loot: Signal<In, Loot> = Signal::of(Loot::none(smxs)),
        }
        outputs {
            /// The request is at its victim.
            asks: Signal<Out, Bit>,
            /// Whom it asks; zero when not `asks`.
            victim: Signal<Out, Word> = Signal::id(smxs),
            /// For its chunk, not its queue; low when not `asks`.
            from_chunk: Signal<Out, Bit>,
            /// Of which level; zero when not `asks`.
            level: Signal<Out, U<2>>,
            /// A block was granted, and is dispatched in this cycle.
            owed: Signal<Out, Bit>,
            /// Which one; zero when not `owed`.
            loot: Signal<Out, Loot> = Signal::of(Loot::none(smxs)),
            /// Its level; zero when not `owed`.
            loot_level: Signal<Out, U<2>>,
        }
        locals {
            arrived: Signal<Local, Bit>,
            moved_place: Signal<Local, Word> = Signal::id(smxs),
            moved_chunks: Signal<Local, Bit>,
            moved_depth: Signal<Local, U<2>>,
            moved_ended: Signal<Local, Bit>,
            returns: Signal<Local, Bit>,
            next_place: Signal<Local, Word> = Signal::id(smxs),
            next_chunks: Signal<Local, Bit>,
            next_depth: Signal<Local, U<2>>,
            next_ended: Signal<Local, Bit>,
            sends: Signal<Local, Bit>,
            goes_on: Signal<Local, Bit>,
            lacking: Signal<Local, Bit>,
            calls: Signal<Local, Bit>,
            call_level: Signal<Local, U<2>>,
            called: Signal<Local, Bit>,
            renews: Signal<Local, Bit>,
        }
        constants {
            no_loot: Constant<Loot> = Constant::new(Loot::none(smxs)),
            zero: Constant<Word> = Constant::id(smxs, 0),
            one: Constant<Word> = Constant::id(smxs, 1),
            host_level: Lit<2, 0>,
            deeper: Lit<2, 1>,
            alone: Constant<Bit> = Constant::new(smxs == 1),
            last_place: Constant<Word> = Constant::id(smxs, smxs.saturating_sub(2)),
            last_depth: Constant<U<2>> = Constant::new(U::new(levels as u64 - 1)),
        }
        children {
            place: Register<Word> = Register::new(Word::id(smxs, 0)),
            chunks: Register<Bit>,
            depth: Register<U<2>>,
            ended: Register<Bit>,
            asking: Register<Bit>,
            answered: Register<Bit>,
            back: Register<Bit>,
            back_level: Register<U<2>>,
            short: Register<Bit>,
            carried: Register<Loot> = Register::new(Loot::none(smxs)),
            order: VictimOrder = VictimOrder::new(number, smxs),
        }
    }
}

impl Logic for NestedThief {
    // Whether a level comes before another one is asked three times, in the same way.
    #[allow(clippy::nonminimal_bool)]
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.place.control);
        Control::link(&mut self.control, &mut self.chunks.control);
        Control::link(&mut self.control, &mut self.depth.control);
        Control::link(&mut self.control, &mut self.ended.control);
        Control::link(&mut self.control, &mut self.asking.control);
        Control::link(&mut self.control, &mut self.answered.control);
        Control::link(&mut self.control, &mut self.back.control);
        Control::link(&mut self.control, &mut self.back_level.control);
        Control::link(&mut self.control, &mut self.short.control);
        Control::link(&mut self.control, &mut self.carried.control);

        // Where the message is.
        self.order.place.next = self.place.q.val();
        self.asks.next = self.asking.q.val();
        self.victim.next = self.zero.val();
        self.from_chunk.next = false;
        self.level.next = self.host_level.val();
        if self.asking.q.val() {
            self.victim.next = self.order.victim.val();
            self.from_chunk.next = self.chunks.q.val();
            self.level.next = self.depth.q.val();
        }
        self.arrived.next = self.carried.q.val().valid;
        self.owed.next = self.arrived.val();
        self.loot.next = self.carried.q.val();
        self.loot_level.next = self.host_level.val();
        if self.arrived.val() {
            self.loot_level.next = self.depth.q.val();
        }

        // The scan moves on after a refusal: victims, then queues to chunks, then levels.
        self.moved_place.next = self.place.q.val();
        self.moved_chunks.next = self.chunks.q.val();
        self.moved_depth.next = self.depth.q.val();
        self.moved_ended.next = self.ended.q.val();
        if self.answered.q.val() & !self.arrived.val() {
            self.moved_place.next = self.place.q.val() + self.one.val();
            if self.place.q.val() == self.last_place.val() {
                self.moved_place.next = self.zero.val();
                self.moved_chunks.next = !self.chunks.q.val();
                if self.chunks.q.val() {
                    self.moved_depth.next = self.depth.q.val() + self.deeper.val();
                    self.moved_ended.next = self.depth.q.val() == self.last_depth.val();
                }
            }
        }

        // When an answer is back, the scan goes back for what happened meanwhile.
        self.returns.next = self.answered.q.val()
            & self.back.q.val()
            & (self.moved_ended.val() | !(self.moved_depth.val() < self.back_level.q.val()));
        self.next_place.next = self.moved_place.val();
        self.next_chunks.next = self.moved_chunks.val();
        self.next_depth.next = self.moved_depth.val();
        self.next_ended.next = self.moved_ended.val();
        if self.returns.val() {
            self.next_place.next = self.zero.val();
            self.next_chunks.next = false;
            self.next_depth.next = self.back_level.q.val();
            self.next_ended.next = false;
        }
        self.sends.next = self.hungry.val()
            & !self.alone.val()
            & !self.next_ended.val()
            & !self.asking.q.val()
            & !self.arrived.val();
        self.goes_on.next = self.sends.val() | self.asking.q.val();

        // What happens in this cycle: at once without a request under way, else a mark waits.
        self.lacking.next = self.ends.val() & self.short.q.val();
        self.calls.next = self.begins.val() | self.lacking.val();
        self.call_level.next = self.begins_level.val();
        if self.lacking.val() {
            self.call_level.next = self.host_level.val();
        }
        self.back.d.next =
            self.goes_on.val() & (self.calls.val() | (self.asking.q.val() & self.back.q.val()));
        self.back_level.d.next = self.back_level.q.val();
        if self.calls.val()
            & (!self.asking.q.val()
                | !self.back.q.val()
                | (self.call_level.val() < self.back_level.q.val()))
        {
            self.back_level.d.next = self.call_level.val();
        }
        self.called.next = self.calls.val()
            & !self.goes_on.val()
            & (self.next_ended.val() | !(self.next_depth.val() < self.call_level.val()));
        self.place.d.next = self.next_place.val();
        self.chunks.d.next = self.next_chunks.val();
        self.depth.d.next = self.next_depth.val();
        self.ended.d.next = self.next_ended.val();
        if self.called.val() {
            self.place.d.next = self.zero.val();
            self.chunks.d.next = false;
            self.depth.d.next = self.call_level.val();
            self.ended.d.next = false;
        }

        // Short of room until the scan goes back to the first level.
        self.renews.next = (self.returns.val()
            & (self.back_level.q.val() == self.host_level.val()))
            | (self.called.val() & (self.call_level.val() == self.host_level.val()));
        self.short.d.next = (self.short.q.val() & !self.renews.val())
            | (self.asking.q.val() & self.refused.val() & self.no_room.val());

        self.asking.d.next =
            self.sends.val() | (self.asking.q.val() & !self.granted.val() & !self.refused.val());
        self.answered.d.next = self.asking.q.val() & (self.granted.val() | self.refused.val());
        self.carried.d.next = self.no_loot.val();
        if self.asking.q.val() & self.granted.val() {
            self.carried.d.next = self.granted_loot.val();
            self.carried.d.next.valid = true;
        }
    }
}
