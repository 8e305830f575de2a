//! Words side by side in one, on their way between modules that stand in rows: a port in number of
//! a module in number does not translate.

use crate::prelude::*;

hdl_module! {
    /// Puts `K` words, each as wide as `zero`, into one, `parts[0]` lowest: wires, no logic and no
    /// storage.
    pub struct Pack [T: Value, const K: usize] [T, K] (zero: T) combinational_primitive {
        inputs {
            /// The words; always valid.
            parts: Vec<Signal<In, T>> = Signal::each(K, zero),
        }
        outputs {
            /// All of them.
            row: Signal<Out, [T; K]> = Signal::of([zero; K]),
        }
    }
}

hdl_module! {
    /// Takes `K` words, each as wide as `zero`, out of one; see [`Pack`].
    pub struct Unpack [T: Value, const K: usize] [T, K] (zero: T) combinational_primitive {
        inputs {
            /// All of them; always valid.
            row: Signal<In, [T; K]> = Signal::of([zero; K]),
        }
        outputs {
            /// The words.
            parts: Vec<Signal<Out, T>> = Signal::each(K, zero),
        }
    }
}

impl<T: Value + Default, const K: usize> Fresh for Pack<T, K> {
    fn fresh() -> Self {
        Self::new(T::default())
    }
}

impl<T: Value + Default, const K: usize> Fresh for Unpack<T, K> {
    fn fresh() -> Self {
        Self::new(T::default())
    }
}

impl<T: Value, const K: usize> Logic for Pack<T, K> {
    fn update(&mut self) {
        self.row.next = std::array::from_fn(|part| self.parts[part].val());
    }

    fn connect(&mut self) {
        self.row.connect();
    }

    fn hdl(&self) -> Verilog {
        let parts: Vec<String> = (0..K).rev().map(|part| format!("parts${part}")).collect();
        Verilog::Custom(format!("always @(*) row = {{{}}};\n", parts.join(", ")))
    }
}

impl<T: Value, const K: usize> Logic for Unpack<T, K> {
    fn update(&mut self) {
        let row = self.row.val();
        self.parts.iter_mut().zip(row).for_each(|(part, word)| part.next = word);
    }

    fn connect(&mut self) {
        self.parts.iter_mut().for_each(|part| part.connect());
    }

    fn hdl(&self) -> Verilog {
        let width = self.row.val().width() / K;
        let part = |part| format!("    parts${part} = row[{} +: {width}];\n", part * width);
        let parts: String = (0..K).map(part).collect();
        Verilog::Custom(format!("always @(*) begin\n{parts}end\n"))
    }
}
