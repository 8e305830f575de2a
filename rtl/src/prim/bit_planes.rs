//! Each bit of many numbers as a word.

use crate::prelude::*;

/// Bits of a number.
const BITS: usize = 6;

hdl_module! {
    /// Numbers of six bits, turned: one word for each of their bits, the highest bit first. Wires,
    /// no logic and no storage.
    pub struct BitPlanes (count: usize) combinational_primitive {
        inputs {
            /// The numbers; always valid.
            number: Vec<Signal<In, U<6>>> = Signal::each(count, U::new(0)),
        }
        outputs {
            /// For bit 5, 4, ..., 0 of the numbers a word with that bit of each.
            plane: Vec<Signal<Out, Mask>> = Signal::each(BITS, Mask::none(count)),
        }
    }
}

/// Which bit of the numbers a plane has.
fn bit_of(plane: usize) -> usize {
    BITS - 1 - plane
}

impl Logic for BitPlanes {
    fn update(&mut self) {
        let (count, number) = (self.number.len(), &self.number);
        for (at, plane) in self.plane.iter_mut().enumerate() {
            plane.next = Mask::gather(count, |which| number[which].val().get_bit(bit_of(at)));
        }
    }

    fn connect(&mut self) {
        self.plane.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let plane = |at: usize| {
            let bit = |which: usize| format!("number${which}[{}]", bit_of(at));
            let bits: Vec<String> = (0..self.number.len()).rev().map(bit).collect();
            format!("always @(*) plane${at} = {{{}}};\n", bits.join(", "))
        };
        Verilog::Custom((0..BITS).map(plane).collect())
    }
}
