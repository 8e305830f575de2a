//! Counters of things in execution, many of which begin at once.

use super::counts::Counts;
use super::Tagged;
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
        state { counts: Counts<W> = Counts::new() }
    }
}

impl<const N: usize, const W: usize> Stores for TallyBank<N, W> {
    fn stores(&self) -> Vec<Storage> {
        Counts::<W>::stores()
    }
}

impl<const N: usize, const W: usize> Logic for TallyBank<N, W> {
    fn update(&mut self) {
        if !self.control.clock.pos_edge() {
            return;
        }
        let Self { increase, decrease, decrease_entry, .. } = self;
        self.counts.clock(self.control.reset.val(), |counts| {
            for Tagged { valid, entry } in increase.iter().map(|port| port.val()) {
                counts.add(entry, u64::from(valid));
            }
            counts.take(decrease, decrease_entry);
        });
        self.zero.next = self.counts.zero();
    }

    fn connect(&mut self) {
        self.zero.connect();
    }

    fn hdl(&self) -> Verilog {
        Counts::<W>::hdl(N, |count| {
            let increase = |port| {
                format!("        if (increase${port}[0] && increase${port}[5:1] == k[4:0]) {count} = {count} + {W}'h1;\n")
            };
            (0..N).map(increase).collect()
        })
    }
}
