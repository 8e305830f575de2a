//! Stage 3: the queues of other SMXs.

use super::Backup;
use crate::prelude::*;
use crate::prim::{Crossbar, OptionalRegister, Register, RoundRobinArbiter};

hdl_module! {
    /// The backup queue of each of `smxs` SMXs, among `queues` (LaPerm, section IV-C). With gates,
    /// `gated`, one that was refused is given up.
    ///
    /// ```text
    ///   others ------------------------> [ search ] --+--> queue
    ///                                       ^         |
    ///   [ backup, from: of the turn's SMX ] +---------+
    ///      ^ next_turn, next_own                      | served
    ///   [ backup of each SMX ] <----------------------+
    ///   refused --> [ moved on ]
    /// ```
    ///
    /// `queue` is combinational in `others`. What the SMX of the next turn has (its backup, where
    /// its search begins) is fetched a cycle ahead. Storage, up to 32 SMXs: 6 registers for each
    /// SMX and 11; one more for each SMX with gates.
    pub(super) struct Backups (smxs: usize, queues: usize, gated: bool) clocked {
        inputs {
            /// One bit for each queue with a head.
            heads: Signal<In, Mask> = Signal::mask(queues),
            /// The same, but for the queue of the SMX whose turn it is.
            others: Signal<In, Mask> = Signal::mask(queues),
            /// The bit of the SMX whose turn it is.
            turn_bit: Signal<In, Mask> = Signal::mask(smxs),
            /// That SMX has its candidate from here.
            served: Signal<In, Bit>,
            /// The gates refuse it; valid with `served`.
            refused: Signal<In, Bit>,
            /// The SMX whose turn it is in the next cycle.
            next_turn: Signal<In, Word> = Signal::id(smxs),
            /// Its own queue.
            next_own: Signal<In, Word> = Signal::id(smxs),
        }
        outputs {
            /// The backup queue of that SMX; valid with a bit of `others`.
            queue: Signal<Out, Word> = Signal::id(smxs),
        }
        locals {
            backup: Signal<Local, Backup> = Signal::of(Backup::none(smxs)),
            backup_bit: Signal<Local, Mask> = Signal::mask(queues),
            moved: Signal<Local, Bit>,
            kept: Signal<Local, Bit>,
            backup_queue: Signal<Local, Word> = Signal::id(smxs),
            new_backup: Signal<Local, Backup> = Signal::of(Backup::none(smxs)),
            next_backup: Signal<Local, Backup> = Signal::of(Backup::none(smxs)),
            next_from: Signal<Local, Word> = Signal::id(smxs),
        }
        constants {
            one: Constant<Word> = Constant::id(smxs, 1),
            one_queue: Constant<Mask> = Constant::new(Mask::one(queues)),
        }
        children {
            smx: Vec<Register<Backup>> =
                (0..smxs).map(|_| Register::new(Backup::none(smxs))).collect(),
            recorded: Crossbar<Backup, Word> = Crossbar::of(Backup::none(smxs), smxs, 1),
            // Of the SMX whose turn it is: its backup, where a search begins.
            backup_ahead: Register<Backup> = Register::new(Backup::none(smxs)),
            from_ahead: Register<Word> = Register::new(Word::id(smxs, 0)),
            search: RoundRobinArbiter = RoundRobinArbiter::within(smxs, queues),
            moved_on: OptionalRegister<Mask> = OptionalRegister::new(gated, Mask::none(smxs)),
        }
        state { smxs: usize = smxs }
    }
}

impl Logic for Backups {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.backup_ahead.control);
        Control::link(&mut self.control, &mut self.from_ahead.control);
        Control::link(&mut self.control, &mut self.moved_on.control);

        // The backup queue, else the next one with a head.
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
        self.queue.next = self.backup_queue.val();

        // What came of it.
        self.moved_on.d.next = self.moved_on.q.val();
        if self.served.val() {
            self.moved_on.d.next = self.moved_on.q.val() & !self.turn_bit.val();
            if self.refused.val() {
                self.moved_on.d.next = self.moved_on.q.val() | self.turn_bit.val();
            }
        }
        self.new_backup.next.recorded = true;
        self.new_backup.next.queue = self.backup_queue.val();
        for i in 0..self.smxs {
            Control::link(&mut self.control, &mut self.smx[i].control);
            self.smx[i].d.next = self.smx[i].q.val();
            if self.served.val() & self.turn_bit.val().get_bit(i) {
                self.smx[i].d.next = self.new_backup.val();
            }
            self.recorded.word[i].next = self.smx[i].q.val();
        }

        // What the next SMX has is fetched now. Only the backup of this one changes meanwhile, and
        // an SMX that follows itself is alone and records none.
        self.recorded.select[0].next = self.next_turn.val();
        self.next_backup.next = self.recorded.data[0].val();
        self.next_from.next = self.next_own.val() + self.one.val();
        if self.next_backup.val().recorded {
            self.next_from.next = self.next_backup.val().queue + self.one.val();
        }
        self.backup_ahead.d.next = self.next_backup.val();
        self.from_ahead.d.next = self.next_from.val();
    }
}
