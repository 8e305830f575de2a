//! Flags of the words of a memory.

use super::register_file::power_of_two;
use super::verilog::{bit, low_bits};
use crate::activity;
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// `words` flags (a power of two, at most `2^A`), one of which can be set and `ports` cleared
    /// in a cycle.
    ///
    /// ```text
    ///   raise, raise_address --> [           ] --> flag
    ///   clear[i], address[i] --> [ words x 1 ]
    ///   address ---------------> [           ]
    /// ```
    ///
    /// What is set or cleared in `c` is seen in `c + 1`; a flag that is set and cleared in one
    /// cycle is set. Of an address only as many low bits count as `words` needs. Reset clears all.
    /// Storage: `words` registers.
    pub struct FlagFile [const A: usize] [A] (words: usize, ports: usize) clocked_primitive {
        inputs {
            /// Sets a flag.
            raise: Signal<In, Bit>,
            /// Which one; valid with `raise`.
            raise_address: Signal<In, U<A>>,
            /// One bit for each port that clears a flag.
            clear: Signal<In, Mask> = Signal::mask(ports),
            /// Which one each clears; valid with its bit of `clear`.
            clear_address: Vec<Signal<In, U<A>>> = Signal::each(ports, U::new(0)),
            /// The flag to read.
            address: Signal<In, U<A>>,
        }
        outputs {
            /// The flag at `address`, same cycle.
            flag: Signal<Out, Bit>,
        }
        state { flags: Vec<bool> = vec![false; power_of_two(words, A)] }
    }
}

impl<const A: usize> FlagFile<A> {
    /// The flag at `at`, for whoever checks the state from outside.
    ///
    /// # Panics
    /// When there is no such flag.
    pub fn peek(&self, at: usize) -> bool {
        self.flags[at]
    }

    /// How many flags there are.
    pub fn words(&self) -> usize {
        self.flags.len()
    }
}

impl<const A: usize> Stores for FlagFile<A> {
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::Registers { bits: self.flags.len() }]
    }
}

impl<const A: usize> Logic for FlagFile<A> {
    fn update(&mut self) {
        let last = self.flags.len() - 1;
        if self.control.clock.pos_edge() {
            let mut changed = false;
            let mut write = |flags: &mut Vec<bool>, at: usize, value: bool| {
                changed |= std::mem::replace(&mut flags[at & last], value) != value;
            };
            if self.control.reset.val() {
                (0..=last).for_each(|at| write(&mut self.flags, at, false));
            } else {
                let raised = self.raise.val().then(|| self.raise_address.val().index() & last);
                for (port, address) in self.clear_address.iter().enumerate() {
                    let at = address.val().index() & last;
                    if self.clear.val().get_bit(port) && raised != Some(at) {
                        write(&mut self.flags, at, false);
                    }
                }
                raised.into_iter().for_each(|at| write(&mut self.flags, at, true));
            }
            if changed {
                activity::stored();
            }
        }
        self.flag.next = self.flags[self.address.val().index() & last];
    }

    fn connect(&mut self) {
        self.flag.connect();
    }

    fn hdl(&self) -> Verilog {
        let (words, ports) = (self.flags.len(), self.clear_address.len());
        let low = low_bits(words, A);
        let mut code = format!(
            "reg [{}:0] flags;\nalways @(posedge control$clock) begin\n    \
             if (control$reset) flags <= {words}'h0;\n    else begin\n",
            words - 1
        );
        for port in 0..ports {
            let bit = bit(ports, port);
            let address = low(&format!("clear_address${port}"));
            code += &format!("        if (clear{bit}) flags[{address}] <= 1'h0;\n");
        }
        code += &format!(
            "        if (raise) flags[{}] <= 1'h1;\n    end\nend\nalways @(*) flag = flags[{}];\n",
            low("raise_address"),
            low("address")
        );
        Verilog::Custom(code)
    }
}
