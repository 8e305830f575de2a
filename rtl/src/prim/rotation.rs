//! Each word one place down.

use crate::prelude::*;

hdl_module! {
    /// Gives each of `places` places the word of the place behind it, the last one that of the
    /// first: wires, no logic and no storage. Words are as wide as `zero`.
    ///
    /// ```text
    ///   word[(i + 1) mod places] --> data[i]
    /// ```
    pub struct Rotation [T: Value] [T] (zero: T, places: usize) combinational_primitive {
        inputs {
            /// The words; always valid.
            word: Vec<Signal<In, T>> = Signal::each(places, zero),
        }
        outputs {
            /// The words of the places behind.
            data: Vec<Signal<Out, T>> = Signal::each(places, zero),
        }
    }
}

impl<T: Value> Logic for Rotation<T> {
    fn update(&mut self) {
        let places = self.word.len();
        for (place, data) in self.data.iter_mut().enumerate() {
            data.next = self.word[(place + 1) % places].val();
        }
    }

    fn connect(&mut self) {
        self.data.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let places = self.word.len();
        let line = |place| format!("always @(*) data${place} = word${};\n", (place + 1) % places);
        Verilog::Custom((0..places).map(line).collect())
    }
}
