//! Counters of things in execution.

use crate::activity;
use crate::hdl_module;
use crate::storage::{Storage, Stores};
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// 32 counters of `W` bits that count what is in execution.
    ///
    /// ```text
    ///   increase (entry, by) --> [ 32 x W ] --> zero (one bit a counter)
    ///   decrease (entry each) -->
    /// ```
    ///
    /// In one cycle one counter grows by `increase_by` and each of the `N` decrements takes one off
    /// its counter; they may meet in one counter. Counters wrap. What is counted in `c` shows in
    /// `zero` of `c + 1`. Reset clears all. Storage: `32 * W` registers.
    pub struct CounterBank [const N: usize, const W: usize] [N, W] clocked_primitive {
        inputs {
            /// The counter that grows.
            increase_entry: Signal<In, U<5>>,
            /// By how much; zero for not at all.
            increase_by: Signal<In, U<6>>,
            /// One bit for each decrement: it takes one off a counter.
            decrease: Signal<In, U<N>>,
            /// The counter that each concerns; valid with its bit of `decrease`.
            decrease_entry: [Signal<In, U<5>>; N],
        }
        outputs {
            /// One bit for each counter: it is zero.
            zero: Signal<Out, U<32>>,
        }
        state { counts: [u64; 32] = [0; 32] }
    }
}

impl<const N: usize, const W: usize> Stores for CounterBank<N, W> {
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::Registers { bits: 32 * W }]
    }
}

impl<const N: usize, const W: usize> Logic for CounterBank<N, W> {
    fn update(&mut self) {
        if !self.control.clock.pos_edge() {
            return;
        }
        let before = self.counts;
        if self.control.reset.val() {
            self.counts = [0; 32];
        } else {
            self.counts[self.increase_entry.val().index()] += self.increase_by.val().raw();
            for (port, entry) in self.decrease_entry.iter().enumerate() {
                if self.decrease.val().get_bit(port) {
                    let count = &mut self.counts[entry.val().index()];
                    *count = count.wrapping_sub(1);
                }
            }
            self.counts.iter_mut().for_each(|count| *count &= U::<W>::MASK);
        }
        if self.counts != before {
            activity::stored();
        }
        let zero =
            self.counts.iter().rev().fold(0, |mask, &count| mask << 1 | u64::from(count == 0));
        self.zero.next = U::wrap(zero);
    }

    fn connect(&mut self) {
        self.zero.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut code = format!(
            "reg [{total}:0] counts;\nreg [{total}:0] counts_next;\ninteger k;\n\
             always @(*) begin\n    counts_next = counts;\n    for (k = 0; k < 32; k = k + 1) begin\n        \
             if (increase_entry == k[4:0]) counts_next[k*{W} +: {W}] = counts_next[k*{W} +: {W}] + {by};\n",
            total = 32 * W - 1,
            by = match W {
                0..=5 => format!("increase_by[{}:0]", W - 1),
                6 => "increase_by".to_owned(),
                _ => format!("{{{}'h0, increase_by}}", W - 6),
            },
        );
        for port in 0..N {
            code += &format!(
                "        if (decrease{bit} && decrease_entry${port} == k[4:0]) \
                 counts_next[k*{W} +: {W}] = counts_next[k*{W} +: {W}] - {W}'h1;\n",
                bit = if N == 1 { String::new() } else { format!("[{port}]") },
            );
        }
        code += &format!(
            "    end\nend\nalways @(posedge control$clock) begin\n    \
             if (control$reset) counts <= {bits}'h0;\n    else counts <= counts_next;\nend\n\
             integer z;\nalways @(*) begin\n    zero = 32'h0;\n    \
             for (z = 0; z < 32; z = z + 1) zero[z] = ~|counts[z*{W} +: {W}];\nend\n",
            bits = 32 * W
        );
        Verilog::Custom(code)
    }
}
