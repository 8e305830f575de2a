//! As many grants as a budget allows, from a pointer on.

mod properties;

use crate::prelude::*;

hdl_module! {
    /// Grants up to `budget` of `count` requesters: the first ones at or after `first`, counting
    /// upwards and wrapping. Combinational, no storage.
    ///
    /// ```text
    ///   request, first, budget --> [ count in rotated order, cut off at budget ] --> grant
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

    fn hdl(&self) -> Verilog {
        let (count, bits) = (self.request.val().len(), self.first.val().bits());
        let (rest, top) = (32 - bits, bits - 1);
        Verilog::Custom(format!(
            "integer i;\nreg [31:0] left;\nreg [{top}:0] start;\nalways @(*) begin\n    \
             grant = {count}'h0;\n    left = budget;\n    \
             start = ({{{rest}'h0, first}} < 32'd{count}) ? first : {bits}'h0;\n    \
             for (i = 0; i < {count}; i = i + 1)\n        \
             if (i[{top}:0] >= start && request[i] && |left) begin\n            \
             grant[i] = 1'b1;\n            left = left - 32'h1;\n        end\n    \
             for (i = 0; i < {count}; i = i + 1)\n        \
             if (i[{top}:0] < start && request[i] && |left) begin\n            \
             grant[i] = 1'b1;\n            left = left - 32'h1;\n        end\nend\n"
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
