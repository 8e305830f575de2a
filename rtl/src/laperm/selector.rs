//! Whose turn it is, and from which queue.

use super::{Backups, Division, SelectorPorts};
use crate::prelude::*;
use crate::prim::{OptionalRegister, Register};

/// Which stages and reasons a selector knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Stage 3: other SMXs' queues.
    pub adaptive: bool,
    /// A gate may refuse what fits.
    pub gated: bool,
}

hdl_module! {
    /// Visits one of `smxs` SMXs a cycle and chooses among `queues` priority queues and queue 0 in
    /// three stages (LaPerm, section IV-C and figure 6).
    ///
    /// ```text
    ///   heads, zero --> ( 1: own queue; 2: queue 0; 3: backup ) --> stage, chosen
    ///                        ^                    ^
    ///   [ turn, own ] -------+               [ backups ]
    ///   asked, allowed --> [ refused ]
    /// ```
    ///
    /// All outputs are combinational in `heads` and `zero`; `asked` and `allowed` are what came of
    /// them. The queue of the SMX of the next turn is fetched a cycle ahead. Storage, up to 32
    /// SMXs: 10 registers, one for each SMX with gates, and that of `Backups` with stage 3.
    pub struct Selector (smxs: usize, queues: usize, division: Division, selection: Selection) clocked {
        bundles { selector_ports: SelectorPorts = SelectorPorts::new(smxs, queues) }
        inputs {}
        outputs {}
        locals {
            own: Signal<Local, Word> = Signal::id(smxs),
            next_turn: Signal<Local, Word> = Signal::id(smxs),
            next_own: Signal<Local, Word> = Signal::id(smxs),
            turn_bit: Signal<Local, Mask> = Signal::mask(smxs),
            own_bit: Signal<Local, Mask> = Signal::mask(queues),
            others: Signal<Local, Mask> = Signal::mask(queues),
            work: Signal<Local, Bit>,
            barred: Signal<Local, Bit>,
            one_valid: Signal<Local, Bit>,
            two_valid: Signal<Local, Bit>,
            three_valid: Signal<Local, Bit>,
            refusal: Signal<Local, Bit>,
            visits: Signal<Local, Mask> = Signal::mask(smxs),
        }
        constants {
            first: Constant<Word> = Constant::id(smxs, 0),
            one: Constant<Word> = Constant::id(smxs, 1),
            last: Constant<Word> = Constant::id(smxs, smxs - 1),
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs)),
            one_smx: Constant<Mask> = Constant::new(Mask::one(smxs)),
            one_queue: Constant<Mask> = Constant::new(Mask::one(queues)),
            smx: Vec<Constant<Word>> = Constant::ids(smxs),
            queue_of: Vec<Constant<Word>> =
                (0..smxs).map(|s| Constant::id(smxs, s / division.cluster)).collect(),
        }
        children {
            at: Register<Word> = Register::new(Word::id(smxs, 0)),
            // The queue of the SMX whose turn it is.
            own_ahead: Register<Word> = Register::new(Word::id(smxs, 0)),
            three: Optional<Backups> = Optional::new(
                selection.adaptive.then(|| Backups::new(smxs, queues, selection.gated))
            ),
            refused: OptionalRegister<Mask> =
                OptionalRegister::new(selection.gated, Mask::none(smxs)),
        }
        state {
            smxs: usize = smxs,
            third: usize = selection.adaptive.into(),
        }
    }
}

impl Logic for Selector {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.at.control);
        Control::link(&mut self.control, &mut self.own_ahead.control);
        Control::link(&mut self.control, &mut self.refused.control);
        self.selector_ports.turn.next = self.at.q.val();
        self.turn_bit.next = self.one_smx.val() << self.at.q.val();
        self.own.next = self.own_ahead.q.val();
        self.own_bit.next = self.one_queue.val() << self.own.val();
        self.work.next = self.selector_ports.zero.val() | self.selector_ports.heads.val().any();
        self.visits.next = self.nobody.val();
        if self.work.val() {
            self.visits.next = self.turn_bit.val();
        }
        self.selector_ports.visited.next = self.visits.val();

        // Stage 1: the SMX's own queue. Stage 2: queue 0.
        self.barred.next = (self.refused.q.val() & self.turn_bit.val()).any();
        self.one_valid.next =
            (self.selector_ports.heads.val() & self.own_bit.val()).any() & !self.barred.val();
        self.two_valid.next = self.selector_ports.zero.val() & !self.one_valid.val();

        // Stage 3: the queue of another SMX.
        self.others.next = self.selector_ports.heads.val() & !self.own_bit.val();
        self.three_valid.next = false;
        self.selector_ports.chosen.next = self.own.val();
        for _is in 0..self.third {
            Control::link(&mut self.control, &mut self.three.control);
            self.three_valid.next =
                self.others.val().any() & !self.one_valid.val() & !self.selector_ports.zero.val();
            self.three.heads.next = self.selector_ports.heads.val();
            self.three.others.next = self.others.val();
            self.three.turn_bit.next = self.turn_bit.val();
            self.three.served.next = self.three_valid.val();
            if self.three_valid.val() {
                self.selector_ports.chosen.next = self.three.queue.val();
            }
        }
        self.selector_ports.from_queue.next = self.one_valid.val() | self.three_valid.val();
        self.selector_ports.from_zero.next = self.two_valid.val();

        // What came of it.
        self.refusal.next = self.selector_ports.asked.val() & !self.selector_ports.allowed.val();
        self.refused.d.next = self.refused.q.val() & !self.visits.val();
        if self.one_valid.val() & self.refusal.val() {
            self.refused.d.next = self.refused.q.val() | self.visits.val();
        }
        self.next_turn.next = self.at.q.val();
        if self.work.val() {
            self.next_turn.next = self.at.q.val() + self.one.val();
            if self.at.q.val() == self.last.val() {
                self.next_turn.next = self.first.val();
            }
        }
        self.at.d.next = self.next_turn.val();

        // The queue of the next SMX is fetched now.
        self.next_own.next = self.first.val();
        for i in 0..self.smxs {
            if self.next_turn.val() == self.smx[i].val() {
                self.next_own.next = self.queue_of[i].val();
            }
        }
        self.own_ahead.d.next = self.next_own.val();
        for _is in 0..self.third {
            self.three.refused.next = self.refusal.val();
            self.three.next_turn.next = self.next_turn.val();
            self.three.next_own.next = self.next_own.val();
        }
    }
}
