//! The lowest bit that is set.

use crate::hdl_module;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// Finds the lowest set bit of `request`. `N` is 1 to 32. Combinational, no storage.
    ///
    /// ```text
    ///   request --> [ lowest set bit ] --> valid, index, grant
    /// ```
    pub struct PriorityEncoder [const N: usize] [N] combinational_primitive {
        inputs {
            /// The bits to look at; always valid.
            request: Signal<In, U<N>>,
        }
        outputs {
            /// Whether any bit is set.
            valid: Signal<Out, Bit>,
            /// Number of the lowest set bit; zero when not `valid`.
            index: Signal<Out, U<5>>,
            /// The lowest set bit alone; zero when not `valid`.
            grant: Signal<Out, U<N>>,
        }
    }
}

impl<const N: usize> Logic for PriorityEncoder<N> {
    fn update(&mut self) {
        let request = self.request.val().raw();
        let lowest = request & request.wrapping_neg();
        self.valid.next = request != 0;
        self.index.next = U::wrap(if request == 0 { 0 } else { request.trailing_zeros() as u64 });
        self.grant.next = U::wrap(lowest);
    }

    fn connect(&mut self) {
        self.valid.connect();
        self.index.connect();
        self.grant.connect();
    }

    fn hdl(&self) -> Verilog {
        // Counting down lets the lowest bit assign last.
        Verilog::Custom(format!(
            "integer i;\nalways @(*) begin\n    valid = |request;\n    index = 5'h0;\n    \
             for (i = {last}; i >= 0; i = i - 1)\n        if (request{bit}) index = i[4:0];\n    \
             grant = request & (~request + {N}'h1);\nend\n",
            last = N - 1,
            bit = if N == 1 { "" } else { "[i]" },
        ))
    }
}
