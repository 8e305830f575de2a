//! Whether the counts of a group are enough in all.

use super::verilog::bit;
use crate::prelude::*;
use std::ops::Range;

hdl_module! {
    /// For each of several groups, which have these `sizes` and follow each other, whether the
    /// counts of those of it that are `up` are at least `least` in all. Combinational, no storage.
    pub struct EnoughInAll (sizes: &[usize]) combinational_primitive {
        inputs {
            /// Whose counts are added; always valid.
            up: Signal<In, Mask> = Signal::mask(sizes.iter().sum()),
            /// What each has; valid with its bit of `up`.
            count: Vec<Signal<In, U<6>>> = Signal::each(sizes.iter().sum(), U::new(0)),
            /// How many are enough; always valid.
            least: Signal<In, U<5>>,
        }
        outputs {
            /// One bit for each group: it has that many.
            yes: Signal<Out, Mask> = Signal::mask(sizes.len()),
        }
        state { ranges: Vec<Range<usize>> = ranges(sizes).collect() }
    }
}

/// Groups of these sizes that follow each other from 0 on.
pub(crate) fn ranges(sizes: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    sizes.iter().scan(0, |first, &size| {
        let range = *first..*first + size;
        *first = range.end;
        Some(range)
    })
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
