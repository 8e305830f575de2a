//! Counters of things in execution.

use super::counts::Counts;
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
        state { counts: Counts<W> = Counts::new() }
    }
}

impl<const N: usize, const W: usize> Stores for CounterBank<N, W> {
    fn stores(&self) -> Vec<Storage> {
        Counts::<W>::stores()
    }
}

impl<const N: usize, const W: usize> Logic for CounterBank<N, W> {
    fn update(&mut self) {
        if !self.control.clock.pos_edge() {
            return;
        }
        let Self { increase_entry, increase_by, decrease, decrease_entry, .. } = self;
        self.counts.clock(self.control.reset.val(), |counts| {
            counts.add(increase_entry.val(), increase_by.val().raw());
            counts.take(decrease, decrease_entry);
        });
        self.zero.next = self.counts.zero();
    }

    fn connect(&mut self) {
        self.zero.connect();
    }

    fn hdl(&self) -> Verilog {
        let by = match W {
            0..=5 => format!("increase_by[{}:0]", W - 1),
            6 => "increase_by".to_owned(),
            _ => format!("{{{}'h0, increase_by}}", W - 6),
        };
        Counts::<W>::hdl(N, |count| {
            format!("        if (increase_entry == k[4:0]) {count} = {count} + {by};\n")
        })
    }
}
