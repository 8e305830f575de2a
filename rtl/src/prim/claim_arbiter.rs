//! One claimant for each of several things.

mod properties;

use super::verilog::bit;
use crate::prelude::*;

hdl_module! {
    /// `count` claimants, each of which may claim one of `count` things: of a thing that is open
    /// the lowest-numbered claimant is granted and the others wait, of a thing that is not all are
    /// refused. Combinational, no storage.
    ///
    /// ```text
    ///   claims, target[i] --> [ lowest claimant of each thing ] --> grant, refuse (claimants)
    ///   open ---------------> [                               ] --> taken (things)
    /// ```
    pub struct ClaimArbiter (count: usize) combinational_primitive {
        inputs {
            /// One bit for each claimant: it claims something.
            claims: Signal<In, Mask> = Signal::mask(count),
            /// What; valid with its bit of `claims`. There is nothing from `count` on, and so it is
            /// not open.
            target: Vec<Signal<In, Word>> = Signal::each(count, Word::id(count, 0)),
            /// One bit for each thing: it can be given away.
            open: Signal<In, Mask> = Signal::mask(count),
        }
        outputs {
            /// One bit for each claimant: it gets what it claims.
            grant: Signal<Out, Mask> = Signal::mask(count),
            /// One bit for each claimant: what it claims cannot be given away.
            refuse: Signal<Out, Mask> = Signal::mask(count),
            /// One bit for each thing: it is given away.
            taken: Signal<Out, Mask> = Signal::mask(count),
        }
        properties { properties::of }
    }
}

impl Logic for ClaimArbiter {
    fn update(&mut self) {
        let (claims, open) = (self.claims.val(), self.open.val());
        let mut grant = claims.zeros();
        let (mut refuse, mut taken) = (grant, grant);
        for claimant in claims.ones() {
            let thing = self.target[claimant].val().index();
            if thing >= open.len() || !open.get_bit(thing) {
                refuse.set(claimant, true);
            } else if !taken.get_bit(thing) {
                grant.set(claimant, true);
                taken.set(thing, true);
            }
        }
        self.grant.next = grant;
        self.refuse.next = refuse;
        self.taken.next = taken;
    }

    fn connect(&mut self) {
        self.grant.connect();
        self.refuse.connect();
        self.taken.connect();
    }

    fn hdl(&self) -> Verilog {
        let count = self.target.len();
        let mut code = format!(
            "reg [{high}:0] things;\nalways @(*) begin\n    things = {count}'h0;\n    grant = {count}'h0;\n    \
             refuse = {count}'h0;\n",
            high = count - 1
        );
        for claimant in 0..count {
            let bit = bit(count, claimant);
            code += &format!(
                "    if (claims{bit}) begin\n        \
                 if (~|(({count}'h1 << target${claimant}) & open)) refuse{bit} = 1'b1;\n        \
                 else if (~|(({count}'h1 << target${claimant}) & things)) begin\n            \
                 grant{bit} = 1'b1;\n            things = things | ({count}'h1 << target${claimant});\n        \
                 end\n    end\n"
            );
        }
        code += "    taken = things;\nend\n";
        Verilog::Custom(code)
    }
}
