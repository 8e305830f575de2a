//! One claimant for each of several things.

use super::verilog::bit;
use crate::hdl_module;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// `N` claimants (1 to 32), each of which may claim one of `N` things: of a thing that is open the
    /// lowest-numbered claimant is granted and the others wait, of a thing that is not all are refused.
    /// Combinational, no storage.
    ///
    /// ```text
    ///   claims, target[N] --> [ lowest claimant of each thing ] --> grant, refuse (claimants)
    ///   open ---------------> [                               ] --> taken (things)
    /// ```
    pub struct ClaimArbiter [const N: usize] [N] combinational_primitive {
        inputs {
            /// One bit for each claimant: it claims something.
            claims: Signal<In, U<N>>,
            /// What; valid with its bit of `claims`. There is nothing from `N` on, and so it is not open.
            target: [Signal<In, U<5>>; N],
            /// One bit for each thing: it can be given away.
            open: Signal<In, U<N>>,
        }
        outputs {
            /// One bit for each claimant: it gets what it claims.
            grant: Signal<Out, U<N>>,
            /// One bit for each claimant: what it claims cannot be given away.
            refuse: Signal<Out, U<N>>,
            /// One bit for each thing: it is given away.
            taken: Signal<Out, U<N>>,
        }
    }
}

impl<const N: usize> Logic for ClaimArbiter<N> {
    fn update(&mut self) {
        let (claims, open) = (self.claims.val().raw(), self.open.val().raw());
        let (mut grant, mut refuse, mut taken) = (0u64, 0u64, 0u64);
        for claimant in (0..N).filter(|claimant| claims >> claimant & 1 == 1) {
            let thing = 1u64 << self.target[claimant].val().raw();
            if open & thing == 0 {
                refuse |= 1 << claimant;
            } else if taken & thing == 0 {
                grant |= 1 << claimant;
                taken |= thing;
            }
        }
        self.grant.next = U::wrap(grant);
        self.refuse.next = U::wrap(refuse);
        self.taken.next = U::wrap(taken);
    }

    fn connect(&mut self) {
        self.grant.connect();
        self.refuse.connect();
        self.taken.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut code = format!(
            "reg [{high}:0] things;\nalways @(*) begin\n    things = {N}'h0;\n    grant = {N}'h0;\n    \
             refuse = {N}'h0;\n",
            high = N - 1
        );
        for claimant in 0..N {
            let bit = bit(N, claimant);
            code += &format!(
                "    if (claims{bit}) begin\n        \
                 if (~|(({N}'h1 << target${claimant}) & open)) refuse{bit} = 1'b1;\n        \
                 else if (~|(({N}'h1 << target${claimant}) & things)) begin\n            \
                 grant{bit} = 1'b1;\n            things = things | ({N}'h1 << target${claimant});\n        \
                 end\n    end\n"
            );
        }
        code += "    taken = things;\nend\n";
        Verilog::Custom(code)
    }
}
