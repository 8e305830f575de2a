//! As many grants as a budget allows, from a pointer on.

mod properties;

use super::verilog::{bit, number_that_hold, numbers_up_to};
use crate::prelude::*;

hdl_module! {
    /// Grants up to `budget` of `count` requesters: the first ones at or after `first`, counting
    /// upwards and wrapping. Combinational, no storage.
    ///
    /// ```text
    ///   request, first, budget --> [ count up to each, against budget ] --> grant
    /// ```
    pub struct BudgetArbiter (count: usize) combinational_primitive {
        inputs {
            /// One bit for each requester; always valid.
            request: Signal<In, Mask> = Signal::mask(count),
            /// The requester to look at first; a number that none has counts as zero.
            first: Signal<In, Word> = Signal::id(count),
            /// How many may be granted; always valid.
            budget: Signal<In, U<32>>,
        }
        outputs {
            /// One bit for each requester.
            grant: Signal<Out, Mask> = Signal::mask(count),
        }
        properties { properties::of }
    }
}

impl Logic for BudgetArbiter {
    fn update(&mut self) {
        let request = self.request.val();
        let first = self.first.val().index();
        let budget = self.budget.val().raw();
        self.grant.next = if request.count() as u64 <= budget {
            request
        } else {
            let split = if first < request.len() { first } else { 0 };
            let after = request.from_bit(split);
            let (from_first, left) = lowest(after, budget);
            from_first | lowest(request & !after, left).0
        };
    }

    fn connect(&mut self) {
        self.grant.connect();
    }

    /// A requester is granted where those up to it, counted from zero upwards, are no more than
    /// the budget and those before `first`; one before `first` without all from `first` on.
    fn hdl(&self) -> Verilog {
        let (count, bits) = (self.request.val().len(), self.first.val().bits());
        // Wide enough for the budget that counts and for all requesters, with a sign.
        let width = count_bits(2 * count) + 1;
        let number_of = |vector: &str| {
            let bits = (0..count).map(|at| format!("{vector}{}", bit(count, at)));
            number_that_hold(bits, width)
        };
        Verilog::Custom(format!(
            "integer i;\ninteger step;\nreg [{bits}:0] start;\nreg [{high}:0] early;\n\
             reg [{high}:0] waiting;\nreg [{top}:0] most;\nreg [{top}:0] wrapped;\n\
             reg [{all}:0] up_to;\nalways @(*) begin\n    \
             start = ({{1'h0, first}} < {wide}'d{count}) ? {{1'h0, first}} : {wide}'h0;\n    \
             for (i = 0; i < {count}; i = i + 1) early[i] = i[{bits}:0] < start;\n    \
             waiting = request & early;\n    \
             most = ((budget < 32'd{count}) ? budget[{top}:0] : {width}'d{count})\n        + {};\n    \
             {sums}    \
             wrapped = most - ({});\n    \
             for (i = 0; i < {count}; i = i + 1)\n        \
             grant[i] = request[i] & (early[i]\n            \
             ? ~wrapped[{top}] & up_to[i*{width} +: {width}] <= wrapped\n            \
             : up_to[i*{width} +: {width}] <= most);\nend\n",
            number_of("waiting"),
            number_of("request"),
            sums = numbers_up_to("up_to", "request", count, width),
            high = count - 1,
            top = width - 1,
            all = count * width - 1,
            wide = bits + 1,
        ))
    }
}

/// The lowest `budget` set bits of `pool`, and what is left of the budget.
fn lowest(mut pool: Mask, mut budget: u64) -> (Mask, u64) {
    let mut granted = pool.zeros();
    while pool.any() && budget != 0 {
        let bit = pool.lowest_alone();
        granted = granted | bit;
        pool = pool & !bit;
        budget -= 1;
    }
    (granted, budget)
}
