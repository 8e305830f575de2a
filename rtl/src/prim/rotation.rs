//! Each word one place down.

use crate::hdl_module;
use crate::module::FromBits;
use rust_hdl::prelude::*;

hdl_module! {
    /// Gives each of `N` places the word of the place behind it, the last one that of the first: wires,
    /// no logic and no storage.
    ///
    /// ```text
    ///   word[(i + 1) mod N] --> data[i]
    /// ```
    pub struct Rotation [T: FromBits, const N: usize] [T, N] combinational_primitive {
        inputs {
            /// The words; always valid.
            word: [Signal<In, T>; N],
        }
        outputs {
            /// The words of the places behind.
            data: [Signal<Out, T>; N],
        }
    }
}

impl<T: FromBits, const N: usize> Logic for Rotation<T, N> {
    fn update(&mut self) {
        for (place, data) in self.data.iter_mut().enumerate() {
            data.next = self.word[(place + 1) % N].val();
        }
    }

    fn connect(&mut self) {
        self.data.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let line = |place| format!("always @(*) data${place} = word${};\n", (place + 1) % N);
        Verilog::Custom((0..N).map(line).collect())
    }
}
