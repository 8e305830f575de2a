//! One grant, the first at or after a pointer.

mod properties;

use super::verilog::{number_of, or_of_all_below};
use crate::prelude::*;

hdl_module! {
    /// Grants one of `count` requesters: the first at or after `first`, counting upwards and
    /// wrapping. Combinational, no storage; whoever owns the pointer moves it.
    ///
    /// ```text
    ///   request, first --> [ lowest of those from first on, lowest of all ] --> valid, index, grant
    /// ```
    pub struct RoundRobinArbiter (count: usize) combinational_primitive {
        inputs {
            /// One bit for each requester; always valid.
            request: Signal<In, Mask> = Signal::mask(count),
            /// The requester to look at first; a number that none has counts as zero.
            first: Signal<In, Word> = Signal::id(count),
        }
        outputs {
            /// Whether anybody is granted.
            valid: Signal<Out, Bit>,
            /// Who is granted; zero when not `valid`.
            index: Signal<Out, Word> = Signal::id(count),
            /// One-hot form of the same; zero when not `valid`.
            grant: Signal<Out, Mask> = Signal::mask(count),
        }
        properties { properties::of }
    }
}

impl RoundRobinArbiter {
    /// Among `count` requesters, whose numbers are as wide as those of `range` things.
    pub fn within(range: usize, count: usize) -> Self {
        Self { first: Signal::id(range), index: Signal::id(range), ..Self::new(count) }
    }
}

impl Logic for RoundRobinArbiter {
    fn update(&mut self) {
        let request = self.request.val();
        let first = self.first.val();
        let after =
            if first.index() < request.len() { request.from_bit(first.index()) } else { request };
        let pool = if after.any() { after } else { request };
        self.valid.next = request.any();
        self.index.next = first.with(pool.lowest() as u64);
        self.grant.next = pool.lowest_alone();
    }

    fn connect(&mut self) {
        self.valid.connect();
        self.index.connect();
        self.grant.connect();
    }

    fn hdl(&self) -> Verilog {
        let (count, bits) = (self.request.val().len(), self.first.val().bits());
        Verilog::Custom(format!(
            "integer i;\nreg [{bits}:0] origin;\nreg [{high}:0] late;\nreg [{high}:0] after;\n\
             reg [{high}:0] some;\nreg [{high}:0] some_after;\nalways @(*) begin\n    \
             origin = ({{1'h0, first}} < {wide}'d{count}) ? {{1'h0, first}} : {wide}'h0;\n    \
             for (i = 0; i < {count}; i = i + 1) late[i] = i[{bits}:0] >= origin;\n    \
             after = request & late;\n    some = request;\n{}    some_after = after;\n{}    \
             grant = some_after[{high}] ? after & ~(some_after << 1) : request & ~(some << 1);\n    \
             valid = |request;\n    index = {};\nend\n",
            or_of_all_below("some", count),
            or_of_all_below("some_after", count),
            number_of("grant", count, bits),
            high = count - 1,
            wide = bits + 1,
        ))
    }
}
