//! Which unit is looked at.

use super::{Division, HeadBlock, Selection, Selector, SelectorPorts};
use crate::prelude::*;
use crate::prim::Crossbar;

hdl_module! {
    /// The [`Selector`], and the head of the queue that it chooses (LaPerm, section IV-C).
    ///
    /// ```text
    ///   heads, zero, asked, allowed --> [ selector ] --> turn, visited, from_queue, from_zero
    ///                                       v chosen
    ///   head[q] ----------------------> [ first ] -----> chosen_head
    /// ```
    ///
    /// All outputs are combinational in `heads`, `head` and `zero`. It stands by itself since the
    /// selector turns in most cycles, and the rest of the scheduler need not look each time.
    /// Storage: that of the selector.
    pub(super) struct Choice (smxs: usize, queues: usize, division: Division, selection: Selection) clocked {
        bundles { selector_ports: SelectorPorts = SelectorPorts::new(smxs, queues) }
        inputs {
            /// The next block of each queue's head; valid with its bit of `heads`.
            head: Vec<Signal<In, HeadBlock>> = Signal::each(queues, HeadBlock::default()),
        }
        outputs {
            /// The one of the chosen queue; valid with `from_queue`.
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
        SelectorPorts::link(&mut self.selector_ports, &mut self.selector.selector_ports);
        for i in 0..self.queues {
            self.first.word[i].next = self.head[i].val();
        }
        self.first.select[0].next = self.selector_ports.chosen.val();
        self.chosen_head.next = self.first.data[0].val();
    }
}
