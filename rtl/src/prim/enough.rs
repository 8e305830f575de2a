//! Whether enough of some bits are up.

use super::verilog::bit;
use crate::prelude::*;
use std::ops::Range;

/// The Verilog of `yes = sum >= least`, of `terms` that are as wide as the sum.
pub(super) fn compares(terms: impl Iterator<Item = String>, bits: usize) -> Verilog {
    let zero = format!("{bits}'h0");
    let sum = terms.fold(zero, |sum, term| format!("{sum}\n        + {term}"));
    Verilog::Custom(format!(
        "reg [{high}:0] sum;\nalways @(*) begin\n    sum = {sum};\n    \
         yes = sum >= {{{rest}'h0, least}};\nend\n",
        high = bits - 1,
        rest = bits - 5,
    ))
}

/// Bits of a number up to `most`, at least one more than `least` has.
pub(super) fn sum_bits(most: usize) -> usize {
    count_bits(most).max(6)
}

hdl_module! {
    /// Whether at least `least` of the bits `within` a range of `set` are up. Combinational, no storage.
    pub struct Enough (width: usize, within: Range<usize>) combinational_primitive {
        inputs {
            /// The bits; always valid.
            set: Signal<In, Mask> = Signal::mask(width),
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
        let set = self.set.val();
        let up = self.within.clone().filter(|&at| set.get_bit(at)).count();
        self.yes.next = up as u64 >= self.least.val().raw();
    }

    fn connect(&mut self) {
        self.yes.connect();
    }

    fn hdl(&self) -> Verilog {
        let (bits, width) = (sum_bits(self.within.len()), self.set.val().len());
        let term = |at| format!("{{{}'h0, set{}}}", bits - 1, bit(width, at));
        compares(self.within.clone().map(term), bits)
    }
}
