//! Whether enough of some bits are up.

use super::verilog::bit;
use crate::prelude::*;
use std::ops::Range;

hdl_module! {
    /// Whether at least `least` of the bits `within` a range of `up` are up. Combinational, no
    /// storage.
    pub struct Enough (width: usize, within: Range<usize>) combinational_primitive {
        inputs {
            /// The bits; always valid.
            up: Signal<In, Mask> = Signal::mask(width),
            /// How many are enough; always valid.
            least: Signal<In, U<5>>,
        }
        outputs {
            /// That many are up.
            yes: Signal<Out, Bit>,
        }
        state { within: Range<usize> = within }
    }
}

impl Logic for Enough {
    fn update(&mut self) {
        let set = self.up.val();
        let up = self.within.clone().filter(|&at| set.get_bit(at)).count();
        self.yes.next = up as u64 >= self.least.val().raw();
    }

    fn connect(&mut self) {
        self.yes.connect();
    }

    fn hdl(&self) -> Verilog {
        // Wide enough for the sum, and for `least`.
        let bits = count_bits(self.within.len()).max(6);
        let width = self.up.val().len();
        let term = |at| format!("\n        + {{{}'h0, up{}}}", bits - 1, bit(width, at));
        let terms: String = self.within.clone().map(term).collect();
        Verilog::Custom(format!(
            "reg [{high}:0] sum;\nalways @(*) begin\n    sum = {bits}'h0{terms};\n    \
             yes = sum >= {{{rest}'h0, least}};\nend\n",
            high = bits - 1,
            rest = bits - 5,
        ))
    }
}
