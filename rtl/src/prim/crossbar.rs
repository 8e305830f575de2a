//! Any word to any place.

mod properties;

use crate::prelude::*;
use crate::word::AnyWord;

hdl_module! {
    /// `outputs` selections, each of one of the same `words` words. Combinational, no storage.
    ///
    /// ```text
    ///   word[i] --+--> [ select[0] ] --> data[0]
    ///             +--> ...
    ///             +--> [ select[outputs - 1] ] --> data[outputs - 1]
    /// ```
    ///
    /// Words are as wide as `zero`, and the numbers that select them as `first`.
    pub struct Crossbar [T: Value, S: Value + AnyWord] [T, S]
    (zero: T, words: usize, outputs: usize, first: S) combinational_primitive {
        inputs {
            /// The words; always valid.
            word: Vec<Signal<In, T>> = Signal::each(words, zero),
            /// The word that each output shows; a number that no word has counts as zero.
            select: Vec<Signal<In, S>> = Signal::each(outputs, first),
        }
        outputs {
            /// The selected words.
            data: Vec<Signal<Out, T>> = Signal::each(outputs, zero),
        }
        properties { properties::of }
    }
}

impl<T: Value> Crossbar<T, Word> {
    /// Of the words of `words` SMXs or queues, which are named by their numbers.
    pub fn of(zero: T, words: usize, outputs: usize) -> Self {
        Self::new(zero, words, outputs, Word::id(words, 0))
    }

    /// The same where the numbers are as wide as those of `range` SMXs or queues.
    pub fn within(range: usize, zero: T, words: usize, outputs: usize) -> Self {
        Self::new(zero, words, outputs, Word::id(range, 0))
    }
}

impl<T: Value, S: Value + AnyWord> Logic for Crossbar<T, S> {
    fn update(&mut self) {
        for (data, select) in self.data.iter_mut().zip(&self.select) {
            let chosen = select.val().value() as usize;
            data.next = self.word.get(chosen).unwrap_or(&self.word[0]).val();
        }
    }

    fn connect(&mut self) {
        self.data.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let (words, outputs) = (self.word.len(), self.data.len());
        let (bits, top) = (self.word[0].val().width(), self.select[0].val().width() - 1);
        let names: Vec<String> = (0..words).rev().map(|word| format!("word${word}")).collect();
        let mut code = format!(
            "wire [{}:0] words;\nassign words = {{{}}};\ninteger i;\nalways @(*) begin\n",
            words * bits - 1,
            names.join(", ")
        );
        for output in 0..outputs {
            let select = format!("select${output}");
            // With as many words as the selector has values, none is beyond them.
            let beyond = match words == 1 << (top + 1) {
                true => format!("{bits}'h0"),
                false => format!("word$0 & {{{bits}{{{select} > {}'d{}}}}}", top + 1, words - 1),
            };
            code += &format!(
                "    data${output} = {beyond};\n    for (i = 0; i < {words}; i = i + 1)\n        \
                 data${output} = data${output} \
                 | (words[i*{bits} +: {bits}] & {{{bits}{{{select} == i[{top}:0]}}}});\n"
            );
        }
        code += "end\n";
        Verilog::Custom(code)
    }
}
