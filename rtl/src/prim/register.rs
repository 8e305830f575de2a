//! A register with synchronous reset.

use crate::activity::Origin;
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// A register as wide as `zero`; its reset value is all zeros.
    ///
    /// ```text
    ///          +---------+
    ///   d ---->| D     Q |----> q
    ///          |  reset  |
    ///          +---------+
    /// ```
    ///
    /// Latency: `d` of cycle `c` is `q` of `c + 1`; after a cycle with reset, `q` is the reset
    /// value. Storage: as many registers as `zero` has bits.
    pub struct Register [T: Value] [T] (zero: T) clocked_primitive {
        inputs {
            /// The value to store at the next rising edge; always valid.
            d: Signal<In, T> = Signal::of(zero),
        }
        outputs {
            /// The stored value; always valid after reset.
            q: Signal<Out, T> = Signal::of(zero),
        }
        state { origin: Origin<T> = Origin::new(zero) }
    }
}

impl<T: Value> Register<T> {
    /// `count` registers as wide as `zero`.
    pub fn each(count: usize, zero: T) -> Vec<Self> {
        (0..count).map(|_| Self::new(zero)).collect()
    }
}

impl<T: Value + Default> Fresh for Register<T> {
    fn fresh() -> Self {
        Self::new(T::default())
    }
}

impl<T: Value> Stores for Register<T> {
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::Registers { bits: self.q.val().width() }]
    }
}

impl<T: Value> Logic for Register<T> {
    #[inline]
    fn update(&mut self) {
        if self.control.clock.pos_edge() {
            let next = if self.control.reset.val() { self.q.val().zeros() } else { self.d.val() };
            if next != self.q.val() {
                self.origin.stored(self.q.val(), next);
                self.q.next = next;
            }
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "always @(posedge control$clock) begin\n    if (control$reset) q <= {}'h0;\n    else q <= d;\nend\n",
            self.q.val().width()
        ))
    }
}
