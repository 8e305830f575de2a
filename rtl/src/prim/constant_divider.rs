//! Division by a constant in one cycle.

use crate::prelude::*;

/// The largest divisor.
pub const MAX_DIVISOR: u64 = 256;

/// Bits of a remainder: six up to 64, which is what the papers' GPUs need, eight above.
pub const fn remainder_bits(divisor: u64) -> usize {
    if divisor <= 64 {
        6
    } else {
        8
    }
}

/// Bits of the folded dividend: 16 for its low half and those of the remainders.
const fn folded_bits(divisor: u64) -> usize {
    16 + remainder_bits(divisor)
}

/// Bits that the reciprocal is scaled by: those of the folded dividend and of the largest divisor,
/// which is what makes the quotient exact.
const fn scale(divisor: u64) -> usize {
    folded_bits(divisor) + remainder_bits(divisor)
}

/// Bits of the folded dividend times the reciprocal.
const fn scaled_bits(divisor: u64) -> usize {
    folded_bits(divisor) + scale(divisor) + 1
}

hdl_module! {
    /// Quotient and remainder of a 32-bit number by a constant of 1 to [`MAX_DIVISOR`].
    /// Combinational: two multiplications by constants deep, no storage.
    ///
    /// ```text
    ///             high x (65536 / d) -----------------------------------(+)--> quotient
    ///   dividend                                                         |
    ///             high x (65536 mod d) + low --> x ceil(2^s / d) >> s ---+
    ///             dividend - quotient x d --> remainder
    /// ```
    ///
    /// The upper half of the dividend is folded into the lower first (`65536 = a d + b`), so that
    /// the reciprocal needs 29 bits instead of 38 for divisors up to 64, and 33 for larger ones.
    ///
    /// # Panics
    /// The constructor, when the divisor is zero or larger than [`MAX_DIVISOR`].
    pub struct ConstantDivider (divisor: u64) combinational {
        inputs {
            /// The number to divide; always valid.
            dividend: Signal<In, U<32>>,
        }
        outputs {
            /// `dividend / divisor`, rounded down.
            quotient: Signal<Out, U<32>>,
            /// `dividend mod divisor`.
            remainder: Signal<Out, Word> = Signal::word(remainder_bits(divisor)),
        }
        locals {
            high: Signal<Local, U<32>>,
            low: Signal<Local, Word> = Signal::word(folded_bits(divisor)),
            high_rest: Signal<Local, Word> = Signal::word(folded_bits(divisor)),
            folded: Signal<Local, Word> = Signal::word(folded_bits(divisor)),
            scaled: Signal<Local, Word> = Signal::word(scaled_bits(divisor)),
            whole: Signal<Local, U<32>>,
            rest: Signal<Local, U<32>>,
        }
        constants {
            chunk: Constant<U<32>> = Constant::new(U::new(65_536 / checked(divisor))),
            chunk_rest: Constant<Word> =
                Constant::new(Word::new(folded_bits(divisor), 65_536 % divisor)),
            reciprocal: Constant<Word> = Constant::new(Word::new(
                scaled_bits(divisor),
                (1u64 << scale(divisor)).div_ceil(divisor)
            )),
            by: Constant<U<32>> = Constant::new(U::new(divisor)),
        }
        state {
            wide: bool = divisor > 64,
            folded_bits: usize = folded_bits(divisor),
            scaled_bits: usize = scaled_bits(divisor),
        }
    }
}

fn checked(divisor: u64) -> u64 {
    assert!((1..=MAX_DIVISOR).contains(&divisor), "divisor {divisor} is not in 1 to {MAX_DIVISOR}");
    divisor
}

/// The logic; a slice has a width that is written out, and so it is there once for each scale.
macro_rules! kernel {
    ($kernel:ident, $remainder:tt, $quotient:tt, $scale:tt) => {
        trait $kernel {
            fn update(&mut self);
            fn connect(&mut self);
            fn hdl(&self) -> Verilog;
        }

        impl $kernel for ConstantDivider {
            #[hdl_gen]
            fn update(&mut self) {
                self.high.next = bit_cast::<32, 16>(self.dividend.val().get_bits::<16>(16));
                self.low.next =
                    bit_cast_to(self.dividend.val().get_bits::<16>(0), self.folded_bits);
                self.high_rest.next = bit_cast_to(self.high.val(), self.folded_bits);
                self.folded.next = self.high_rest.val() * self.chunk_rest.val() + self.low.val();
                self.scaled.next =
                    bit_cast_to(self.folded.val(), self.scaled_bits) * self.reciprocal.val();
                self.whole.next = self.high.val() * self.chunk.val()
                    + bit_cast::<32, $quotient>(self.scaled.val().get_bits::<$quotient>($scale));
                self.quotient.next = self.whole.val();
                self.rest.next = self.dividend.val() - self.whole.val() * self.by.val();
                self.remainder.next = self.rest.val().get_bits::<$remainder>(0).into();
            }
        }
    };
}
kernel!(UpTo64, 6, 23, 28);
kernel!(Above64, 8, 25, 32);

impl Logic for ConstantDivider {
    fn update(&mut self) {
        if self.wide {
            Above64::update(self);
        } else {
            UpTo64::update(self);
        }
    }

    fn connect(&mut self) {
        if self.wide {
            Above64::connect(self);
        } else {
            UpTo64::connect(self);
        }
    }

    fn hdl(&self) -> Verilog {
        if self.wide {
            Above64::hdl(self)
        } else {
            UpTo64::hdl(self)
        }
    }
}
