//! Division by a number that is known long before: a multiplication costs a fraction of a division.

/// A divisor of numbers below 2^63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisor {
    divisor: u64,
    /// `2^(64 + shift) / divisor`, rounded up; 0 for a power of two, which needs only the shift.
    ///
    /// The product is too large by less than `number * divisor / 2^(64 + shift)` of one quotient,
    /// which is less than `1 / divisor` for every number below 2^63.
    reciprocal: u64,
    shift: u32,
}

impl Divisor {
    /// Divides by `divisor`.
    ///
    /// # Panics
    /// When `divisor` is 0, or at least 2^63.
    pub fn new(divisor: u64) -> Self {
        assert!((1..1 << 63).contains(&divisor));
        let shift = divisor.ilog2();
        let reciprocal = (1_u128 << (64 + shift)).div_ceil(u128::from(divisor)) as u64;
        Self { divisor, reciprocal: if divisor.is_power_of_two() { 0 } else { reciprocal }, shift }
    }

    /// The divisor.
    pub fn get(self) -> u64 {
        self.divisor
    }

    /// `number / divisor`, rounded down.
    #[inline(always)]
    pub fn divide(self, number: u64) -> u64 {
        debug_assert!(number < 1 << 63);
        let scaled = match self.reciprocal {
            0 => number,
            reciprocal => ((u128::from(number) * u128::from(reciprocal)) >> 64) as u64,
        };
        scaled >> self.shift
    }

    /// Quotient and remainder.
    #[inline(always)]
    pub fn split(self, number: u64) -> (u64, u64) {
        let quotient = self.divide(number);
        (quotient, number - quotient * self.divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quotients_are_exact_beside_every_multiple_up_to_the_largest_number() {
        let largest = (1_u64 << 63) - 1;
        for divisor in (1..300).chain([1300, 706_000, (1 << 32) + 1, (1 << 62) + 1, largest]) {
            let by = Divisor::new(divisor);
            let most = largest / divisor;
            for quotient in [0, 1, 2.min(most), 1000.min(most), most - 1, most] {
                let multiple = quotient * divisor;
                for number in [multiple.saturating_sub(1), multiple, (multiple + 1).min(largest)] {
                    let expected = (number / divisor, number % divisor);
                    assert_eq!(by.split(number), expected, "{number} / {divisor}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn quotients_are_those_of_a_division(divisor in 1_u64..1 << 63, number in 0_u64..1 << 63) {
            for divisor in [divisor, divisor >> 20 | 1, divisor >> 40 | 1, divisor >> 58 | 1] {
                let by = Divisor::new(divisor);
                prop_assert_eq!(by.split(number), (number / divisor, number % divisor));
            }
        }
    }
}
