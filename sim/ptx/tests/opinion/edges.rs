//! Values at which instructions tend to go wrong.

use super::form::{ones, Form, Type};
use super::soft::Format;

/// Interesting values of a type, as raw bits: `"u32"`, `"f64"`, `"f16x2"`, `"pred"`; also
/// `"shift"`, for amounts, positions and lengths. Empty for a name that is none of these.
#[allow(dead_code)]
pub fn edges(kind: &str) -> Vec<u64> {
    if kind == "shift" {
        let mut amounts: Vec<u64> = (0..10).collect();
        amounts.extend([15, 16, 17, 23, 24, 30, 31, 32, 33, 47, 48, 49, 62, 63, 64, 65]);
        amounts.extend([127, 128, 254, 255, 256, 257, 0x1_0000, 0x7fff_ffff, 0x8000_0000]);
        amounts.extend([0x8000_001f, 0xffff_ff01, 0xffff_ffff]);
        return amounts;
    }
    match Form::new(&[kind], &[]).only_type() {
        Some(Type::Predicate) => vec![0, 1],
        Some(Type::Float(format)) => floats(format),
        Some(Type::Floats(format)) => pairs(&floats(format), format.width()),
        Some(Type::Halfwords(_)) => pairs(&integers(16), 16),
        Some(ty) => integers(ty.width()),
        None => Vec::new(),
    }
}

fn integers(width: u32) -> Vec<u64> {
    let mut values = vec![0, 1, 2, 3, 5, 7, 10, 0x55, 0x7f, 0x80, 0xff, 0xaaaa, 0x1234];
    for place in 0..width {
        // Around every power of two, and the negative ones.
        let power = 1u64 << place;
        values.extend([power - 1, power, power + 1, power.wrapping_neg(), !power]);
    }
    values.extend([u64::MAX, u64::MAX - 1, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]);
    values.extend([0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa, 0xdead_beef_cafe_f00d]);
    distinct(values.into_iter().map(|value| value & ones(width)).collect())
}

fn floats(format: Format) -> Vec<u64> {
    let normal = 1 << format.fraction;
    let (one, infinity) = (format.one(), format.infinity());
    // Zero, the subnormal ones, the smallest normal one; the largest; NaNs, signalling and not.
    let mut values = vec![0, 1, 2, 3, normal / 2, normal - 2, normal - 1, normal, normal + 1];
    values.extend([2 * normal - 1, 2 * normal, infinity - normal, infinity - 2, infinity - 1]);
    values.extend([infinity, infinity + 1, infinity + normal / 2, format.nan()]);
    values.extend([one - 2, one - 1, one, one + 1, one + 2, one + normal / 2, one + normal - 1]);
    // Powers of two at which integers and other floats end: 2^-24, 2^7, 2^8, 2^15, ...
    let bias = (one >> format.fraction) as i64;
    let powers = [-150, -149, -126, -75, -25, -24, -14, -2, -1, 1, 2, 7, 8, 11, 15, 16, 23, 24];
    let more = [31, 32, 52, 53, 63, 64, 100, 126, 127, 128];
    for power in powers.into_iter().chain(more) {
        let exponent = bias + power;
        if exponent > 0 && (exponent as u64) << format.fraction < infinity {
            let bits = (exponent as u64) << format.fraction;
            values.extend([bits - 1, bits, bits + 1, bits + normal / 2]);
        }
    }
    // 2.5, 3.5, 1/3 and pi, about.
    values.extend([one + normal + normal / 4, one + normal + 3 * (normal / 4)]);
    values.extend([one - 2 * normal + normal / 3, one + normal + normal * 57 / 100]);
    let negative: Vec<u64> = values.iter().map(|value| value | format.sign()).collect();
    values.extend(negative);
    distinct(values)
}

/// Each with the one before it, with itself, and with one from far away.
fn pairs(values: &[u64], width: u32) -> Vec<u64> {
    let turned = |by: usize| values.iter().cycle().skip(by).zip(values);
    let all = [0, 1, values.len() / 2 + 1].into_iter().flat_map(turned);
    distinct(all.map(|(above, below)| above << width | below).collect())
}

fn distinct(mut values: Vec<u64>) -> Vec<u64> {
    values.sort_unstable();
    values.dedup();
    values
}
