//! How many bits are set.

use super::verilog::{bit, number_that_hold};
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
        let set = (0..count).map(|at| format!("bits{}", bit(count, at)));
        Verilog::Custom(format!("always @(*) ones = {};\n", number_that_hold(set, width)))
    }
}
