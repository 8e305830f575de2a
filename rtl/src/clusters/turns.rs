//! Whose turn it is in each group of SMXs.

use crate::prelude::*;
use crate::prim::{Register, RoundRobinArbiter};

hdl_module! {
    /// Round robin over the SMXs of one of several groups, with a pointer for each: of GPCs
    /// (`docs/clusters.md`, rule 9), or of partitions (`docs/partitions.md`, rule 7).
    ///
    /// ```text
    ///   request -------------------> [ arbiter ] --> grant
    ///   group --> [ pointers ] first --^   | granted + 1
    ///                  ^-------------------+
    /// ```
    ///
    /// `grant` is combinational in `request` and `group`. A pointer behind its group's last SMX
    /// finds nobody there, and so begins with the group's first one, as one that was never moved
    /// does. Storage: for each of `groups` groups the number of an SMX.
    pub struct Turns (smxs: usize, groups: usize) clocked {
        inputs {
            /// One bit for each SMX that may receive the block, all of one group.
            request: Signal<In, Mask> = Signal::mask(smxs),
            /// That group, one-hot; valid when `request` is not zero.
            group: Signal<In, Mask> = Signal::mask(groups),
        }
        outputs {
            /// The SMX that receives it, one-hot; zero when none asks.
            grant: Signal<Out, Mask> = Signal::mask(smxs),
            /// The pointer of `group`; zero where it names none.
            first: Signal<Out, Word> = Signal::id(smxs),
        }
        locals {
            pointer: Signal<Local, Word> = Signal::id(smxs),
            behind: Signal<Local, Word> = Signal::id(smxs),
        }
        constants {
            zero: Constant<Word> = Constant::id(smxs, 0),
            one: Constant<Word> = Constant::id(smxs, 1),
            last: Constant<Word> = Constant::id(smxs, smxs - 1),
        }
        children {
            arbiter: RoundRobinArbiter = RoundRobinArbiter::new(smxs),
            pointers: Vec<Register<Word>> =
                Register::each(groups, Word::id(smxs, 0)),
        }
        state { groups: usize = groups }
    }
}

impl Logic for Turns {
    #[hdl_gen]
    fn update(&mut self) {
        self.pointer.next = self.zero.val();
        for g in 0..self.groups {
            Control::link(&mut self.control, &mut self.pointers[g].control);
            if self.group.val().get_bit(g) {
                self.pointer.next = self.pointers[g].q.val();
            }
        }
        self.arbiter.request.next = self.request.val();
        self.arbiter.first.next = self.pointer.val();
        self.first.next = self.pointer.val();
        self.grant.next = self.arbiter.grant.val();
        self.behind.next = self.arbiter.index.val() + self.one.val();
        if self.arbiter.index.val() == self.last.val() {
            self.behind.next = self.zero.val();
        }
        for g in 0..self.groups {
            self.pointers[g].d.next = self.pointers[g].q.val();
            if self.arbiter.valid.val() & self.group.val().get_bit(g) {
                self.pointers[g].d.next = self.behind.val();
            }
        }
    }
}
