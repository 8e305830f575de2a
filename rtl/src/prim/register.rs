//! A register with synchronous reset.

use crate::activity;
use crate::hdl_module;
use crate::storage::{Storage, Stores};
use rust_hdl::prelude::*;

hdl_module! {
    /// A register of type `T`; its reset value is `T::default()`, all zeros for words and structs.
    ///
    /// ```text
    ///          +---------+
    ///   d ---->| D     Q |----> q
    ///          |  reset  |
    ///          +---------+
    /// ```
    ///
    /// Latency: `d` of cycle `c` is `q` of `c + 1`; after a cycle with reset, `q` is the reset value.
    /// Storage: `T::BITS` registers.
    pub struct Register [T: crate::module::FromBits] [T] clocked_primitive {
        inputs {
            /// The value to store at the next rising edge; always valid.
            d: Signal<In, T>,
        }
        outputs {
            /// The stored value; always valid after reset.
            q: Signal<Out, T>,
        }
    }
}

impl<T: crate::module::FromBits> Stores for Register<T> {
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::Registers { bits: T::BITS }]
    }
}

impl<T: crate::module::FromBits> Logic for Register<T> {
    #[inline]
    fn update(&mut self) {
        if self.control.clock.pos_edge() {
            let next = if self.control.reset.val() { T::default() } else { self.d.val() };
            if next != self.q.val() {
                self.q.next = next;
                activity::stored();
            }
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "always @(posedge control$clock) begin\n    if (control$reset) q <= {}'h0;\n    else q <= d;\nend\n",
            T::BITS
        ))
    }
}
