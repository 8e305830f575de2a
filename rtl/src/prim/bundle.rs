//! Single bits side by side in one word.

use super::BitSet;
use crate::prelude::*;

hdl_module! {
    /// Puts bits into one word as wide as `zero`, `bits[0]` lowest: wires, no logic and no storage.
    pub struct Bundle [B: BitSet] [B] (zero: B) combinational_primitive {
        inputs {
            /// The bits; always valid.
            bits: Vec<Signal<In, Bit>> = Signal::each(zero.width(), false),
        }
        outputs {
            /// The word.
            word: Signal<Out, B> = Signal::of(zero),
        }
    }
}

impl Bundle<Mask> {
    /// Of one bit for each of `count` things.
    pub fn of(count: usize) -> Self {
        Self::new(Mask::none(count))
    }
}

impl<const N: usize> Fresh for Bundle<U<N>> {
    fn fresh() -> Self {
        Self::new(U::new(0))
    }
}

impl<B: BitSet> Logic for Bundle<B> {
    fn update(&mut self) {
        let bits = &self.bits[..];
        self.word.next = self.word.val().gather(|bit| bits[bit].val());
    }

    fn connect(&mut self) {
        self.word.connect();
    }

    fn hdl(&self) -> Verilog {
        let bits: Vec<String> =
            (0..self.bits.len()).rev().map(|bit| format!("bits${bit}")).collect();
        Verilog::Custom(format!("always @(*) word = {{{}}};\n", bits.join(", ")))
    }
}
