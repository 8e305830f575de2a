//! Whose turn it is, and from which queue.

use super::{Backup, Division};
use crate::prelude::*;
use crate::prim::{Crossbar, OptionalRegister, Register, RoundRobinArbiter};

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
    ///   [ turn ] ------------+      [ backups ] --+-- [arbiter] first other queue with a head
    ///   asked, allowed --> [ refused ], [ moved on ]
    /// ```
    ///
    /// All outputs are combinational in `heads` and `zero`; `asked` and `allowed` are what came of
    /// them. What the SMX of the next turn has (queue, backup, where a search begins) is fetched a
    /// cycle ahead. Storage, up to 32 SMXs: 10 registers; with stage 3 6 for each SMX and 11; 2 for
    /// each SMX with gates.
    pub struct Selector (smxs: usize, queues: usize, division: Division, selection: Selection) clocked {
        inputs {
            /// One bit for each queue with a head.
            heads: Signal<In, Mask> = Signal::mask(queues),
            /// Queue 0 has a head.
            zero: Signal<In, Bit>,
            /// The candidate fits.
            asked: Signal<In, Bit>,
            /// The gates let it go.
            allowed: Signal<In, Bit>,
        }
        outputs {
            /// The SMX that is visited.
            turn: Signal<Out, Word> = Signal::id(smxs),
            /// Its bit; zero when none is visited.
            visited: Signal<Out, Mask> = Signal::mask(smxs),
            /// The candidate is the head of the chosen queue (stage 1 or 3).
            from_queue: Signal<Out, Bit>,
            /// The candidate is the head of queue 0 (stage 2).
            from_zero: Signal<Out, Bit>,
            /// The queue; valid with `from_queue`.
            chosen: Signal<Out, Word> = Signal::id(smxs),
        }
        locals {
            own: Signal<Local, Word> = Signal::id(smxs),
            next_turn: Signal<Local, Word> = Signal::id(smxs),
            next_own: Signal<Local, Word> = Signal::id(smxs),
            next_backup: Signal<Local, Backup> = Signal::of(Backup::none(smxs)),
            turn_bit: Signal<Local, Mask> = Signal::mask(smxs),
            own_bit: Signal<Local, Mask> = Signal::mask(queues),
            others: Signal<Local, Mask> = Signal::mask(queues),
            work: Signal<Local, Bit>,
            barred: Signal<Local, Bit>,
            one_valid: Signal<Local, Bit>,
            two_valid: Signal<Local, Bit>,
            three_valid: Signal<Local, Bit>,
            backup: Signal<Local, Backup> = Signal::of(Backup::none(smxs)),
            moved: Signal<Local, Bit>,
            kept: Signal<Local, Bit>,
            backup_bit: Signal<Local, Mask> = Signal::mask(queues),
            next_from: Signal<Local, Word> = Signal::id(smxs),
            backup_queue: Signal<Local, Word> = Signal::id(smxs),
            refusal: Signal<Local, Bit>,
            new_backup: Signal<Local, Backup> = Signal::of(Backup::none(smxs)),
            visits: Signal<Local, Mask> = Signal::mask(smxs),
        }
        constants {
            first: Constant<Word> = Constant::id(smxs, 0),
            one: Constant<Word> = Constant::id(smxs, 1),
            last: Constant<Word> = Constant::id(smxs, smxs - 1),
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs)),
            one_smx: Constant<Mask> = Constant::new(Mask::one(smxs)),
            one_queue: Constant<Mask> = Constant::new(Mask::one(queues)),
            three: Constant<Bit> = Constant::new(selection.adaptive),
            smx: Vec<Constant<Word>> = Constant::ids(smxs),
            queue_of: Vec<Constant<Word>> =
                (0..smxs).map(|s| Constant::id(smxs, s / division.cluster)).collect(),
        }
        children {
            at: Register<Word> = Register::new(Word::id(smxs, 0)),
            backups: Vec<OptionalRegister<Backup>> = (0..smxs)
                .map(|_| OptionalRegister::new(selection.adaptive, Backup::none(smxs)))
                .collect(),
            recorded: Crossbar<Backup, Word> = Crossbar::of(Backup::none(smxs), smxs, 1),
            // Of the SMX whose turn it is: its queue, its backup, where a search begins.
            own_ahead: Register<Word> = Register::new(Word::id(smxs, 0)),
            backup_ahead: OptionalRegister<Backup> =
                OptionalRegister::new(selection.adaptive, Backup::none(smxs)),
            from_ahead: OptionalRegister<Word> =
                OptionalRegister::new(selection.adaptive, Word::id(smxs, 0)),
            search: RoundRobinArbiter = RoundRobinArbiter::within(smxs, queues),
            refused: OptionalRegister<Mask> =
                OptionalRegister::new(selection.gated, Mask::none(smxs)),
            moved_on: OptionalRegister<Mask> =
                OptionalRegister::new(selection.gated && selection.adaptive, Mask::none(smxs)),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for Selector {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.at.control);
        Control::link(&mut self.control, &mut self.own_ahead.control);
        Control::link(&mut self.control, &mut self.backup_ahead.control);
        Control::link(&mut self.control, &mut self.from_ahead.control);
        Control::link(&mut self.control, &mut self.refused.control);
        Control::link(&mut self.control, &mut self.moved_on.control);
        self.turn.next = self.at.q.val();
        self.turn_bit.next = self.one_smx.val() << self.at.q.val();
        self.own.next = self.own_ahead.q.val();
        self.own_bit.next = self.one_queue.val() << self.own.val();
        self.work.next = self.zero.val() | self.heads.val().any();
        self.visits.next = self.nobody.val();
        if self.work.val() {
            self.visits.next = self.turn_bit.val();
        }
        self.visited.next = self.visits.val();

        // Stage 1: the SMX's own queue. Stage 2: queue 0.
        self.barred.next = (self.refused.q.val() & self.turn_bit.val()).any();
        self.one_valid.next = (self.heads.val() & self.own_bit.val()).any() & !self.barred.val();
        self.two_valid.next = self.zero.val() & !self.one_valid.val();

        // Stage 3: the backup queue, else the next one with a head.
        self.others.next = self.heads.val() & !self.own_bit.val();
        self.three_valid.next =
            self.three.val() & self.others.val().any() & !self.one_valid.val() & !self.zero.val();
        self.backup.next = self.backup_ahead.q.val();
        self.backup_bit.next = self.one_queue.val() << self.backup.val().queue;
        self.moved.next = (self.moved_on.q.val() & self.turn_bit.val()).any();
        self.kept.next = self.backup.val().recorded
            & (self.heads.val() & self.backup_bit.val()).any()
            & !self.moved.val();
        self.search.request.next = self.others.val();
        self.search.first.next = self.from_ahead.q.val();
        self.backup_queue.next = self.search.index.val();
        if self.kept.val() {
            self.backup_queue.next = self.backup.val().queue;
        }
        self.from_queue.next = self.one_valid.val() | self.three_valid.val();
        self.from_zero.next = self.two_valid.val();
        self.chosen.next = self.own.val();
        if self.three_valid.val() {
            self.chosen.next = self.backup_queue.val();
        }

        // What came of it.
        self.refusal.next = self.asked.val() & !self.allowed.val();
        self.refused.d.next = self.refused.q.val() & !self.visits.val();
        if self.one_valid.val() & self.refusal.val() {
            self.refused.d.next = self.refused.q.val() | self.visits.val();
        }
        self.moved_on.d.next = self.moved_on.q.val();
        if self.three_valid.val() {
            self.moved_on.d.next = self.moved_on.q.val() & !self.visits.val();
            if self.refusal.val() {
                self.moved_on.d.next = self.moved_on.q.val() | self.visits.val();
            }
        }
        self.new_backup.next.recorded = true;
        self.new_backup.next.queue = self.backup_queue.val();
        for i in 0..self.smxs {
            self.backups[i].d.next = self.backups[i].q.val();
            if self.three_valid.val() & self.visits.val().get_bit(i) {
                self.backups[i].d.next = self.new_backup.val();
            }
        }
        self.next_turn.next = self.at.q.val();
        if self.work.val() {
            self.next_turn.next = self.at.q.val() + self.one.val();
            if self.at.q.val() == self.last.val() {
                self.next_turn.next = self.first.val();
            }
        }
        self.at.d.next = self.next_turn.val();

        // What the next SMX has is fetched now. Only the backup of this one changes meanwhile, and
        // an SMX that follows itself is alone and records none.
        self.next_own.next = self.first.val();
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.backups[i].control);
            self.recorded.word[i].next = self.backups[i].q.val();
            if self.next_turn.val() == self.smx[i].val() {
                self.next_own.next = self.queue_of[i].val();
            }
        }
        self.recorded.select[0].next = self.next_turn.val();
        self.next_backup.next = self.recorded.data[0].val();
        self.next_from.next = self.next_own.val() + self.one.val();
        if self.next_backup.val().recorded {
            self.next_from.next = self.next_backup.val().queue + self.one.val();
        }
        self.own_ahead.d.next = self.next_own.val();
        self.backup_ahead.d.next = self.next_backup.val();
        self.from_ahead.d.next = self.next_from.val();
    }
}
