//! Whose turn it is on each GPC.

use super::plan::smxs;
use crate::prelude::*;
use crate::prim::{Register, RoundRobinArbiter};

hdl_module! {
    /// Round robin over the SMXs of one GPC, with a pointer for each (`docs/clusters.md`, rule 9).
    ///
    /// ```text
    ///   request -----------------> [ arbiter ] --> grant
    ///   gpc --> [ pointers ] first --^   | granted + 1
    ///                ^-------------------+
    /// ```
    ///
    /// `grant` is combinational in `request` and `gpc`. A pointer behind its GPC's last SMX finds nobody there, and so
    /// begins with the GPC's first one, as one that was never moved does. `plan` says how many SMXs each GPC has. Storage: for each GPC the number
    /// of an SMX.
    pub struct Turns (plan: &[usize]) clocked {
        inputs {
            /// One bit for each SMX that may receive the block, all of one GPC.
            request: Signal<In, Mask> = Signal::mask(smxs(plan)),
            /// That GPC, one-hot; valid when `request` is not zero.
            gpc: Signal<In, Mask> = Signal::mask(plan.len()),
        }
        outputs {
            /// The SMX that receives it, one-hot; zero when none asks.
            grant: Signal<Out, Mask> = Signal::mask(smxs(plan)),
        }
        locals {
            first: Signal<Local, Word> = Signal::id(smxs(plan)),
            behind: Signal<Local, Word> = Signal::id(smxs(plan)),
        }
        constants {
            zero: Constant<Word> = Constant::id(smxs(plan), 0),
            one: Constant<Word> = Constant::id(smxs(plan), 1),
            last: Constant<Word> = Constant::id(smxs(plan), smxs(plan) - 1),
        }
        children {
            arbiter: RoundRobinArbiter = RoundRobinArbiter::new(smxs(plan)),
            pointers: Vec<Register<Word>> =
                Register::each(plan.len(), Word::id(smxs(plan), 0)),
        }
        state { gpcs: usize = plan.len() }
    }
}

impl Logic for Turns {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.next = self.zero.val();
        for g in 0..self.gpcs {
            Control::link(&mut self.control, &mut self.pointers[g].control);
            if self.gpc.val().get_bit(g) {
                self.first.next = self.pointers[g].q.val();
            }
        }
        self.arbiter.request.next = self.request.val();
        self.arbiter.first.next = self.first.val();
        self.grant.next = self.arbiter.grant.val();
        self.behind.next = self.arbiter.index.val() + self.one.val();
        if self.arbiter.index.val() == self.last.val() {
            self.behind.next = self.zero.val();
        }
        for g in 0..self.gpcs {
            self.pointers[g].d.next = self.pointers[g].q.val();
            if self.arbiter.valid.val() & self.gpc.val().get_bit(g) {
                self.pointers[g].d.next = self.behind.val();
            }
        }
    }
}
