//! 32 counters: what the banks of counters have in common.

use super::verilog::{bit, number_that_hold, widened};
use crate::activity;
use crate::prelude::*;
use crate::storage::Storage;

/// How many counters there are.
const COUNTERS: usize = 32;

/// Counters of the same width, one for each entry of a table of kernels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    counts: [u64; COUNTERS],
    bits: usize,
    /// How many of them there are.
    counters: usize,
}

impl Counts {
    /// All zero, of `bits` bits each.
    pub fn new(bits: usize) -> Self {
        Self { counts: [0; COUNTERS], bits, counters: COUNTERS }
    }

    /// The first `counters` of them alone: no other one is ever named.
    pub fn fewer(self, counters: usize) -> Self {
        Self { counters, ..self }
    }

    /// How many there are.
    pub fn counters(&self) -> usize {
        self.counters
    }

    /// How many bits each has.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// What they are stored in.
    pub fn stores(&self) -> Vec<Storage> {
        vec![Storage::Registers { bits: self.counters * self.bits }]
    }

    /// A clock edge: `changes` adds to the counters and takes from them, and they wrap; after a
    /// `reset` all are zero.
    pub fn clock(&mut self, reset: bool, changes: impl FnOnce(&mut Self)) {
        let before = self.counts;
        if reset {
            self.counts = [0; COUNTERS];
        } else {
            changes(self);
        }
        if self.counts != before {
            activity::stored();
        }
    }

    /// The counter of `entry` grows by `by`.
    pub fn add(&mut self, entry: U<5>, by: u64) {
        let count = &mut self.counts[entry.index()];
        *count = count.wrapping_add(by) & ((1 << self.bits) - 1);
    }

    /// One is taken off the counter of each of these entries whose bit of `decrease` is set.
    pub fn take(&mut self, decrease: &Signal<In, Mask>, entries: &[Signal<In, U<5>>]) {
        let decrease = decrease.val();
        let taken = entries.iter().enumerate().filter(|(port, _)| decrease.get_bit(*port));
        // Added to a counter that wraps, it takes one off.
        let minus_one = u64::MAX;
        taken.for_each(|(_, entry)| self.add(entry.val(), minus_one));
    }

    /// One bit for each counter: it is zero.
    pub fn zero(&self) -> U<32> {
        U::wrap(self.counts.iter().rev().fold(0, |mask, &count| mask << 1 | u64::from(count == 0)))
    }

    /// Their Verilog, where counter `k` grows by `more` where `grows`, and each of `ports`
    /// decrements takes one off. Of several ports blocks end, which is known before what is begun;
    /// one alone is as late as that, so that its choice is last.
    pub fn hdl(&self, ports: usize, grows: &str, more: &str) -> Verilog {
        let (width, counters) = (self.bits, self.counters);
        let decrease =
            |port| format!("decrease{} && decrease_entry${port} == k[4:0]", bit(ports, port));
        // The sum is no wider than it has to be: there are many of these.
        let narrow = count_bits(ports).min(width);
        let ended = number_that_hold((0..ports).map(decrease), narrow);
        let (first, last) = match ports {
            1 => (
                format!("({grows}) ? count + {more} : count"),
                format!("ended ? kept - {width}'h1 : kept"),
            ),
            _ => (
                format!("count - {}", widened("ended", narrow, width)),
                format!("({grows}) ? kept + {more} : kept"),
            ),
        };
        let code = format!(
            "reg [{top}:0] counts;\nreg [{top}:0] counts_next;\nreg [{high}:0] count;\n\
             reg [{high}:0] kept;\nreg [{most}:0] ended;\ninteger k;\n\
             always @(*) begin\n    for (k = 0; k < {counters}; k = k + 1) begin\n        \
             count = counts[k*{width} +: {width}];\n        ended = {ended};\n        \
             kept = {first};\n        counts_next[k*{width} +: {width}] = {last};\n    \
             end\nend\nalways @(posedge control$clock) begin\n    \
             if (control$reset) counts <= {bits}'h0;\n    else counts <= counts_next;\nend\n\
             integer z;\nalways @(*) begin\n    zero = {COUNTERS}'h0;\n    \
             for (z = 0; z < {counters}; z = z + 1) zero[z] = ~|counts[z*{width} +: {width}];\nend\n",
            most = narrow - 1,
            high = width - 1,
            top = counters * width - 1,
            bits = counters * width
        );
        Verilog::Custom(code)
    }
}
