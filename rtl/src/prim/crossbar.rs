//! Any word to any place.

use crate::hdl_module;
use crate::module::FromBits;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// `O` selections, each of one of the same `I` words (1 to 32). Combinational, no storage.
    ///
    /// ```text
    ///   word[I] --+--> [ select[0] ] --> data[0]
    ///             +--> ...
    ///             +--> [ select[O - 1] ] --> data[O - 1]
    /// ```
    pub struct Crossbar [T: FromBits, const I: usize, const O: usize] [T, I, O]
    combinational_primitive {
        inputs {
            /// The words; always valid.
            word: [Signal<In, T>; I],
            /// The word that each output shows, below `I`; a larger number counts as zero.
            select: [Signal<In, U<5>>; O],
        }
        outputs {
            /// The selected words.
            data: [Signal<Out, T>; O],
        }
    }
}

impl<T: FromBits, const I: usize, const O: usize> Logic for Crossbar<T, I, O> {
    fn update(&mut self) {
        for (data, select) in self.data.iter_mut().zip(&self.select) {
            let chosen = select.val().index();
            data.next = self.word[if chosen < I { chosen } else { 0 }].val();
        }
    }

    fn connect(&mut self) {
        self.data.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let bits = T::BITS;
        let words: Vec<String> = (0..I).rev().map(|word| format!("word${word}")).collect();
        let mut code = format!(
            "wire [{}:0] words;\nassign words = {{{}}};\ninteger i;\nalways @(*) begin\n",
            I * bits - 1,
            words.join(", ")
        );
        for output in 0..O {
            code += &format!(
                "    data${output} = word$0;\n    for (i = 0; i < {I}; i = i + 1)\n        \
                 if (select${output} == i[4:0]) data${output} = words[i*{bits} +: {bits}];\n"
            );
        }
        code += "end\n";
        Verilog::Custom(code)
    }
}
