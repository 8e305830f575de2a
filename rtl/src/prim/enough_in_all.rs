//! Whether some counts are enough in all.

use super::enough::{compares, sum_bits};
use super::verilog::bit;
use crate::prelude::*;
use std::ops::Range;

hdl_module! {
    /// Whether the counts of those `within` a range of `set` are at least `least` in all. Combinational, no
    /// storage.
    pub struct EnoughInAll (width: usize, within: Range<usize>) combinational_primitive {
        inputs {
            /// Whose counts are added; always valid.
            set: Signal<In, Mask> = Signal::mask(width),
            /// What each has; valid with its bit of `set`.
            count: Vec<Signal<In, U<6>>> = Signal::each(width, U::new(0)),
            /// How many are enough; always valid.
            least: Signal<In, U<5>>,
        }
        outputs {
            /// They have that many.
            yes: Signal<Out, Bit>,
        }
        state { within: Range<usize> = within }
    }
}

impl Logic for EnoughInAll {
    fn update(&mut self) {
        let set = self.set.val();
        let counted = self.within.clone().filter(|&at| set.get_bit(at));
        let sum: u64 = counted.map(|at| self.count[at].val().raw()).sum();
        self.yes.next = sum >= self.least.val().raw();
    }

    fn connect(&mut self) {
        self.yes.connect();
    }

    fn hdl(&self) -> Verilog {
        let (bits, width) = (sum_bits(63 * self.within.len()), self.set.val().len());
        let rest = match bits - 6 {
            0 => String::new(),
            rest => format!("{rest}'h0, "),
        };
        let term = |at| format!("{{{rest}count${at} & {{6{{set{set}}}}}}}", set = bit(width, at));
        compares(self.within.clone().map(term), bits)
    }
}
