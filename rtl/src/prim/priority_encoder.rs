//! The lowest bit that is set.

use super::verilog::{number_of, or_of_all_below};
use super::BitSet;
use crate::prelude::*;

hdl_module! {
    /// Finds the lowest set bit of `request`, which is as wide as `zero`. Combinational, no
    /// storage.
    ///
    /// ```text
    ///   request --> [ lowest set bit ] --> valid, index, grant
    /// ```
    pub struct PriorityEncoder [B: BitSet] [B] (zero: B) combinational_primitive {
        inputs {
            /// The bits to look at; always valid.
            request: Signal<In, B> = Signal::of(zero),
        }
        outputs {
            /// Whether any bit is set.
            valid: Signal<Out, Bit>,
            /// Number of the lowest set bit; zero when not `valid`.
            index: Signal<Out, B::Id> = Signal::of(zero.id(0)),
            /// The lowest set bit alone; zero when not `valid`.
            grant: Signal<Out, B> = Signal::of(zero),
        }
    }
}

impl PriorityEncoder<Mask> {
    /// Of one bit for each of `count` things.
    pub fn of(count: usize) -> Self {
        Self::new(Mask::none(count))
    }

    /// Of one bit for each of `count` things, whose numbers are as wide as those of `range` things.
    pub fn within(range: usize, count: usize) -> Self {
        Self { index: Signal::id(range), ..Self::of(count) }
    }
}

impl<const N: usize> Fresh for PriorityEncoder<U<N>> {
    fn fresh() -> Self {
        Self::new(U::new(0))
    }
}

impl<B: BitSet> Logic for PriorityEncoder<B> {
    fn update(&mut self) {
        let request = self.request.val();
        self.valid.next = request.any_set();
        self.index.next = B::id_like(self.index.val(), request.lowest_set());
        self.grant.next = request.lowest_alone();
    }

    fn connect(&mut self) {
        self.valid.connect();
        self.index.connect();
        self.grant.connect();
    }

    fn hdl(&self) -> Verilog {
        let (count, bits) = (self.request.val().width(), self.index.val().width());
        Verilog::Custom(format!(
            "reg [{high}:0] some;\nalways @(*) begin\n    some = request;\n{}    \
             grant = request & ~(some << 1);\n    valid = |request;\n    index = {};\nend\n",
            or_of_all_below("some", count),
            number_of("grant", count, bits),
            high = count - 1,
        ))
    }
}
