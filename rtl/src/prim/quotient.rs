//! How often one number is contained in another, up to a few dozen times.

use crate::prelude::*;

/// Bits of the quotient.
const BITS: usize = 6;

hdl_module! {
    /// `dividend / divisor` for numbers of `bits` bits, rounded down, and at most 63: a restoring
    /// divider of six steps that saturates. A divisor of zero is contained in everything 63 times.
    /// Combinational, no storage.
    ///
    /// ```text
    ///   dividend --> ( - 32 d? ) --> ( - 16 d? ) --> ... --> ( - d? )
    ///                    |5              |4                      |0
    ///                    +---------------+------- quotient ------+
    /// ```
    pub struct Quotient (bits: usize) combinational {
        inputs {
            /// The number that is divided; always valid.
            dividend: Signal<In, Word> = Signal::word(bits),
            /// By this one; always valid.
            divisor: Signal<In, Word> = Signal::word(bits),
        }
        outputs {
            /// How often it is contained, at most 63.
            quotient: Signal<Out, U<6>>,
        }
        locals {
            rest: Signal<Local, Word> = Signal::word(bits + BITS),
            step: Signal<Local, Word> = Signal::word(bits + BITS),
            sum: Signal<Local, U<6>>,
        }
        constants {
            none: Lit<6, 0>,
            times: Vec<Constant<Word>> = descending()
                .map(|bit| Constant::new(Word::new(bits + BITS, 1 << bit)))
                .collect(),
            weight: Vec<Constant<U<6>>> =
                descending().map(|bit| Constant::new(U::new(1 << bit))).collect(),
        }
        state { steps: usize = BITS, wide: usize = bits + BITS }
    }
}

/// The bits of the quotient, the highest one first.
fn descending() -> impl Iterator<Item = usize> {
    (0..BITS).rev()
}

impl Logic for Quotient {
    #[hdl_gen]
    fn update(&mut self) {
        self.rest.next = bit_cast_to(self.dividend.val(), self.wide);
        self.sum.next = self.none.val();
        for i in 0..self.steps {
            self.step.next = bit_cast_to(self.divisor.val(), self.wide) * self.times[i].val();
            if self.step.val() <= self.rest.val() {
                self.rest.next = self.rest.val() - self.step.val();
                self.sum.next = self.sum.val() | self.weight[i].val();
            }
        }
        self.quotient.next = self.sum.val();
    }
}
