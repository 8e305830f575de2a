//! Sums, products, quotients and roots of floats: exact, then rounded once.

use std::cmp::Ordering;

use super::soft::{Exact, Format, Rounding};

/// `a * b + c`
pub fn fused(format: Format, rounding: Rounding, [a, b, c]: [u64; 3]) -> u64 {
    let negative = format.is_negative(a) != format.is_negative(b);
    let infinite = format.is_infinite(a) || format.is_infinite(b);
    let invalid = infinite && (format.is_zero(a) || format.is_zero(b));
    if invalid || [a, b, c].iter().any(|bits| format.is_nan(*bits)) {
        return format.nan();
    }
    if infinite {
        let against = format.is_infinite(c) && format.is_negative(c) != negative;
        return if against { format.nan() } else { signed(format, negative, format.infinity()) };
    }
    match product(format, a, b) {
        Some(product) => sum(format, rounding, &product, c),
        None => format.nan(),
    }
}

/// `a * b`
pub fn times(format: Format, rounding: Rounding, a: u64, b: u64) -> u64 {
    let negative = format.is_negative(a) != format.is_negative(b);
    let infinite = format.is_infinite(a) || format.is_infinite(b);
    let invalid = infinite && (format.is_zero(a) || format.is_zero(b));
    if invalid || format.is_nan(a) || format.is_nan(b) {
        return format.nan();
    }
    if infinite {
        return signed(format, negative, format.infinity());
    }
    product(format, a, b).map_or(format.nan(), |product| format.round(&product, rounding))
}

/// `a + b`
pub fn plus(format: Format, rounding: Rounding, a: u64, b: u64) -> u64 {
    let against = format.is_negative(a) != format.is_negative(b);
    let invalid = format.is_infinite(a) && format.is_infinite(b) && against;
    if invalid || format.is_nan(a) || format.is_nan(b) {
        return format.nan();
    }
    match format.exact(a) {
        Some(exact) => sum(format, rounding, &exact, b),
        None => signed(format, format.is_negative(a), format.infinity()),
    }
}

/// `a / b`
pub fn over(format: Format, rounding: Rounding, a: u64, b: u64) -> u64 {
    let negative = format.is_negative(a) != format.is_negative(b);
    let both_zero = format.is_zero(a) && format.is_zero(b);
    let both_infinite = format.is_infinite(a) && format.is_infinite(b);
    if both_zero || both_infinite || format.is_nan(a) || format.is_nan(b) {
        return format.nan();
    }
    if format.is_infinite(a) || format.is_zero(b) {
        return signed(format, negative, format.infinity());
    }
    if format.is_infinite(b) || format.is_zero(a) {
        return signed(format, negative, 0);
    }
    let (Some((a, above)), Some((b, below))) = (parts(format, a), parts(format, b)) else {
        return format.nan();
    };
    // Both have their first one at bit 52, so that the quotient has 70 or 71 bits: more than any
    // format keeps. What remains is worth less than its last bit, and stands as one more bit.
    let (quotient, remainder) = ((a << 70) / b, (a << 70) % b);
    let whole = quotient * 2 + u128::from(remainder != 0);
    format.round(&Exact::new(negative, whole, above - below - 71), rounding)
}

/// The square root.
pub fn root(format: Format, rounding: Rounding, a: u64) -> u64 {
    if format.is_nan(a) || (format.is_negative(a) && !format.is_zero(a)) {
        return format.nan();
    }
    if format.is_zero(a) || format.is_infinite(a) {
        return a & (format.sign() | (format.sign() - 1));
    }
    let Some((whole, power)) = parts(format, a) else { return format.nan() };
    // An even power of two, and enough bits: 53 + 66 or 67, so that the root has 60 of them.
    let places = 66 + (power.rem_euclid(2));
    let square = whole << places;
    let root = square.isqrt();
    let whole = root * 2 + u128::from(root * root != square);
    format.round(&Exact::new(false, whole, (power - places) / 2 - 1), rounding)
}

fn signed(format: Format, negative: bool, magnitude: u64) -> u64 {
    magnitude | if negative { format.sign() } else { 0 }
}

/// A finite number but zero as `whole * 2^power`, with the first one of `whole` at bit 52.
fn parts(format: Format, bits: u64) -> Option<(u128, i64)> {
    let exact = format.exact(bits)?;
    let places = 53 - exact.whole.length();
    Some((exact.whole.small()? << places, exact.power - places))
}

fn product(format: Format, a: u64, b: u64) -> Option<Exact> {
    let (a, b) = (format.exact(a)?, format.exact(b)?);
    let whole = a.whole.small()? * b.whole.small()?;
    Some(Exact::new(a.negative != b.negative, whole, a.power + b.power))
}

/// A number and a float that is no NaN.
fn sum(format: Format, rounding: Rounding, a: &Exact, bits: u64) -> u64 {
    let Some(b) = format.exact(bits) else {
        return signed(format, format.is_negative(bits), format.infinity());
    };
    let power = a.power.min(b.power);
    let a_whole = a.whole.up((a.power - power) as usize);
    let b_whole = b.whole.up((b.power - power) as usize);
    let (negative, whole) = if a.negative == b.negative {
        (a.negative, a_whole.plus(&b_whole))
    } else {
        match a_whole.compare(&b_whole) {
            Ordering::Greater => (a.negative, a_whole.minus(&b_whole)),
            Ordering::Less => (b.negative, b_whole.minus(&a_whole)),
            // IEEE 754, 6.3: +0 in all directions but towards minus infinity.
            Ordering::Equal => (rounding == Rounding::Down, a_whole.minus(&b_whole)),
        }
    };
    format.round(&Exact { negative, whole, power }, rounding)
}
