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

    /// What each claimant claims, one bit a thing, and what it and all before it claim, in as many
    /// steps as there are doublings (Sklansky).
    fn hdl(&self) -> Verilog {
        let (count, high) = (self.target.len(), self.target.len() - 1);
        let (mut wires, mut claims, mut sums, mut grants) =
            <(String, String, String, String)>::default();
        for i in 0..count {
            let bit = bit(count, i);
            wires += &format!("reg [{high}:0] claim${i};\nreg [{high}:0] up_to${i};\n");
            claims += &format!(
                "    claim${i} = ({count}'h1 << target${i}) & open & {{{count}{{claims{bit}}}}};\n    \
                 up_to${i} = claim${i};\n"
            );
            let before = i.checked_sub(1).map(|before| format!(" & ~up_to${before}"));
            grants += &format!(
                "    grant{bit} = |(claim${i}{});\n    refuse{bit} = claims{bit} & ~(|claim${i});\n",
                before.unwrap_or_default()
            );
        }
        let steps = (0..).map(|step| 1 << step).take_while(|&step| step < count);
        for (step, i) in steps.flat_map(|step| (step..count).map(move |i| (step, i))) {
            if i & step != 0 {
                sums += &format!("    up_to${i} = up_to${i} | up_to${};\n", i / step * step - 1);
            }
        }
        Verilog::Custom(format!(
            "{wires}always @(*) begin\n{claims}{sums}{grants}    taken = up_to${high};\nend\n"
        ))
    }
}
