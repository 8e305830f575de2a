//! Which unit is looked at.

use super::{Division, HeadBlock, Selection, Selector};
use crate::prelude::*;
use crate::prim::Crossbar;

hdl_module! {
    /// The [`Selector`], and the head of the queue that it chooses (LaPerm, section IV-C).
    ///
    /// ```text
    ///   heads, zero, asked, allowed --> [ selector ] --> turn, visited, from_queue, from_zero
    ///                                       v chosen
    ///   head[q] ----------------------> [ first ] -----> head
    /// ```
    ///
    /// All outputs are combinational in `heads`, `head` and `zero`. It stands by itself since the
    /// selector turns in most cycles, and the rest of the scheduler need not look each time.
    /// Storage: that of the selector.
    pub(super) struct Choice (smxs: usize, queues: usize, division: Division, selection: Selection) clocked {
        inputs {
            /// One bit for each queue with a head.
            heads: Signal<In, Mask> = Signal::mask(queues),
            /// The next block of each queue's head; valid with its bit of `heads`.
            head: Vec<Signal<In, HeadBlock>> = Signal::each(queues, HeadBlock::default()),
            /// Queue 0 has a head.
            zero: Signal<In, Bit>,
            /// The candidate fits.
            asked: Signal<In, Bit>,
            /// The gates let it go.
            allowed: Signal<In, Bit>,
        }
        outputs {
            /// The SMX whose turn it is.
            turn: Signal<Out, Word> = Signal::id(smxs),
            /// Its bit; zero when none is visited.
            visited: Signal<Out, Mask> = Signal::mask(smxs),
            /// The candidate is the head of the chosen queue (stage 1 or 3).
            from_queue: Signal<Out, Bit>,
            /// The candidate is the head of queue 0 (stage 2).
            from_zero: Signal<Out, Bit>,
            /// The queue; valid with `from_queue`.
            chosen: Signal<Out, Word> = Signal::id(smxs),
            /// The next block of its head; valid with `from_queue`.
            chosen_head: Signal<Out, HeadBlock>,
        }
        children {
            selector: Selector = Selector::new(smxs, queues, division, selection),
            first: Crossbar<HeadBlock, Word> =
                Crossbar::within(smxs, HeadBlock::default(), queues, 1),
        }
        state { queues: usize = queues }
    }
}

impl Logic for Choice {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.selector.control);
        self.selector.heads.next = self.heads.val();
        self.selector.zero.next = self.zero.val();
        self.selector.asked.next = self.asked.val();
        self.selector.allowed.next = self.allowed.val();
        self.turn.next = self.selector.turn.val();
        self.visited.next = self.selector.visited.val();
        self.from_queue.next = self.selector.from_queue.val();
        self.from_zero.next = self.selector.from_zero.val();
        self.chosen.next = self.selector.chosen.val();
        for i in 0..self.queues {
            self.first.word[i].next = self.head[i].val();
        }
        self.first.select[0].next = self.selector.chosen.val();
        self.chosen_head.next = self.first.data[0].val();
    }
}
