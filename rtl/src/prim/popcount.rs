//! How many bits are set.

use super::verilog::{bit, one_if};
use crate::port::step_bits;
use crate::prelude::*;

hdl_module! {
    /// Counts those of `count` bits that are set. Combinational, no storage.
    ///
    /// ```text
    ///   bits --> [ sum ] --> ones
    /// ```
    pub struct Popcount (count: usize) combinational_primitive {
        inputs {
            /// The bits; always valid.
            bits: Signal<In, Mask> = Signal::mask(count),
        }
        outputs {
            /// How many are set.
            ones: Signal<Out, Word> = Signal::word(step_bits(count)),
        }
    }
}

impl Logic for Popcount {
    fn update(&mut self) {
        self.ones.next = self.ones.val().with(self.bits.val().count() as u64);
    }

    fn connect(&mut self) {
        self.ones.connect();
    }

    fn hdl(&self) -> Verilog {
        let (count, width) = (self.bits.val().len(), self.ones.val().bits());
        let term = |at| one_if(&format!("bits{}", bit(count, at)), width);
        let terms: Vec<String> = (0..count).map(term).collect();
        Verilog::Custom(format!("always @(*) ones = {};\n", terms.join("\n    + ")))
    }
}
