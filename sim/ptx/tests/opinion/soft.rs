//! Floats taken apart into exact numbers, and exact numbers rounded once into floats.

use super::natural::Natural;

/// A binary format of IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction.
    pub fraction: u32,
}

impl Format {
    /// `.f16`
    pub const HALF: Self = Self { exponent: 5, fraction: 10 };
    /// `.bf16`
    pub const BRAIN: Self = Self { exponent: 8, fraction: 7 };
    /// `.f32`
    pub const SINGLE: Self = Self { exponent: 8, fraction: 23 };
    /// `.f64`
    pub const DOUBLE: Self = Self { exponent: 11, fraction: 52 };

    /// Bits of a value.
    pub fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The exponent of the smallest normal number.
    fn lowest(self) -> i64 {
        2 - (1 << (self.exponent - 1))
    }

    /// The bit of the sign.
    pub fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// Plus infinity: all ones in the exponent.
    pub fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The NaN that operations give: 0x7fffffff for `.f32`, 0x7fff for `.f16`. For `.f64` the
    /// payload is not stated.
    pub fn nan(self) -> u64 {
        self.sign() - 1
    }

    /// 1.0
    pub fn one(self) -> u64 {
        ((1 << (self.exponent - 1)) - 1) << self.fraction
    }

    /// The bits without the sign, and without what stands above the format's width.
    pub fn magnitude(self, bits: u64) -> u64 {
        bits & (self.sign() - 1)
    }

    /// Whether the sign is set.
    pub fn is_negative(self, bits: u64) -> bool {
        bits & self.sign() != 0
    }

    /// Whether the bits stand for no number.
    pub fn is_nan(self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity()
    }

    /// Whether the bits stand for plus or minus infinity.
    pub fn is_infinite(self, bits: u64) -> bool {
        self.magnitude(bits) == self.infinity()
    }

    /// Whether the bits stand for plus or minus zero.
    pub fn is_zero(self, bits: u64) -> bool {
        self.magnitude(bits) == 0
    }

    /// Whether the bits stand for a number below the normal ones, but not zero.
    pub fn is_subnormal(self, bits: u64) -> bool {
        !self.is_zero(bits) && self.magnitude(bits) < 1 << self.fraction
    }

    /// A subnormal number as zero of the same sign.
    pub fn flushed(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) {
            bits & self.sign()
        } else {
            bits & (self.sign() | (self.sign() - 1))
        }
    }

    /// The number that finite bits stand for; `None` for infinities and NaNs.
    pub fn exact(self, bits: u64) -> Option<Exact> {
        let magnitude = self.magnitude(bits);
        let exponent = magnitude >> self.fraction;
        let fraction = magnitude & ((1 << self.fraction) - 1);
        if magnitude >= self.infinity() {
            return None;
        }
        // value = 1.fraction * 2^(exponent - bias), or 0.fraction * 2^lowest if the exponent is 0.
        let (whole, power) = if exponent == 0 {
            (fraction, self.lowest())
        } else {
            (fraction + (1 << self.fraction), self.lowest() + exponent as i64 - 1)
        };
        let negative = self.is_negative(bits);
        Some(Exact::new(negative, u128::from(whole), power - i64::from(self.fraction)))
    }

    /// The float next to an exact number in that direction.
    pub fn round(self, number: &Exact, rounding: Rounding) -> u64 {
        let sign = if number.negative { self.sign() } else { 0 };
        if number.whole.is_zero() {
            return sign;
        }
        // The power of two of the last place that the result has.
        let leading = number.power + number.whole.length() - 1;
        let unit = leading.max(self.lowest()) - i64::from(self.fraction);
        let whole = number.in_units(unit, rounding);
        let mut whole =
            whole.small().expect("it has one bit more than the fraction at most") as u64;
        let mut unit = unit;
        if whole == 2 << self.fraction {
            whole >>= 1;
            unit += 1;
        }
        if whole < 1 << self.fraction {
            return sign | whole;
        }
        let exponent = unit + i64::from(self.fraction) - self.lowest() + 1;
        if exponent >= (1 << self.exponent) - 1 {
            return sign | self.overflow(number.negative, rounding);
        }
        sign | (exponent as u64) << self.fraction | (whole - (1 << self.fraction))
    }

    fn overflow(self, negative: bool, rounding: Rounding) -> u64 {
        let away = match rounding {
            Rounding::Nearest => true,
            Rounding::Zero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        };
        if away {
            self.infinity()
        } else {
            self.infinity() - 1
        }
    }
}

/// `.rn`, `.rz`, `.rm`, `.rp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, to the even one of two.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// A number, exactly: `whole * 2^power`, negative or not. Zero has a sign too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Whether it is less than zero, or minus zero.
    pub negative: bool,
    /// The bits from its first one on.
    pub whole: Natural,
    /// What their last is worth, as power of two.
    pub power: i64,
}

impl Exact {
    /// `whole * 2^power`
    pub fn new(negative: bool, whole: u128, power: i64) -> Self {
        Self { negative, whole: Natural::from(whole), power }
    }

    /// A whole number.
    pub fn integer(value: i128) -> Self {
        Self::new(value < 0, value.unsigned_abs(), 0)
    }

    /// Its magnitude in units of `2^unit`, rounded to a whole number of them.
    pub fn in_units(&self, unit: i64, rounding: Rounding) -> Natural {
        if self.power >= unit {
            return self.whole.up((self.power - unit) as usize);
        }
        let lost = (unit - self.power) as usize;
        let kept = self.whole.down(lost);
        let half = self.whole.bit(lost - 1);
        let rest = self.whole.any_below(lost - 1);
        let away = match rounding {
            Rounding::Nearest => half && (rest || kept.bit(0)),
            Rounding::Zero => false,
            Rounding::Down => self.negative && (half || rest),
            Rounding::Up => !self.negative && (half || rest),
        };
        if away {
            kept.plus(&Natural::from(1))
        } else {
            kept
        }
    }
}
