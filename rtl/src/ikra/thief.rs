//! The requests that one SMX sends.

use crate::port::BlockId;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// Asks the other SMXs for a block, one after the other (IKRA, section 4.4 and Algorithm 1,
    /// lines 12 to 34; rules 10 and 11 of `docs/ikra.md`). It has one request under way, so it
    /// counts the delay of the wires itself.
    ///
    /// ```text
    ///   hungry -----------> [ asking, answered, owed, timer ] --> asks, owed, arrives
    ///   granted, refused -> [ scan: victim, for its chunk   ] --> victim, from_chunk
    ///   granted_block ----> [ loot                          ] --> block
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `hungry` | `asks` | 1 + `latency` |
    /// | `granted` | `arrives` | 1 + `latency` |
    ///
    /// Storage: 63 + 5 + 5 + 5 registers, with an SMX's number of 5 bits; the timer is as wide as
    /// one.
    ///
    /// # Panics
    /// The constructor, unless `number < smxs`.
    pub struct Thief (number: usize, smxs: usize, latency: u64) clocked {
        inputs {
            /// A kernel begins: the scan starts anew, and nothing is under way.
            begins: Signal<In, Bit>,
            /// The kernel ends: the same.
            stop: Signal<In, Bit>,
            /// A request may be sent, but for the scan.
            hungry: Signal<In, Bit>,
            /// The victim gives a block; only with `asks`.
            granted: Signal<In, Bit>,
            /// It has none; only with `asks`, and not with `granted`.
            refused: Signal<In, Bit>,
            /// The block; valid with `granted`.
            granted_block: Signal<In, BlockId>,
        }
        outputs {
            /// The request is at its victim.
            asks: Signal<Out, Bit>,
            /// Whom it asks; zero when not `asks`.
            victim: Signal<Out, Word> = Signal::id(smxs),
            /// For its chunk, not its queue; low when not `asks`.
            from_chunk: Signal<Out, Bit>,
            /// A block was granted and has not been dispatched.
            owed: Signal<Out, Bit>,
            /// It is there, and is dispatched in this cycle.
            arrives: Signal<Out, Bit>,
            /// Which one; zero when not `arrives`.
            block: Signal<Out, BlockId>,
        }
        locals {
            there: Signal<Local, Bit>,
            back: Signal<Local, Bit>,
            disappointed: Signal<Local, Bit>,
            idle: Signal<Local, Bit>,
            sends: Signal<Local, Bit>,
            whom: Signal<Local, Word> = Signal::id(smxs),
            other: Signal<Local, Word> = Signal::id(smxs),
            at_last: Signal<Local, Bit>,
            next_place: Signal<Local, Word> = Signal::id(smxs),
            next_chunks: Signal<Local, Bit>,
            next_ended: Signal<Local, Bit>,
        }
        constants {
            no_block: Constant<BlockId>,
            zero: Constant<Word> = Constant::id(smxs, 0),
            one: Constant<Word> = Constant::id(smxs, 1),
            delay: Constant<Word> = Constant::new(Word::new(id_bits(smxs), latency)),
            alone: Constant<Bit> = Constant::new(smxs == 1),
            first_victim: Constant<Word> = Constant::id(smxs, order(number, smxs).0),
            second_victim: Constant<Word> = Constant::id(smxs, order(number, smxs).1),
            neighbours: Constant<Word> = Constant::id(smxs, order(number, smxs).2),
            left_of: Constant<Word> = Constant::id(smxs, number.saturating_sub(1)),
            gap: Constant<Word> = Constant::id(smxs, order(number, smxs).2 + 1),
            last_place: Constant<Word> = Constant::id(smxs, smxs.saturating_sub(2)),
        }
        children {
            place: Register<Word> = Register::new(Word::id(smxs, 0)),
            chunks: Register<Bit>,
            ended: Register<Bit>,
            asking: Register<Bit>,
            answered: Register<Bit>,
            owing: Register<Bit>,
            timer: Register<Word> = Register::new(Word::id(smxs, 0)),
            loot: Register<BlockId>,
        }
    }
}

/// The left and the right neighbour, or the one there is, and how many there are.
fn order(number: usize, smxs: usize) -> (usize, usize, usize) {
    assert!(number < smxs, "there is no SMX {number} of {smxs}");
    let left = number.checked_sub(1);
    let right = Some(number + 1).filter(|&right| right < smxs);
    let first = left.or(right).unwrap_or(0);
    let second = left.and(right).unwrap_or(0);
    (first, second, left.iter().chain(&right).count())
}

impl Logic for Thief {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.place.control);
        Control::link(&mut self.control, &mut self.chunks.control);
        Control::link(&mut self.control, &mut self.ended.control);
        Control::link(&mut self.control, &mut self.asking.control);
        Control::link(&mut self.control, &mut self.answered.control);
        Control::link(&mut self.control, &mut self.owing.control);
        Control::link(&mut self.control, &mut self.timer.control);
        Control::link(&mut self.control, &mut self.loot.control);

        // The victim: first the neighbours, then the others by increasing number.
        self.other.next = self.place.q.val() - self.neighbours.val();
        self.whom.next = self.other.val() + self.gap.val();
        if self.other.val() < self.left_of.val() {
            self.whom.next = self.other.val();
        }
        if self.place.q.val() < self.neighbours.val() {
            self.whom.next = self.second_victim.val();
            if self.place.q.val() == self.zero.val() {
                self.whom.next = self.first_victim.val();
            }
        }

        // Where the message is.
        self.there.next = self.asking.q.val() & (self.timer.q.val() == self.zero.val());
        self.back.next = self.answered.q.val() & (self.timer.q.val() == self.zero.val());
        self.idle.next = !self.asking.q.val() & !self.answered.q.val();
        self.disappointed.next = self.back.val() & !self.owing.q.val();
        self.asks.next = self.there.val();
        self.victim.next = self.zero.val();
        if self.there.val() {
            self.victim.next = self.whom.val();
        }
        self.from_chunk.next = self.there.val() & self.chunks.q.val();
        self.owed.next = self.owing.q.val();
        self.arrives.next = self.back.val() & self.owing.q.val();
        self.block.next = self.no_block.val();
        if self.back.val() & self.owing.q.val() {
            self.block.next = self.loot.q.val();
        }

        // The scan moves on after a refusal.
        self.at_last.next = self.place.q.val() == self.last_place.val();
        self.next_place.next = self.place.q.val();
        self.next_chunks.next = self.chunks.q.val();
        self.next_ended.next = self.ended.q.val();
        if self.disappointed.val() {
            self.next_place.next = self.place.q.val() + self.one.val();
            if self.at_last.val() {
                self.next_place.next = self.zero.val();
                self.next_chunks.next = true;
                self.next_ended.next = self.chunks.q.val();
            }
        }
        self.sends.next = self.hungry.val()
            & !self.alone.val()
            & !self.next_ended.val()
            & (self.idle.val() | self.disappointed.val());

        self.place.d.next = self.next_place.val();
        self.chunks.d.next = self.next_chunks.val();
        self.ended.d.next = self.next_ended.val();
        self.asking.d.next = self.asking.q.val();
        self.answered.d.next = self.answered.q.val() & !self.back.val();
        self.owing.d.next = self.owing.q.val() & !self.back.val();
        self.timer.d.next = self.zero.val();
        if self.timer.q.val() != self.zero.val() {
            self.timer.d.next = self.timer.q.val() - self.one.val();
        }
        self.loot.d.next = self.loot.q.val();
        if self.granted.val() | self.refused.val() {
            self.asking.d.next = false;
            self.answered.d.next = true;
            self.owing.d.next = self.granted.val();
            self.timer.d.next = self.delay.val();
        }
        if self.granted.val() {
            self.loot.d.next = self.granted_block.val();
        }
        if self.sends.val() {
            self.asking.d.next = true;
            self.timer.d.next = self.delay.val();
        }
        if self.begins.val() | self.stop.val() {
            self.place.d.next = self.zero.val();
            self.chunks.d.next = false;
            self.ended.d.next = false;
            self.asking.d.next = false;
            self.answered.d.next = false;
            self.owing.d.next = false;
            self.timer.d.next = self.zero.val();
        }
    }
}
