//! Eight digits of a quotient.

mod properties;

use super::Partial;
use crate::prelude::*;
use crate::prim::Register;

hdl_module! {
    /// Eight steps of a restoring division of 56 bits by 1 to 16, and the register behind them.
    ///
    /// ```text
    ///   from --> [ shift, - residency ] x 8 --> [partial] --> to
    ///   drop -------------------------------------^
    /// ```
    ///
    /// Latency: one cycle. Storage: 69 registers.
    pub struct DivideStage clocked {
        inputs {
            /// The division so far.
            from: Signal<In, Partial>,
            /// Kernels whose requests are dropped.
            drop: Signal<In, U<8>>,
        }
        outputs {
            /// The division of the cycle before, eight digits further.
            to: Signal<Out, Partial>,
        }
        locals {
            rest: Signal<Local, U<5>>,
            digits: Signal<Local, U<56>>,
            carry: Signal<Local, Bit>,
            further: Signal<Local, Partial>,
        }
        constants {
            bit_zero: Lit<8, 1>,
            one: Lit<5, 1>,
            digit: Lit<56, 1>,
        }
        children {
            partial: Register<Partial>,
        }
        properties { properties::of }
    }
}

impl Logic for DivideStage {
    #[hdl_gen]
    fn update(&mut self) {
        Control::link(&mut self.control, &mut self.partial.control);
        self.rest.next = bit_cast::<5, 4>(self.from.val().rest);
        self.digits.next = self.from.val().word;
        for _step in 0..8 {
            self.carry.next = self.digits.val().get_bit(55);
            self.rest.next = self.rest.val() + self.rest.val();
            if self.carry.val() {
                self.rest.next = self.rest.val() + self.one.val();
            }
            self.digits.next = self.digits.val() + self.digits.val();
            if self.from.val().residency <= self.rest.val() {
                self.rest.next = self.rest.val() - self.from.val().residency;
                self.digits.next = self.digits.val() + self.digit.val();
            }
        }
        self.further.next.valid = self.from.val().valid
            & !(self.drop.val() & (self.bit_zero.val() << self.from.val().kernel)).any();
        self.further.next.kernel = self.from.val().kernel;
        self.further.next.residency = self.from.val().residency;
        self.further.next.word = self.digits.val();
        self.further.next.rest = bit_cast::<4, 5>(self.rest.val());
        self.partial.d.next = self.further.val();
        self.to.next = self.partial.q.val();
    }
}
