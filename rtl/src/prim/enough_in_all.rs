//! Whether the counts of a group are enough in all.

use super::verilog::bit;
use crate::prelude::*;
use std::ops::Range;

hdl_module! {
    /// For each of several ranges of `up`, whether the counts of those that are in it are at least `least` in all.
    /// The ranges follow each other from 0 on. Combinational, no storage.
    pub struct EnoughInAll (ranges: Vec<Range<usize>>) combinational_primitive {
        inputs {
            /// Whose counts are added; always valid.
            up: Signal<In, Mask> = Signal::mask(width(&ranges)),
            /// What each has; valid with its bit of `up`.
            count: Vec<Signal<In, U<6>>> = Signal::each(width(&ranges), U::new(0)),
            /// How many are enough; always valid.
            least: Signal<In, U<5>>,
        }
        outputs {
            /// One bit for each range: it has that many.
            yes: Signal<Out, Mask> = Signal::mask(ranges.len()),
        }
        state { ranges: Vec<Range<usize>> = ranges }
    }
}

/// How many counts there are.
fn width(ranges: &[Range<usize>]) -> usize {
    ranges.last().map_or(0, |range| range.end)
}

impl Logic for EnoughInAll {
    fn update(&mut self) {
        let (set, least) = (self.up.val(), self.least.val().raw());
        let sum = |range: &Range<usize>| -> u64 {
            let counted = range.clone().filter(|&at| set.get_bit(at));
            counted.map(|at| self.count[at].val().raw()).sum()
        };
        self.yes.next = Mask::gather(self.ranges.len(), |range| sum(&self.ranges[range]) >= least);
    }

    fn connect(&mut self) {
        self.yes.connect();
    }

    fn hdl(&self) -> Verilog {
        let (width, ranges) = (self.count.len(), self.ranges.len());
        let yes = |(at, range): (usize, &Range<usize>)| {
            // Wide enough for the sum, and for `least`.
            let bits = count_bits(63 * range.len()).max(7);
            let term = |which| {
                format!(
                    "\n        + {{{}'h0, count${which} & {{6{{up{}}}}}}}",
                    bits - 6,
                    bit(width, which)
                )
            };
            let terms: String = range.clone().map(term).collect();
            format!(
                "reg [{high}:0] sum${at};\nalways @(*) begin\n    sum${at} = {bits}'h0{terms};\n    \
                 yes{bit} = sum${at} >= {{{rest}'h0, least}};\nend\n",
                high = bits - 1,
                bit = bit(ranges, at),
                rest = bits - 5,
            )
        };
        Verilog::Custom(self.ranges.iter().enumerate().map(yes).collect())
    }
}
