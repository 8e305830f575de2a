//! Kernels that wait in memory for their SMX's turn.

use super::{queue_bits, LevelRings, Place};
use crate::prelude::*;
use crate::prim::{Bundle, Crossbar, Register, RoundRobinArbiter};

hdl_module! {
    /// The pools of device kernels of `queues` queues, one a level, and the search for the one that
    /// is next: queues round robin, levels from the highest downwards, one a cycle (LaPerm,
    /// sections IV-C and IV-E).
    ///
    /// ```text
    ///   put, place --> [ level_rings: a queue ] --waiting--> [arbiter] <-- [ at ]
    ///   search ------> [                      ] <-- queue, level -- [ level looked at ]
    ///                                          --> found, found_place, index
    /// ```
    ///
    /// | from | to | cycles |
    /// | --- | --- | --- |
    /// | `put` | `found`, nothing before it | 1 + L - level |
    ///
    /// Storage: that of its children, 8 registers up to 32 SMXs.
    pub struct BoundPools (smxs: usize, queues: usize, levels: usize) clocked {
        inputs {
            /// A record is put into a pool.
            put: Signal<In, Bit>,
            /// Which one; valid with `put`.
            place: Signal<In, Place> = Signal::of(Place::none(smxs)),
            /// The search goes on in this cycle, and what it finds is taken.
            search: Signal<In, Bit>,
        }
        outputs {
            /// The search finds a record; low without `search`.
            found: Signal<Out, Bit>,
            /// Its pool; valid with `found`.
            found_place: Signal<Out, Place> = Signal::of(Place::none(smxs)),
            /// Its place in the pool; zero when not `found`.
            index: Signal<Out, U<32>>,
        }
        locals {
            complement: Signal<Local, U<4>>,
            put_queue: Signal<Local, Mask> = Signal::mask(queue_bits(queues)),
            masks: Signal<Local, U<8>>,
            looked: Signal<Local, U<8>>,
            hit: Signal<Local, Bit>,
            taken: Signal<Local, Mask> = Signal::mask(queue_bits(queues)),
            looks: Signal<Local, Bit>,
            rank: Signal<Local, U<3>>,
        }
        constants {
            eight: Lit<4, 8>,
            one_level: Lit<8, 1>,
            start: Lit<3, 0>,
            step: Lit<3, 1>,
            one: Constant<Word> = Constant::id(smxs, 1),
            nobody: Constant<Mask> = Constant::new(Mask::none(queue_bits(queues))),
            bit_zero: Constant<Mask> = Constant::new(Mask::one(queue_bits(queues))),
            nowhere: Lit<32, 0>,
            highest: Constant<U<3>> = Constant::new(U::new(8 - levels as u64)),
        }
        children {
            rings: Vec<LevelRings> = (0..queues).map(|_| LevelRings::new(levels)).collect(),
            any: Bundle<Mask> = Bundle::of(queues),
            turn: RoundRobinArbiter = RoundRobinArbiter::within(smxs, queues),
            waiting: Crossbar<U<8>, Word> = Crossbar::within(smxs, U::new(0), queues, 1),
            indices: Crossbar<U<32>, Word> = Crossbar::within(smxs, U::new(0), queues, 1),
            at: Register<Word> = Register::new(Word::id(smxs, 0)),
            below: Register<U<3>>,
        }
        state { queues: usize = queues }
    }
}

impl Logic for BoundPools {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.at.control);
        Control::link(&mut self.control, &mut self.below.control);
        self.complement.next = self.eight.val() - self.place.val().level;
        self.put_queue.next = self.nobody.val();
        if self.put.val() {
            self.put_queue.next = self.bit_zero.val() << self.place.val().queue;
        }

        // The queue whose turn it is, and one of its levels.
        self.rank.next = self.highest.val() + self.below.q.val();
        for i in 0..self.queues {
            self.any.bits[i].next = self.rings[i].waiting.val().any();
            self.waiting.word[i].next = self.rings[i].waiting.val();
            self.indices.word[i].next = self.rings[i].take_index.val();
        }
        self.turn.request.next = self.any.word.val();
        self.turn.first.next = self.at.q.val();
        self.waiting.select[0].next = self.turn.index.val();
        self.masks.next = self.waiting.data[0].val();
        self.looked.next = self.one_level.val() << self.rank.val();
        self.looks.next = self.search.val() & self.turn.valid.val();
        self.hit.next = self.looks.val() & (self.masks.val() & self.looked.val()).any();
        self.found.next = self.hit.val();
        self.found_place.next.queue = self.turn.index.val();
        self.found_place.next.level = self.eight.val() - bit_cast::<4, 3>(self.rank.val());
        self.indices.select[0].next = self.turn.index.val();
        self.index.next = self.nowhere.val();
        if self.hit.val() {
            self.index.next = self.indices.data[0].val();
        }
        self.taken.next = self.nobody.val();
        if self.hit.val() {
            self.taken.next = self.bit_zero.val() << self.turn.index.val();
        }
        for i in 0..self.queues {
            Control::link(&mut self.control, &mut self.rings[i].control);
            self.rings[i].put.next = self.put_queue.val().get_bit(i);
            self.rings[i].put_rank.next = self.complement.val().get_bits::<3>(0);
            self.rings[i].take.next = self.taken.val().get_bit(i);
            self.rings[i].take_rank.next = self.rank.val();
        }

        // Found: on to the next queue. Not found: on to the next level.
        self.at.d.next = self.at.q.val();
        self.below.d.next = self.below.q.val();
        if self.looks.val() {
            self.at.d.next = self.turn.index.val();
            self.below.d.next = self.below.q.val() + self.step.val();
        }
        if self.hit.val() {
            self.at.d.next = self.turn.index.val() + self.one.val();
            self.below.d.next = self.start.val();
        }
    }
}
