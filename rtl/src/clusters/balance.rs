//! Where clusters go whose blocks may share an SMX.

mod properties;

use super::plan::smxs;
use super::spread::members;
use super::{Home, Turns};
use crate::most_room::Most;
use crate::prelude::*;
use crate::prim::EnoughInAll;

hdl_module! {
    /// The policy `balance` (`docs/clusters.md`, rules 5, 6, 8 and 9).
    ///
    /// ```text
    ///   ready, count[s], size --> [ enough in all; each GPC ] --> [home] --> gpc
    ///                             ready of the GPC --> [most] --> [turns] --> grant
    /// ```
    ///
    /// `grant` is combinational in `ready` and `count`. `plan` says how many SMXs each GPC has.
    /// Storage: one register for each GPC, and the pointers of the GPCs and of their SMXs.
    pub struct Balance (plan: &[usize]) clocked {
        inputs {
            /// One bit for each SMX that has room and that the gates allow; zero when there is no
            /// block to place.
            ready: Signal<In, Mask> = Signal::mask(smxs(plan)),
            /// How many blocks each has room for; valid with its bit of `ready`.
            count: Vec<Signal<In, U<6>>> = Signal::each(smxs(plan), U::new(0)),
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
            there: Signal<Local, Mask> = Signal::mask(smxs(plan)),
        }
        constants {
            no_gpc: Constant<Mask> = Constant::new(Mask::none(plan.len())),
            nobody: Constant<Mask> = Constant::new(Mask::none(smxs(plan))),
            gpc: Vec<Constant<Mask>> = members(plan),
        }
        children {
            enough: EnoughInAll = EnoughInAll::new(plan),
            home: Home = Home::new(plan.len()),
            most: Most = Most::new(smxs(plan)),
            turns: Turns = Turns::new(smxs(plan), plan.len()),
        }
        state { plan: Vec<usize> = plan.to_vec(), gpcs: usize = plan.len(), smxs: usize = smxs(plan) }
        properties { properties::of }
    }
}

impl Logic for Balance {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.home.control);
        Control::link(&mut self.control, &mut self.turns.control);
        self.enough.up.next = self.ready.val();
        self.enough.least.next = self.size.val();
        for i in 0..self.smxs {
            self.enough.count[i].next = self.count[i].val();
            self.most.count[i].next = self.count[i].val();
        }
        self.home.room.next = self.no_gpc.val();
        if self.ready.val().any() {
            self.home.room.next = self.enough.yes.val();
        }
        self.there.next = self.nobody.val();
        for g in 0..self.gpcs {
            if self.home.gpc.val().get_bit(g) {
                self.there.next = self.ready.val() & self.gpc[g].val();
            }
        }
        self.most.request.next = self.there.val();
        self.turns.request.next = self.most.most.val();
        self.turns.group.next = self.home.gpc.val();
        self.grant.next = self.turns.grant.val();
        self.home.granted.next = self.turns.grant.val().any();
        self.home.closes.next = self.closes.val();
    }
}
