//! Division by a constant in one cycle.

use crate::hdl_module;
use crate::word::{bit_cast, U};
use rust_hdl::prelude::*;

/// The largest divisor.
pub const MAX_DIVISOR: u64 = 64;

/// Bits that the reciprocal is scaled by: those of the folded dividend and of the largest divisor,
/// which is what makes the quotient exact.
const SCALE: usize = 28;

hdl_module! {
    /// Quotient and remainder of a 32-bit number by a constant of 1 to [`MAX_DIVISOR`].
    /// Combinational: two multiplications by constants deep, no storage.
    ///
    /// ```text
    ///             high x (65536 / d) -----------------------------------(+)--> quotient
    ///   dividend                                                         |
    ///             high x (65536 mod d) + low --> x ceil(2^28 / d) >> 28 -+
    ///             dividend - quotient x d --> remainder
    /// ```
    ///
    /// The upper half of the dividend is folded into the lower first (`65536 = a d + b`), so that
    /// the reciprocal needs 29 bits instead of 38.
    ///
    /// # Panics
    /// The constructor, when the divisor is zero or larger than [`MAX_DIVISOR`].
    pub struct ConstantDivider [] [] (divisor: u64) combinational {
        inputs {
            /// The number to divide; always valid.
            dividend: Signal<In, U<32>>,
        }
        outputs {
            /// `dividend / divisor`, rounded down.
            quotient: Signal<Out, U<32>>,
            /// `dividend mod divisor`.
            remainder: Signal<Out, U<6>>,
        }
        locals {
            high: Signal<Local, U<32>>,
            low: Signal<Local, U<22>>,
            high_rest: Signal<Local, U<22>>,
            folded: Signal<Local, U<22>>,
            scaled: Signal<Local, U<51>>,
            whole: Signal<Local, U<32>>,
            rest: Signal<Local, U<32>>,
        }
        constants {
            chunk: Constant<U<32>> = Constant::new(U::new(65_536 / checked(divisor))),
            chunk_rest: Constant<U<22>> = Constant::new(U::new(65_536 % divisor)),
            reciprocal: Constant<U<51>> = Constant::new(U::new((1u64 << SCALE).div_ceil(divisor))),
            by: Constant<U<32>> = Constant::new(U::new(divisor)),
        }
    }
}

fn checked(divisor: u64) -> u64 {
    assert!((1..=MAX_DIVISOR).contains(&divisor), "divisor {divisor} is not in 1 to {MAX_DIVISOR}");
    divisor
}

impl Logic for ConstantDivider {
    #[hdl_gen]
    fn update(&mut self) {
        self.high.next = bit_cast::<32, 16>(self.dividend.val().get_bits::<16>(16));
        self.low.next = bit_cast::<22, 16>(self.dividend.val().get_bits::<16>(0));
        self.high_rest.next = bit_cast::<22, 32>(self.high.val());
        self.folded.next = self.high_rest.val() * self.chunk_rest.val() + self.low.val();
        self.scaled.next = bit_cast::<51, 22>(self.folded.val()) * self.reciprocal.val();
        self.whole.next = self.high.val() * self.chunk.val()
            + bit_cast::<32, 23>(self.scaled.val().get_bits::<23>(28));
        self.quotient.next = self.whole.val();
        self.rest.next = self.dividend.val() - self.whole.val() * self.by.val();
        self.remainder.next = self.rest.val().get_bits::<6>(0);
    }
}
