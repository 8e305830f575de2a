//! A small memory with several ports that is read in the same cycle.

use super::verilog::low_bits;
use crate::activity;
use crate::hdl_module;
use crate::module::{Fresh, FromBits};
use crate::storage::{Storage, Stores};
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// `words` words (a power of two, at most `2^A`) with `W` write ports, a read port, and `R` further read ports, all reads
    /// combinational.
    ///
    /// ```text
    ///   write_enable[W], write_address[W], write_data[W] --> [           ] --> data
    ///   address --------------------------------------------> [ words x T ]
    ///   also_address[R] ------------------------------------> [           ] --> also_data[R]
    /// ```
    ///
    /// A word written in cycle `c` is read from `c + 1` on. Two writes to one word in one cycle: the
    /// port with the higher number wins. Reset does not touch the words: one is undefined until it
    /// is written, and whoever reads keeps a valid bit. Of an address only as many low bits count as
    /// `words` needs. Storage: `words * T::BITS` bits.
    pub struct RegisterFile [T: FromBits, const A: usize, const W: usize, const R: usize] [T, A, W, R]
    (words: usize) clocked_primitive {
        inputs {
            /// Each stores its word at the next rising edge.
            write_enable: [Signal<In, Bit>; W],
            /// The words to write; valid with their `write_enable`.
            write_address: [Signal<In, U<A>>; W],
            /// The values to store; valid with their `write_enable`.
            write_data: [Signal<In, T>; W],
            /// The word to read.
            address: Signal<In, U<A>>,
            /// The words to read at the further ports.
            also_address: [Signal<In, U<A>>; R],
        }
        outputs {
            /// The word at `address`, same cycle; undefined if it was never written.
            data: Signal<Out, T>,
            /// The words at `also_address`, same cycle.
            also_data: [Signal<Out, T>; R],
        }
        state { memory: Vec<T> = vec![T::default(); power_of_two(words, A)] }
    }
}

impl<T: FromBits, const A: usize, const W: usize, const R: usize> RegisterFile<T, A, W, R> {
    /// The word at `at`, for whoever checks the state from outside.
    ///
    /// # Panics
    /// When there is no such word.
    pub fn peek(&self, at: usize) -> T {
        self.memory[at]
    }
}

impl<T: FromBits, const A: usize, const W: usize, const R: usize> Stores
    for RegisterFile<T, A, W, R>
{
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::register_file(self.memory.len(), T::BITS, 1 + R, W)]
    }
}

impl<T: FromBits, const A: usize, const W: usize, const R: usize> Logic
    for RegisterFile<T, A, W, R>
{
    fn update(&mut self) {
        if self.control.clock.pos_edge() {
            for port in 0..W {
                if self.write_enable[port].val() {
                    let at = self.write_address[port].val().index() & (self.memory.len() - 1);
                    let word = &mut self.memory[at];
                    let data = self.write_data[port].val();
                    if *word != data {
                        *word = data;
                        activity::stored();
                    }
                }
            }
        }
        let last = self.memory.len() - 1;
        self.data.next = self.memory[self.address.val().index() & last];
        for port in 0..R {
            self.also_data[port].next = self.memory[self.also_address[port].val().index() & last];
        }
    }

    fn connect(&mut self) {
        self.data.connect();
        self.also_data.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let (high, last) = (T::BITS - 1, self.memory.len() - 1);
        let low = low_bits(self.memory.len(), A);
        let mut code =
            format!("reg [{high}:0] memory [0:{last}];\nalways @(posedge control$clock) begin\n");
        for port in 0..W {
            code += &format!(
                "    if (write_enable${port}) memory[{}] <= write_data${port};\n",
                low(&format!("write_address${port}"))
            );
        }
        code += &format!("end\nalways @(*) data = memory[{}];\n", low("address"));
        for port in 0..R {
            let address = low(&format!("also_address${port}"));
            code += &format!("always @(*) also_data${port} = memory[{address}];\n");
        }
        Verilog::Custom(code)
    }
}

impl<T: FromBits, const A: usize, const W: usize, const R: usize> Fresh
    for RegisterFile<T, A, W, R>
{
    /// One of `2^A` words.
    fn fresh() -> Self {
        Self::new(1 << A)
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
