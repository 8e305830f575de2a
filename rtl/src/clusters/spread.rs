//! Where clusters go whose blocks each have an SMX of their own.

mod properties;

use super::plan::smxs;
use super::{Home, Turns};
use crate::prelude::*;
use crate::prim::{ranges, Bundle, Enough, Register};

hdl_module! {
    /// The policy `spread` (`docs/clusters.md`, rules 5 to 7 and 9).
    ///
    /// ```text
    ///   ready, vacant, size --> [ enough: all, vacant, used; each GPC ] --> [home] --> gpc
    ///                            ready of the GPC, of one kind if enough --+
    ///                                     [ members that wait, if open ] --+--> [turns] --> grant
    /// ```
    ///
    /// `grant` is combinational in `ready` and `vacant`. `plan` says how many SMXs each GPC has.
    /// Storage: one register for each SMX and each GPC, and the pointers of the GPCs and of their
    /// SMXs.
    pub struct Spread (plan: &[usize]) clocked {
        inputs {
            /// One bit for each SMX that has room and that the gates allow; zero when there is no
            /// block to place.
            ready: Signal<In, Mask> = Signal::mask(smxs(plan)),
            /// One bit for each SMX that held no block at the end of the cycle before.
            vacant: Signal<In, Mask> = Signal::mask(smxs(plan)),
            /// Blocks of the cluster, 1 to 16; valid when `ready` is not zero.
            size: Signal<In, U<5>>,
            /// The block is its cluster's last one; valid when `ready` is not zero.
            closes: Signal<In, Bit>,
        }
        outputs {
            /// The SMX that receives the block, one-hot or zero.
            grant: Signal<Out, Mask> = Signal::mask(smxs(plan)),
        }
        locals {
            fresh: Signal<Local, Mask> = Signal::mask(smxs(plan)),
            used: Signal<Local, Mask> = Signal::mask(smxs(plan)),
            chosen: Signal<Local, Mask> = Signal::mask(smxs(plan)),
            some: Signal<Local, Bit>,
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs(plan))),
            gpc: Vec<Constant<Mask>> = members(plan),
        }
        children {
            all: Vec<Enough> = enough(plan),
            fresh_alone: Vec<Enough> = enough(plan),
            used_alone: Vec<Enough> = enough(plan),
            rooms: Bundle<Mask> = Bundle::of(plan.len()),
            home: Home = Home::new(plan.len()),
            turns: Turns = Turns::new(smxs(plan), plan.len()),
            waiting: Register<Mask> = Register::new(Mask::none(smxs(plan))),
        }
        state { plan: Vec<usize> = plan.to_vec(), gpcs: usize = plan.len() }
        properties { properties::of }
    }
}

/// The SMXs of each GPC.
pub(super) fn members(plan: &[usize]) -> Vec<Constant<Mask>> {
    let of = |range: std::ops::Range<usize>| Mask::gather(smxs(plan), |smx| range.contains(&smx));
    ranges(plan).map(|range| Constant::new(of(range))).collect()
}

fn enough(plan: &[usize]) -> Vec<Enough> {
    ranges(plan).map(|range| Enough::new(smxs(plan), range)).collect()
}

impl Logic for Spread {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.home.control);
        Control::link(&mut self.control, &mut self.turns.control);
        Control::link(&mut self.control, &mut self.waiting.control);

        // Which GPC: one with enough SMXs, or that of the open cluster.
        self.fresh.next = self.ready.val() & self.vacant.val();
        self.used.next = self.ready.val() & !self.vacant.val();
        for g in 0..self.gpcs {
            self.all[g].up.next = self.ready.val();
            self.all[g].least.next = self.size.val();
            self.fresh_alone[g].up.next = self.fresh.val();
            self.fresh_alone[g].least.next = self.size.val();
            self.used_alone[g].up.next = self.used.val();
            self.used_alone[g].least.next = self.size.val();
            self.rooms.bits[g].next = self.all[g].yes.val() & self.ready.val().any();
        }
        self.home.room.next = self.rooms.word.val();

        // Which of its SMXs: those of one kind if they are enough, or the open cluster's that wait.
        self.chosen.next = self.waiting.q.val();
        if self.home.opens.val() {
            for g in 0..self.gpcs {
                if self.home.gpc.val().get_bit(g) {
                    self.chosen.next = self.ready.val() & self.gpc[g].val();
                    if self.used_alone[g].yes.val() {
                        self.chosen.next = self.used.val() & self.gpc[g].val();
                    }
                    if self.fresh_alone[g].yes.val() {
                        self.chosen.next = self.fresh.val() & self.gpc[g].val();
                    }
                }
            }
        }
        self.turns.request.next = self.chosen.val() & self.ready.val();
        self.turns.group.next = self.home.gpc.val();
        self.grant.next = self.turns.grant.val();
        self.some.next = self.turns.grant.val().any();
        self.home.granted.next = self.some.val();
        self.home.closes.next = self.closes.val();
        self.waiting.d.next = self.chosen.val() & !self.turns.grant.val();
        if self.some.val() & self.closes.val() {
            self.waiting.d.next = self.nobody.val();
        }
    }
}
