//! Counters of things in execution, many of which begin at once.

use super::Tagged;
use crate::activity;
use crate::hdl_module;
use crate::storage::{Storage, Stores};
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// 32 counters of `W` bits that count what is in execution, where up to `N` things begin in one cycle.
    ///
    /// ```text
    ///   increase (entry each) --> [ 32 x W ] --> zero (one bit a counter)
    ///   decrease (entry each) -->
    /// ```
    ///
    /// In one cycle each of the `N` increments adds one to its counter and each of the `N` decrements takes
    /// one off its counter; any of them may meet in one counter. Counters wrap. What is counted in `c`
    /// shows in `zero` of `c + 1`. Reset clears all. Storage: `32 * W` registers.
    pub struct TallyBank [const N: usize, const W: usize] [N, W] clocked_primitive {
        inputs {
            /// Each adds one to the counter that it names.
            increase: [Signal<In, Tagged>; N],
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

impl<const N: usize, const W: usize> Stores for TallyBank<N, W> {
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::Registers { bits: 32 * W }]
    }
}

impl<const N: usize, const W: usize> Logic for TallyBank<N, W> {
    fn update(&mut self) {
        if !self.control.clock.pos_edge() {
            return;
        }
        let before = self.counts;
        if self.control.reset.val() {
            self.counts = [0; 32];
        } else {
            for port in 0..N {
                let Tagged { valid, entry } = self.increase[port].val();
                if valid {
                    let count = &mut self.counts[entry.index()];
                    *count = count.wrapping_add(1);
                }
                if self.decrease.val().get_bit(port) {
                    let count = &mut self.counts[self.decrease_entry[port].val().index()];
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
             always @(*) begin\n    counts_next = counts;\n    for (k = 0; k < 32; k = k + 1) begin\n",
            total = 32 * W - 1,
        );
        for port in 0..N {
            let bit = if N == 1 { String::new() } else { format!("[{port}]") };
            let count = format!("counts_next[k*{W} +: {W}]");
            code += &format!(
                "        if (increase${port}[0] && increase${port}[5:1] == k[4:0]) {count} = {count} + {W}'h1;\n        \
                 if (decrease{bit} && decrease_entry${port} == k[4:0]) {count} = {count} - {W}'h1;\n"
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
