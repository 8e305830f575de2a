//! A small memory with several ports that is read in the same cycle.

use crate::activity;
use crate::hdl_module;
use crate::module::FromBits;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// `2^A` words with `W` write ports, a read port, and `R` further read ports, all reads
    /// combinational.
    ///
    /// ```text
    ///   write_enable[W], write_address[W], write_data[W] --> [         ] --> data
    ///   address --------------------------------------------> [ 2^A x T ]
    ///   also_address[R] ------------------------------------> [         ] --> also_data[R]
    /// ```
    ///
    /// A word written in cycle `c` is read from `c + 1` on. Two writes to one word in one cycle: the
    /// port with the higher number wins. Reset does not touch the words: one is undefined until it
    /// is written, and whoever reads keeps a valid bit. Storage: `2^A * T::BITS` bits.
    pub struct RegisterFile [T: FromBits, const A: usize, const W: usize, const R: usize] [T, A, W, R]
    clocked_primitive {
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
        state { memory: Vec<T> = vec![T::default(); 1 << A] }
    }
}

impl<T: FromBits, const A: usize, const W: usize, const R: usize> Logic
    for RegisterFile<T, A, W, R>
{
    fn update(&mut self) {
        if self.control.clock.pos_edge() {
            for port in 0..W {
                if self.write_enable[port].val() {
                    let word = &mut self.memory[self.write_address[port].val().index()];
                    let data = self.write_data[port].val();
                    if *word != data {
                        *word = data;
                        activity::stored();
                    }
                }
            }
        }
        self.data.next = self.memory[self.address.val().index()];
        for port in 0..R {
            self.also_data[port].next = self.memory[self.also_address[port].val().index()];
        }
    }

    fn connect(&mut self) {
        self.data.connect();
        self.also_data.iter_mut().for_each(|port| port.connect());
    }

    fn hdl(&self) -> Verilog {
        let (high, last) = (T::BITS - 1, (1usize << A) - 1);
        let mut code =
            format!("reg [{high}:0] memory [0:{last}];\nalways @(posedge control$clock) begin\n");
        for port in 0..W {
            code += &format!(
                "    if (write_enable${port}) memory[write_address${port}] <= write_data${port};\n"
            );
        }
        code += "end\nalways @(*) data = memory[address];\n";
        for port in 0..R {
            code += &format!("always @(*) also_data${port} = memory[also_address${port}];\n");
        }
        Verilog::Custom(code)
    }
}
