//! Single bits side by side in one word.

use crate::hdl_module;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// Puts `N` bits into one word, `bits[0]` lowest: wires, no logic and no storage.
    pub struct Bundle [const N: usize] [N] combinational_primitive {
        inputs {
            /// The bits; always valid.
            bits: [Signal<In, Bit>; N],
        }
        outputs {
            /// The word.
            word: Signal<Out, U<N>>,
        }
    }
}

impl<const N: usize> Logic for Bundle<N> {
    fn update(&mut self) {
        let gathered = self.bits.iter().rev().fold(0, |word, bit| word << 1 | u64::from(bit.val()));
        self.word.next = U::wrap(gathered);
    }

    fn connect(&mut self) {
        self.word.connect();
    }

    fn hdl(&self) -> Verilog {
        let bits: Vec<String> = (0..N).rev().map(|bit| format!("bits${bit}")).collect();
        Verilog::Custom(format!("always @(*) word = {{{}}};\n", bits.join(", ")))
    }
}
