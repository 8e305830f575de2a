//! On which SMX: the next one in turn.

mod properties;

use crate::prelude::*;
use crate::prim::{Register, RoundRobinArbiter, TaggedSmx};

hdl_module! {
    /// Round robin over `smxs` SMXs: LaPerm, section II-B.
    ///
    /// ```text
    ///   request --> [ arbiter ] --> grant
    ///                  ^  |
    ///                first|  [pointer] <-- granted + 1 mod smxs, or restart
    /// ```
    ///
    /// `grant` is combinational in `request`. The pointer moves at the clock edge after a grant to
    /// the SMX behind it, at one with `restart` to the SMX that it names, and stays where it is
    /// otherwise. Storage: 5 registers up to 32 SMXs.
    pub struct RoundRobin (smxs: usize) clocked {
        inputs {
            /// One bit for each SMX that could receive a block; always valid.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// The pointer becomes this SMX, whoever is granted (IKRA, section 2.2).
            restart: Signal<In, TaggedSmx> = Signal::of(TaggedSmx::none(smxs)),
        }
        outputs {
            /// The SMX that receives it, one-hot; zero when none asks.
            grant: Signal<Out, Mask> = Signal::mask(smxs),
            /// The SMX that is looked at first in this cycle.
            first: Signal<Out, Word> = Signal::id(smxs),
        }
        constants {
            zero: Constant<Word> = Constant::id(smxs, 0),
            one: Constant<Word> = Constant::id(smxs, 1),
            last: Constant<Word> = Constant::id(smxs, smxs - 1),
        }
        children {
            arbiter: RoundRobinArbiter = RoundRobinArbiter::new(smxs),
            pointer: Register<Word> = Register::new(Word::id(smxs, 0)),
        }
        properties { properties::of }
    }
}

impl Logic for RoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.pointer.control);
        self.first.next = self.pointer.q.val();
        self.arbiter.request.next = self.request.val();
        self.arbiter.first.next = self.pointer.q.val();
        self.grant.next = self.arbiter.grant.val();
        self.pointer.d.next = self.pointer.q.val();
        if self.arbiter.valid.val() {
            self.pointer.d.next = self.arbiter.index.val() + self.one.val();
            if self.arbiter.index.val() == self.last.val() {
                self.pointer.d.next = self.zero.val();
            }
        }
        if self.restart.val().valid {
            self.pointer.d.next = self.restart.val().smx;
        }
    }
}
