//! A memory of counters of what is alive.

use super::register_file::power_of_two;
use super::verilog::{bit, low_bits};
use crate::activity;
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// `words` counters of `bits` bits (a power of two, at most `2^A`).
    ///
    /// ```text
    ///   load (address) -----------> [           ] --> emptied (one bit a decrement)
    ///   increase (address) -------> [ words x bits ]
    ///   decrease (address each) --> [           ]
    /// ```
    ///
    /// In one cycle one counter is set to one, another one grows by one, and each of the `ports` decrements
    /// takes one off its counter; increase and decrements may meet in one counter. `emptied` tells in
    /// the same cycle which decrements leave a counter of zero. Counters wrap. Of an address only as
    /// many low bits count as `words` needs. Reset does not touch the counters: one is undefined until
    /// it is loaded. Storage: `words * bits` bits.
    pub struct CounterFile [const A: usize] [A] (words: usize, ports: usize, bits: usize)
    clocked_primitive {
        inputs {
            /// Sets a counter to one; no other port names it in that cycle.
            load: Signal<In, Bit>,
            /// Which one; valid with `load`.
            load_address: Signal<In, U<A>>,
            /// Adds one to a counter.
            increase: Signal<In, Bit>,
            /// Which one; valid with `increase`.
            increase_address: Signal<In, U<A>>,
            /// One bit for each decrement: it takes one off a counter.
            decrease: Signal<In, Mask> = Signal::mask(ports),
            /// The counter that each concerns; valid with its bit of `decrease`.
            decrease_address: Vec<Signal<In, U<A>>> = Signal::each(ports, U::new(0)),
        }
        outputs {
            /// One bit for each decrement: its counter is zero after this cycle.
            emptied: Signal<Out, Mask> = Signal::mask(ports),
        }
        state {
            counts: Vec<u64> = vec![0; power_of_two(words, A)],
            bits: usize = bits,
        }
    }
}

impl<const A: usize> CounterFile<A> {
    /// The count at `at`, for whoever checks the state from outside.
    ///
    /// # Panics
    /// When there is no such counter.
    pub fn peek(&self, at: usize) -> u64 {
        self.counts[at]
    }

    /// The count at `at` after this cycle, unless it is loaded.
    fn left(&self, at: usize) -> u64 {
        let last = self.counts.len() - 1;
        let increase = self.increase.val() && self.increase_address.val().index() & last == at;
        let mut count = self.counts[at].wrapping_add(u64::from(increase));
        for (port, address) in self.decrease_address.iter().enumerate() {
            let here = address.val().index() & last == at;
            count = count.wrapping_sub(u64::from(self.decrease.val().get_bit(port) && here));
        }
        count & (u64::MAX >> (64 - self.bits))
    }
}

impl<const A: usize> Stores for CounterFile<A> {
    /// Every decrement and the increment read their counter and write it back; a load only writes.
    fn stores(&self) -> Vec<Storage> {
        let ports = self.decrease_address.len();
        vec![Storage::register_file(self.counts.len(), self.bits, ports + 1, ports + 2)]
    }
}

impl<const A: usize> Logic for CounterFile<A> {
    fn update(&mut self) {
        let last = self.counts.len() - 1;
        if self.control.clock.pos_edge() {
            let mut writes = Vec::new();
            for (port, address) in self.decrease_address.iter().enumerate() {
                if self.decrease.val().get_bit(port) {
                    let at = address.val().index() & last;
                    writes.push((at, self.left(at)));
                }
            }
            if self.increase.val() {
                let at = self.increase_address.val().index() & last;
                writes.push((at, self.left(at)));
            }
            if self.load.val() {
                writes.push((self.load_address.val().index() & last, 1));
            }
            for (at, count) in writes {
                if std::mem::replace(&mut self.counts[at], count) != count {
                    activity::stored();
                }
            }
        }
        let mut emptied = self.emptied.val().zeros();
        for (port, address) in self.decrease_address.iter().enumerate() {
            if self.decrease.val().get_bit(port) {
                emptied.set(port, self.left(address.val().index() & last) == 0);
            }
        }
        self.emptied.next = emptied;
    }

    fn connect(&mut self) {
        self.emptied.connect();
    }

    fn hdl(&self) -> Verilog {
        let (words, ports, bits) = (self.counts.len(), self.decrease_address.len(), self.bits);
        let high = bits - 1;
        let low = low_bits(words, A);
        let one = |when: &str| format!("({{{bits}{{{when}}}}} & {bits}'h1)");
        let same = |left: &str, right: &str| match words {
            1 => "1'h1".to_owned(),
            _ => format!("({} == {})", low(left), low(right)),
        };
        let left = |address: &str| {
            let when = format!("increase & {}", same("increase_address", address));
            let mut sum = format!("counts[{}] + {}", low(address), one(&when));
            for port in 0..ports {
                let here = same(&format!("decrease_address${port}"), address);
                sum += &format!(
                    "\n        - {}",
                    one(&format!("decrease{} & {here}", bit(ports, port)))
                );
            }
            sum
        };
        let mut code = format!("reg [{high}:0] counts [0:{}];\n", words - 1);
        let (mut edge, mut zero) = (String::new(), String::new());
        for port in 0..ports {
            let address = format!("decrease_address${port}");
            code += &format!("reg [{high}:0] left_{port};\n");
            code += &format!("always @(*) left_{port} = {};\n", left(&address));
            let at = low(&address);
            edge +=
                &format!("    if (decrease{}) counts[{at}] <= left_{port};\n", bit(ports, port));
            let b = bit(ports, port);
            zero += &format!("    emptied{b} = decrease{b} & ~|left_{port};\n");
        }
        code +=
            &format!("reg [{high}:0] more;\nalways @(*) more = {};\n", left("increase_address"));
        code += &format!(
            "always @(posedge control$clock) begin\n{edge}    if (increase) counts[{}] <= more;\n    \
             if (load) counts[{}] <= {bits}'h1;\nend\nalways @(*) begin\n{zero}end\n",
            low("increase_address"),
            low("load_address")
        );
        Verilog::Custom(code)
    }
}
