//! On which GPC a cluster is.

use crate::dispatch::RoundRobin;
use crate::prelude::*;
use crate::prim::{Register, TaggedSmx};

hdl_module! {
    /// The GPC of the open cluster, or the one where the next cluster opens (`docs/clusters.md`,
    /// rules 5 and 6).
    ///
    /// ```text
    ///   room --> [ round robin over the GPCs ] --+--> gpc
    ///                 [ home, if one is open ] --+        opens
    ///   granted, closes ----> ^
    /// ```
    ///
    /// `gpc` is combinational in `room`. Storage: one register for each of `gpcs` GPCs, and the
    /// pointer of [`RoundRobin`].
    pub struct Home (gpcs: usize) clocked {
        inputs {
            /// One bit for each GPC that has room for a cluster; looked at when none is open.
            room: Signal<In, Mask> = Signal::mask(gpcs),
            /// A block goes to an SMX of `gpc`; always when `opens`.
            granted: Signal<In, Bit>,
            /// That block is the last one of its cluster; valid with `granted`.
            closes: Signal<In, Bit>,
        }
        outputs {
            /// The GPC, one-hot; zero if no cluster is open and none can be opened.
            gpc: Signal<Out, Mask> = Signal::mask(gpcs),
            /// A cluster opens in this cycle.
            opens: Signal<Out, Bit>,
        }
        locals {
            free: Signal<Local, Bit>,
        }
        constants {
            nobody: Constant<Mask> = Constant::new(Mask::none(gpcs)),
            no_restart: Constant<TaggedSmx> = Constant::new(TaggedSmx::none(gpcs)),
        }
        children {
            home: Register<Mask> = Register::new(Mask::none(gpcs)),
            order: RoundRobin = RoundRobin::new(gpcs),
        }
    }
}

impl Logic for Home {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.home.control);
        Control::link(&mut self.control, &mut self.order.control);
        self.free.next = !self.home.q.val().any();
        self.order.restart.next = self.no_restart.val();
        self.order.request.next = self.nobody.val();
        if self.free.val() {
            self.order.request.next = self.room.val();
        }
        self.opens.next = self.order.grant.val().any();
        self.gpc.next = self.home.q.val() | self.order.grant.val();
        self.home.d.next = self.home.q.val() | self.order.grant.val();
        if self.granted.val() & self.closes.val() {
            self.home.d.next = self.nobody.val();
        }
    }
}
