//! How often one number is contained in another, up to a few dozen times.

mod properties;

use crate::prelude::*;

/// Bits of the quotient.
const BITS: usize = 6;

hdl_module! {
    /// `dividend / divisor` for numbers of `bits` bits, rounded down, and at most 63: a divider of
    /// three steps of two bits each that saturates. A divisor of zero is contained in everything 63
    /// times. Combinational, no storage.
    ///
    /// ```text
    ///   dividend --> ( - 48, 32, 16 d? ) --> ( - 12, 8, 4 d? ) --> ( - 3, 2, 1 d? )
    ///                       |5,4                  |3,2                  |1,0
    ///                       +---------------------+------ quotient -----+
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
            by: Signal<Local, Word> = Signal::word(bits + BITS + 1),
            rest: Signal<Local, Word> = Signal::word(bits + BITS + 1),
            less: Signal<Local, Word> = Signal::word(bits + BITS + 1),
            twice_less: Signal<Local, Word> = Signal::word(bits + BITS + 1),
            thrice_less: Signal<Local, Word> = Signal::word(bits + BITS + 1),
            digit: Signal<Local, U<6>>,
            sum: Signal<Local, U<6>>,
        }
        constants {
            none: Lit<6, 0>,
            negative: Constant<Word> =
                Constant::new(Word::new(bits + BITS + 1, 1 << (bits + BITS))),
            once: Vec<Constant<Word>> = times(bits, 1),
            twice: Vec<Constant<Word>> = times(bits, 2),
            thrice: Vec<Constant<Word>> = times(bits, 3),
            weight: Vec<Constant<U<6>>> = weights(1),
            twice_weight: Vec<Constant<U<6>>> = weights(2),
            thrice_weight: Vec<Constant<U<6>>> = weights(3),
        }
        state { steps: usize = BITS / 2, wide: usize = bits + BITS + 1 }
        properties { properties::of }
    }
}

/// What a digit of `digit` stands for in each step, the first one first.
fn worth(digit: u64) -> impl Iterator<Item = u64> {
    (0..BITS / 2).rev().map(move |step| digit << (2 * step))
}

/// The same, as multiples of a divisor of so many bits.
fn times(bits: usize, digit: u64) -> Vec<Constant<Word>> {
    worth(digit).map(|times| Constant::new(Word::new(bits + BITS + 1, times))).collect()
}

/// The same, as parts of the quotient.
fn weights(digit: u64) -> Vec<Constant<U<6>>> {
    worth(digit).map(|weight| Constant::new(U::new(weight))).collect()
}

impl Logic for Quotient {
    #[hdl_gen]
    fn update(&mut self) {
        self.rest.next = bit_cast_to(self.dividend.val(), self.wide);
        self.by.next = bit_cast_to(self.divisor.val(), self.wide);
        self.sum.next = self.none.val();
        for i in 0..self.steps {
            self.less.next = self.rest.val() - self.by.val() * self.once[i].val();
            self.twice_less.next = self.rest.val() - self.by.val() * self.twice[i].val();
            self.thrice_less.next = self.rest.val() - self.by.val() * self.thrice[i].val();
            // As many times as it can be taken: the last of these.
            self.digit.next = self.none.val();
            if !(self.less.val() & self.negative.val()).any() {
                self.rest.next = self.less.val();
                self.digit.next = self.weight[i].val();
            }
            if !(self.twice_less.val() & self.negative.val()).any() {
                self.rest.next = self.twice_less.val();
                self.digit.next = self.twice_weight[i].val();
            }
            if !(self.thrice_less.val() & self.negative.val()).any() {
                self.rest.next = self.thrice_less.val();
                self.digit.next = self.thrice_weight[i].val();
            }
            self.sum.next = self.sum.val() | self.digit.val();
        }
        self.quotient.next = self.sum.val();
    }
}
