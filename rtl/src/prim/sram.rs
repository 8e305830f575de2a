//! Synchronous memories with one and two ports.

use super::register_file::power_of_two;
use super::verilog::low_bits;
use crate::activity::{self, Origin};
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// A memory of `words` words as wide as `zero` (a power of two, at most `2^A`) with one port:
    /// each cycle it is read or written.
    ///
    /// ```text
    ///   address, write_enable, write_data --> [ words x T ] --> read_data
    /// ```
    ///
    /// `read_data` in `c + 1` is the word at `address` of cycle `c`, as it was before a write in
    /// `c`. Reset clears `read_data`, not the memory: a word is undefined until it is written. Of
    /// an address only as many low bits count as `words` needs. Storage: `words` words of SRAM, a
    /// word of registers (the output).
    pub struct SramOnePort [T: Value, const A: usize] [T, A] (zero: T, words: usize) clocked_primitive {
        inputs {
            /// The word to read or write; always valid.
            address: Signal<In, U<A>>,
            /// Stores `write_data` at the next rising edge.
            write_enable: Signal<In, Bit>,
            /// The word to store; valid with `write_enable`.
            write_data: Signal<In, T> = Signal::of(zero),
        }
        outputs {
            /// The word read in the cycle before; undefined if it was never written.
            read_data: Signal<Out, T> = Signal::of(zero),
        }
        state {
            memory: Vec<T> = vec![zero; power_of_two(words, A)],
            origin: Origin<T> = Origin::new(zero),
        }
    }
}

impl<T: Value, const A: usize> Stores for SramOnePort<T, A> {
    fn stores(&self) -> Vec<Storage> {
        let bits = self.read_data.val().width();
        vec![Storage::sram(self.memory.len(), bits, true), Storage::Registers { bits }]
    }
}

impl<T: Value, const A: usize> Logic for SramOnePort<T, A> {
    fn update(&mut self) {
        if self.control.clock.pos_edge() {
            let last = self.memory.len() - 1;
            let word = &mut self.memory[self.address.val().index() & last];
            let read = if self.control.reset.val() { word.zeros() } else { *word };
            write_word(word, self.write_enable.val(), self.write_data.val());
            if read != self.read_data.val() {
                self.origin.stored(self.read_data.val(), read);
                self.read_data.next = read;
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (bits, words) = (self.read_data.val().width(), self.memory.len());
        Verilog::Custom(verilog(bits, words, A, "address", "address"))
    }
}

hdl_module! {
    /// A memory of `words` words as wide as `zero` (a power of two, at most `2^A`) with one read
    /// port and one write port.
    ///
    /// ```text
    ///   read_address ------------------------------> [           ] --> read_data
    ///   write_enable, write_address, write_data ---> [ words x T ]
    /// ```
    ///
    /// `read_data` in `c + 1` is the word at `read_address` of cycle `c`, as it was before a write
    /// to it in `c`. Reset clears `read_data`, not the memory: a word is undefined until written.
    /// Of an address only as many low bits count as `words` needs. Storage: `words` words of SRAM,
    /// a word of registers (the output).
    pub struct SramTwoPort [T: Value, const A: usize] [T, A] (zero: T, words: usize) clocked_primitive {
        inputs {
            /// The word to read; always valid.
            read_address: Signal<In, U<A>>,
            /// Stores `write_data` at the next rising edge.
            write_enable: Signal<In, Bit>,
            /// The word to write; valid with `write_enable`.
            write_address: Signal<In, U<A>>,
            /// The word to store; valid with `write_enable`.
            write_data: Signal<In, T> = Signal::of(zero),
        }
        outputs {
            /// The word read in the cycle before; undefined if it was never written.
            read_data: Signal<Out, T> = Signal::of(zero),
        }
        state {
            memory: Vec<T> = vec![zero; power_of_two(words, A)],
            origin: Origin<T> = Origin::new(zero),
        }
    }
}

impl<T: Value, const A: usize> SramTwoPort<T, A> {
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

impl<T: Value, const A: usize> Stores for SramTwoPort<T, A> {
    fn stores(&self) -> Vec<Storage> {
        let bits = self.read_data.val().width();
        vec![Storage::sram(self.memory.len(), bits, false), Storage::Registers { bits }]
    }
}

impl<T: Value, const A: usize> Logic for SramTwoPort<T, A> {
    fn update(&mut self) {
        if self.control.clock.pos_edge() {
            let last = self.memory.len() - 1;
            let word = self.memory[self.read_address.val().index() & last];
            let read = if self.control.reset.val() { word.zeros() } else { word };
            let target = &mut self.memory[self.write_address.val().index() & last];
            write_word(target, self.write_enable.val(), self.write_data.val());
            if read != self.read_data.val() {
                self.origin.stored(self.read_data.val(), read);
                self.read_data.next = read;
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (bits, words) = (self.read_data.val().width(), self.memory.len());
        Verilog::Custom(verilog(bits, words, A, "read_address", "write_address"))
    }
}

fn write_word<T: Value>(word: &mut T, enable: bool, data: T) {
    if enable && *word != data {
        *word = data;
        activity::stored();
    }
}

fn verilog(bits: usize, words: usize, address_bits: usize, read: &str, write: &str) -> String {
    let (high, last) = (bits - 1, words - 1);
    let low = low_bits(words, address_bits);
    let (read, write) = (low(read), low(write));
    format!(
        "reg [{high}:0] memory [0:{last}];\nalways @(posedge control$clock) begin\n    \
         if (control$reset) read_data <= {bits}'h0;\n    else read_data <= memory[{read}];\n    \
         if (write_enable) memory[{write}] <= write_data;\nend\n"
    )
}
