//! One grant, the first at or after a pointer.

use crate::hdl_module;
use crate::word::U;
use rust_hdl::prelude::*;

hdl_module! {
    /// Grants one of `N` requesters: the first at or after `first`, counting upwards and wrapping.
    /// `N` is 1 to 32. Combinational, no storage; whoever owns the pointer moves it.
    ///
    /// ```text
    ///   request, first --> [ rotate, lowest set bit, rotate back ] --> valid, index, grant
    /// ```
    pub struct RoundRobinArbiter [const N: usize] [N] combinational_primitive {
        inputs {
            /// One bit for each requester; always valid.
            request: Signal<In, U<N>>,
            /// The requester to look at first, below `N`; a larger one counts as zero.
            first: Signal<In, U<5>>,
        }
        outputs {
            /// Whether anybody is granted.
            valid: Signal<Out, Bit>,
            /// Who is granted; zero when not `valid`.
            index: Signal<Out, U<5>>,
            /// One-hot form of the same; zero when not `valid`.
            grant: Signal<Out, U<N>>,
        }
    }
}

impl<const N: usize> Logic for RoundRobinArbiter<N> {
    fn update(&mut self) {
        let request = self.request.val().raw();
        let first = self.first.val().index();
        let after = if first < N { request >> first << first } else { request };
        let pool = if after != 0 { after } else { request };
        self.valid.next = request != 0;
        self.index.next = U::wrap(if request == 0 { 0 } else { pool.trailing_zeros() as u64 });
        self.grant.next = U::wrap(pool & pool.wrapping_neg());
    }

    fn connect(&mut self) {
        self.valid.connect();
        self.index.connect();
        self.grant.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "integer i;\nreg [{high}:0] after;\nreg [{high}:0] pool;\nalways @(*) begin\n    \
             after = request;\n    \
             if ({{27'h0, first}} < 32'd{N}) after = (request >> first) << first;\n    \
             pool = (|after) ? after : request;\n    \
             valid = |request;\n    index = 5'h0;\n    \
             for (i = {high}; i >= 0; i = i - 1)\n        if (pool[i]) index = i[4:0];\n    \
             grant = pool & (~pool + {N}'h1);\nend\n",
            high = N - 1,
        ))
    }
}
