//! On which SMXs: up to one block each, in turn.

use crate::port::step_bits;
use crate::prelude::*;
use crate::prim::{BudgetArbiter, Register, VisitOrder};

hdl_module! {
    /// Round robin over `smxs` SMXs that serves as many of them in a cycle as there are
    /// blocks, one block each.
    ///
    /// ```text
    ///   request, budget --> [ budget arbiter ] --> grant --> [ visit order ] --> position, granted
    ///                              ^                                     |
    ///                            first -- [pointer] <-- behind the last --+
    /// ```
    ///
    /// All outputs but `first` are combinational in `request` and `budget`. The pointer moves at
    /// the clock edge after a grant. Storage: 5 registers up to 32 SMXs.
    pub struct Placement (smxs: usize) clocked {
        inputs {
            /// One bit for each SMX that could receive a block; always valid.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// How many blocks may go in this cycle.
            budget: Signal<In, Word> = Signal::word(step_bits(smxs)),
        }
        outputs {
            /// The SMXs that receive one: the first `budget` from the pointer on, wrapping.
            grant: Signal<Out, Mask> = Signal::mask(smxs),
            /// The place of each granted SMX in the order of visit; zero for the others.
            position: Vec<Signal<Out, Word>> = Signal::each(smxs, Word::id(smxs, 0)),
            /// How many are granted.
            granted: Signal<Out, Word> = Signal::word(step_bits(smxs)),
            /// The SMX that is looked at first in this cycle.
            first: Signal<Out, Word> = Signal::id(smxs),
        }
        children {
            arbiter: BudgetArbiter = BudgetArbiter::new(smxs),
            order: VisitOrder = VisitOrder::new(smxs),
            pointer: Register<Word> = Register::new(Word::id(smxs, 0)),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for Placement {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.pointer.control);
        self.first.next = self.pointer.q.val();
        self.arbiter.request.next = self.request.val();
        self.arbiter.first.next = self.pointer.q.val();
        self.arbiter.budget.next = bit_cast_of::<32>(self.budget.val());
        self.grant.next = self.arbiter.grant.val();

        self.order.chosen.next = self.arbiter.grant.val();
        self.order.first.next = self.pointer.q.val();
        for i in 0..self.smxs {
            self.position[i].next = self.order.position[i].val();
        }
        self.granted.next = self.order.number.val();
        self.pointer.d.next = self.order.behind.val();
    }
}
