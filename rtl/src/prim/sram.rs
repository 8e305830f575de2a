//! Synchronous memories with one and two ports.

use crate::activity::{self, Origin};
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// A memory of `2^A` words with one port: each cycle it is read or written.
    ///
    /// ```text
    ///   address, write_enable, write_data --> [ 2^A x T ] --> read_data
    /// ```
    ///
    /// `read_data` in `c + 1` is the word at `address` of cycle `c`, as it was before a write in
    /// `c`. Reset clears `read_data`, not the memory: a word is undefined until it is written.
    /// Storage: `2^A` words of SRAM, a word of registers (the output).
    pub struct SramOnePort [T: Value + Default, const A: usize] [T, A] clocked_primitive {
        inputs {
            /// The word to read or write; always valid.
            address: Signal<In, U<A>>,
            /// Stores `write_data` at the next rising edge.
            write_enable: Signal<In, Bit>,
            /// The word to store; valid with `write_enable`.
            write_data: Signal<In, T>,
        }
        outputs {
            /// The word read in the cycle before; undefined if it was never written.
            read_data: Signal<Out, T>,
        }
        state {
            memory: Vec<T> = vec![T::default(); 1 << A],
            origin: Origin<T> = Origin::new(T::default()),
        }
    }
}

impl<T: Value + Default, const A: usize> Stores for SramOnePort<T, A> {
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::sram(1 << A, width::<T>(), true), Storage::Registers { bits: width::<T>() }]
    }
}

impl<T: Value + Default, const A: usize> Logic for SramOnePort<T, A> {
    fn update(&mut self) {
        if self.control.clock.pos_edge() {
            let word = &mut self.memory[self.address.val().index()];
            let read = if self.control.reset.val() { T::default() } else { *word };
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
        Verilog::Custom(verilog(width::<T>(), A, "address", "address"))
    }
}

hdl_module! {
    /// A memory of `2^A` words with one read port and one write port.
    ///
    /// ```text
    ///   read_address ------------------------------> [         ] --> read_data
    ///   write_enable, write_address, write_data ---> [ 2^A x T ]
    /// ```
    ///
    /// `read_data` in `c + 1` is the word at `read_address` of cycle `c`, as it was before a write
    /// to it in `c`. Reset clears `read_data`, not the memory: a word is undefined until written.
    /// Storage: `2^A` words of SRAM, a word of registers (the output).
    pub struct SramTwoPort [T: Value + Default, const A: usize] [T, A] clocked_primitive {
        inputs {
            /// The word to read; always valid.
            read_address: Signal<In, U<A>>,
            /// Stores `write_data` at the next rising edge.
            write_enable: Signal<In, Bit>,
            /// The word to write; valid with `write_enable`.
            write_address: Signal<In, U<A>>,
            /// The word to store; valid with `write_enable`.
            write_data: Signal<In, T>,
        }
        outputs {
            /// The word read in the cycle before; undefined if it was never written.
            read_data: Signal<Out, T>,
        }
        state {
            memory: Vec<T> = vec![T::default(); 1 << A],
            origin: Origin<T> = Origin::new(T::default()),
        }
    }
}

impl<T: Value + Default, const A: usize> Stores for SramTwoPort<T, A> {
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::sram(1 << A, width::<T>(), false), Storage::Registers { bits: width::<T>() }]
    }
}

impl<T: Value + Default, const A: usize> Logic for SramTwoPort<T, A> {
    fn update(&mut self) {
        if self.control.clock.pos_edge() {
            let word = self.memory[self.read_address.val().index()];
            let read = if self.control.reset.val() { T::default() } else { word };
            let target = &mut self.memory[self.write_address.val().index()];
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
        Verilog::Custom(verilog(width::<T>(), A, "read_address", "write_address"))
    }
}

fn width<T: Value + Default>() -> usize {
    T::default().width()
}

fn write_word<T: Value>(word: &mut T, enable: bool, data: T) {
    if enable && *word != data {
        *word = data;
        activity::stored();
    }
}

fn verilog(bits: usize, address_bits: usize, read: &str, write: &str) -> String {
    let (high, last) = (bits - 1, (1usize << address_bits) - 1);
    format!(
        "reg [{high}:0] memory [0:{last}];\nalways @(posedge control$clock) begin\n    \
         if (control$reset) read_data <= {bits}'h0;\n    else read_data <= memory[{read}];\n    \
         if (write_enable) memory[{write}] <= write_data;\nend\n"
    )
}
