//! A small memory with several ports that is read in the same cycle.

mod properties;

use super::verilog::low_bits;
use crate::activity;
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// `words` words as wide as `zero` (a power of two, at most `2^A`) with `writes` write ports, a
    /// read port, and `also` further read ports, all reads combinational.
    ///
    /// ```text
    ///   write_enable[W], write_address[W], write_data[W] --> [           ] --> data
    ///   address --------------------------------------------> [ words x T ]
    ///   also_address[R] ------------------------------------> [           ] --> also_data[R]
    /// ```
    ///
    /// A word written in cycle `c` is read from `c + 1` on. Two writes to one word in one cycle:
    /// the port with the higher number wins. Reset does not touch the words: one is undefined until
    /// it is written, and whoever reads keeps a valid bit. Of an address only as many low bits
    /// count as `words` needs. Storage: `words` times the bits of `zero`.
    pub struct RegisterFile [T: Value, const A: usize] [T, A]
    (zero: T, words: usize, writes: usize, also: usize) clocked_primitive {
        inputs {
            /// Each stores its word at the next rising edge.
            write_enable: Vec<Signal<In, Bit>> = Signal::each(writes, false),
            /// The words to write; valid with their `write_enable`.
            write_address: Vec<Signal<In, U<A>>> = Signal::each(writes, U::new(0)),
            /// The values to store; valid with their `write_enable`.
            write_data: Vec<Signal<In, T>> = Signal::each(writes, zero),
            /// The word to read.
            address: Signal<In, U<A>>,
            /// The words to read at the further ports.
            also_address: Vec<Signal<In, U<A>>> = Signal::each(also, U::new(0)),
        }
        outputs {
            /// The word at `address`, same cycle; undefined if it was never written.
            data: Signal<Out, T> = Signal::of(zero),
            /// The words at `also_address`, same cycle.
            also_data: Vec<Signal<Out, T>> = Signal::each(also, zero),
        }
        state { memory: Vec<T> = vec![zero; power_of_two(words, A)] }
        properties { properties::of }
    }
}

impl<T: Value + Default, const A: usize> RegisterFile<T, A> {
    /// `words` words of a fixed width.
    pub fn of(words: usize, writes: usize, also: usize) -> Self {
        Self::new(T::default(), words, writes, also)
    }
}

impl<T: Value, const A: usize> RegisterFile<T, A> {
    /// How many words there are.
    pub fn words(&self) -> usize {
        self.memory.len()
    }

    /// The word at `at`, for whoever checks the state from outside.
    ///
    /// # Panics
    /// When there is no such word.
    pub fn peek(&self, at: usize) -> T {
        self.memory[at]
    }
}

impl<T: Value, const A: usize> Stores for RegisterFile<T, A> {
    fn stores(&self) -> Vec<Storage> {
        let (reads, writes) = (1 + self.also_data.len(), self.write_data.len());
        let width = self.data.val().width();
        vec![Storage::register_file(self.memory.len(), width, reads, writes)]
    }
}

impl<T: Value, const A: usize> Logic for RegisterFile<T, A> {
    fn update(&mut self) {
        let last = self.memory.len() - 1;
        if self.control.clock.pos_edge() {
            for (port, enable) in self.write_enable.iter().enumerate() {
                if enable.val() {
                    let word = &mut self.memory[self.write_address[port].val().index() & last];
                    let data = self.write_data[port].val();
                    if *word != data {
                        *word = data;
                        activity::stored();
                    }
                }
            }
        }
        self.data.next = self.memory[self.address.val().index() & last];
        for (data, address) in self.also_data.iter_mut().zip(&self.also_address) {
            data.next = self.memory[address.val().index() & last];
        }
    }

    fn connect(&mut self) {
        self.data.connect();
        self.also_data.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let (high, last) = (self.data.val().width() - 1, self.memory.len() - 1);
        let low = low_bits(self.memory.len(), A);
        let mut code =
            format!("reg [{high}:0] memory [0:{last}];\nalways @(posedge control$clock) begin\n");
        for port in 0..self.write_data.len() {
            code += &format!(
                "    if (write_enable${port}) memory[{}] <= write_data${port};\n",
                low(&format!("write_address${port}"))
            );
        }
        code += &format!("end\nalways @(*) data = memory[{}];\n", low("address"));
        for port in 0..self.also_data.len() {
            let address = low(&format!("also_address${port}"));
            code += &format!("always @(*) also_data${port} = memory[{address}];\n");
        }
        Verilog::Custom(code)
    }
}

/// `words`, which must be a power of two and have addresses of `bits` bits at most.
///
/// # Panics
/// When it is not.
pub(super) fn power_of_two(words: usize, bits: usize) -> usize {
    let fits = words.is_power_of_two() && words <= 1 << bits;
    assert!(fits, "{words} words: expected a power of two, at most 2^{bits}");
    words
}
