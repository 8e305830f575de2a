//! As many grants as a budget allows, from a pointer on.

use crate::hdl_module;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// Grants up to `budget` of `N` requesters: the first ones at or after `first`, counting
    /// upwards and wrapping. `N` is 1 to 32. Combinational, no storage.
    ///
    /// ```text
    ///   request, first, budget --> [ count in rotated order, cut off at budget ] --> grant
    /// ```
    pub struct BudgetArbiter [const N: usize] [N] combinational_primitive {
        inputs {
            /// One bit for each requester; always valid.
            request: Signal<In, U<N>>,
            /// The requester to look at first, below `N`; a larger one counts as zero.
            first: Signal<In, U<5>>,
            /// How many may be granted; always valid.
            budget: Signal<In, U<32>>,
        }
        outputs {
            /// One bit for each requester.
            grant: Signal<Out, U<N>>,
        }
    }
}

impl<const N: usize> Logic for BudgetArbiter<N> {
    fn update(&mut self) {
        let request = self.request.val().raw();
        let first = self.first.val().index();
        let budget = self.budget.val().raw();
        self.grant.next = U::wrap(if u64::from(request.count_ones()) <= budget {
            request
        } else {
            let split = if first < N { first } else { 0 };
            let after = request >> split << split;
            let (from_first, left) = lowest(after, budget);
            from_first | lowest(request & !after, left).0
        });
    }

    fn connect(&mut self) {
        self.grant.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "integer i;\nreg [31:0] left;\nreg [4:0] start;\nalways @(*) begin\n    \
             grant = {N}'h0;\n    left = budget;\n    \
             start = ({{27'h0, first}} < 32'd{N}) ? first : 5'h0;\n    \
             for (i = 0; i < {N}; i = i + 1)\n        \
             if (i[4:0] >= start && request[i] && |left) begin\n            \
             grant[i] = 1'b1;\n            left = left - 32'h1;\n        end\n    \
             for (i = 0; i < {N}; i = i + 1)\n        \
             if (i[4:0] < start && request[i] && |left) begin\n            \
             grant[i] = 1'b1;\n            left = left - 32'h1;\n        end\nend\n"
        ))
    }
}

/// The lowest `budget` set bits of `pool`, and what is left of the budget.
fn lowest(mut pool: u64, mut budget: u64) -> (u64, u64) {
    let mut granted = 0;
    while pool != 0 && budget != 0 {
        let bit = pool & pool.wrapping_neg();
        granted |= bit;
        pool ^= bit;
        budget -= 1;
    }
    (granted, budget)
}
