//! A register that a configuration may do without.

use crate::activity::Origin;
use crate::prelude::*;
use crate::storage::{Storage, Stores};

hdl_module! {
    /// A [`super::Register`] where it is `present`; zero, and no storage, where it is not.
    ///
    /// ```text
    ///          +---------+
    ///   d ---->| D     Q |----> q        absent: 0 ----> q
    ///          |  reset  |
    ///          +---------+
    /// ```
    ///
    /// For modules that hold as many of something as a parameter says, up to a fixed number.
    /// Storage: as many registers as `zero` has bits, or none.
    pub struct OptionalRegister [T: Value] [T] (present: bool, zero: T) clocked_primitive {
        inputs {
            /// The value to store at the next rising edge; always valid.
            d: Signal<In, T> = Signal::of(zero),
        }
        outputs {
            /// The stored value; always valid after reset.
            q: Signal<Out, T> = Signal::of(zero),
        }
        state {
            present: bool = present,
            origin: Origin<T> = Origin::new(zero),
        }
    }
}

impl<T: Value> Stores for OptionalRegister<T> {
    fn stores(&self) -> Vec<Storage> {
        vec![Storage::Registers { bits: if self.present { self.q.val().width() } else { 0 } }]
    }
}

impl<T: Value> Logic for OptionalRegister<T> {
    #[inline]
    fn update(&mut self) {
        if self.control.clock.pos_edge() && self.present {
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
        let bits = self.q.val().width();
        Verilog::Custom(if self.present {
            format!(
                "always @(posedge control$clock) begin\n    if (control$reset) q <= {bits}'h0;\n    else q <= d;\nend\n"
            )
        } else {
            // Sensitive to something, or it would never be evaluated.
            format!("always @(*) q = control$reset ? {bits}'h0 : {bits}'h0;\n")
        })
    }
}
