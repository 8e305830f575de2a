//! The requests that one SMX sends for blocks of any nesting level.

use super::victim_order::VictimOrder;
use super::Loot;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// Asks the other SMXs for a block, level by level from the host's kernels on (IKRA, section 8;
    /// rules 11 and 26 of `docs/ikra.md`). Unlike a [`Thief`](super::Thief)'s, its scan starts anew
    /// whenever something may have become available; a request that is under way then goes on, and
    /// a mark waits for its answer.
    ///
    /// ```text
    ///   hungry -----------> [ asking, answered, renew               ] --> asks
    ///   granted, refused -> [ scan: place, for its chunk, its level ] --> victim, from_chunk, level
    ///   granted_loot -----> [ loot                                  ] --> owed, loot
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `hungry` | `asks` | 1 |
    /// | `granted` | `owed` | 1 |
    ///
    /// Storage: 74 + 12 registers, with an SMX's number of 5 bits.
    ///
    /// # Panics
    /// The constructor, unless `number < smxs` and `levels` is 1 to 4.
    pub struct NestedThief (number: usize, smxs: usize, levels: usize) clocked {
        inputs {
            /// The scan starts anew after this cycle: a kernel with blocks begins, or a block ends
            /// here.
            anew: Signal<In, Bit>,
            /// Nothing is left of any level here.
            hungry: Signal<In, Bit>,
            /// The victim gives a block; only with `asks`.
            granted: Signal<In, Bit>,
            /// It gives none; only with `asks`, and not with `granted`.
            refused: Signal<In, Bit>,
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
            next_place: Signal<Local, Word> = Signal::id(smxs),
            next_chunks: Signal<Local, Bit>,
            next_depth: Signal<Local, U<2>>,
            next_ended: Signal<Local, Bit>,
            sends: Signal<Local, Bit>,
            goes_on: Signal<Local, Bit>,
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
            renew: Register<Bit>,
            carried: Register<Loot> = Register::new(Loot::none(smxs)),
            order: VictimOrder = VictimOrder::new(number, smxs),
        }
    }
}

impl Logic for NestedThief {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.place.control);
        Control::link(&mut self.control, &mut self.chunks.control);
        Control::link(&mut self.control, &mut self.depth.control);
        Control::link(&mut self.control, &mut self.ended.control);
        Control::link(&mut self.control, &mut self.asking.control);
        Control::link(&mut self.control, &mut self.answered.control);
        Control::link(&mut self.control, &mut self.renew.control);
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
        self.next_place.next = self.place.q.val();
        self.next_chunks.next = self.chunks.q.val();
        self.next_depth.next = self.depth.q.val();
        self.next_ended.next = self.ended.q.val();
        if self.answered.q.val() & !self.arrived.val() {
            self.next_place.next = self.place.q.val() + self.one.val();
            if self.place.q.val() == self.last_place.val() {
                self.next_place.next = self.zero.val();
                self.next_chunks.next = !self.chunks.q.val();
                if self.chunks.q.val() {
                    self.next_depth.next = self.depth.q.val() + self.deeper.val();
                    self.next_ended.next = self.depth.q.val() == self.last_depth.val();
                }
            }
        }
        if self.answered.q.val() & self.renew.q.val() {
            self.next_place.next = self.zero.val();
            self.next_chunks.next = false;
            self.next_depth.next = self.host_level.val();
            self.next_ended.next = false;
        }
        self.sends.next = self.hungry.val()
            & !self.alone.val()
            & !self.next_ended.val()
            & !self.asking.q.val()
            & !self.arrived.val();

        // What starts anew while a request is under way waits for its answer.
        self.goes_on.next = self.sends.val() | self.asking.q.val();
        self.renew.d.next =
            self.goes_on.val() & (self.anew.val() | (self.asking.q.val() & self.renew.q.val()));
        self.place.d.next = self.next_place.val();
        self.chunks.d.next = self.next_chunks.val();
        self.depth.d.next = self.next_depth.val();
        self.ended.d.next = self.next_ended.val();
        if self.anew.val() & !self.goes_on.val() {
            self.place.d.next = self.zero.val();
            self.chunks.d.next = false;
            self.depth.d.next = self.host_level.val();
            self.ended.d.next = false;
        }

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
