//! `cvt`.

use super::opinion::equal_bits;
use super::*;

fn single(value: f32) -> u64 {
    u64::from(value.to_bits())
}

proptest! {
    #[test]
    fn integers_become_the_nearest_float(a in bits("u64")) {
        prop_assert_eq!(result("cvt.rn.f32.u64", &[a]), single(a as f32));
        prop_assert_eq!(result("cvt.rn.f32.s64", &[a]), single(a as i64 as f32));
        prop_assert_eq!(result("cvt.rn.f32.s32", &[a]), single(a as i32 as f32));
        prop_assert_eq!(result("cvt.rn.f32.u8", &[a]), single(f32::from(a as u8)));
        prop_assert_eq!(result("cvt.rn.f64.u64", &[a]), (a as f64).to_bits());
        prop_assert_eq!(result("cvt.rn.f64.s64", &[a]), (a as i64 as f64).to_bits());
        prop_assert_eq!(result("cvt.rn.f64.s16", &[a]), f64::from(a as i16).to_bits());
    }

    #[test]
    fn floats_become_integers_clamped(a in bits("f32"), b in bits("f64")) {
        let (x, y) = (f32::from_bits(a as u32), f64::from_bits(b));
        prop_assert_eq!(result("cvt.rzi.s32.f32", &[a]), u64::from(x as i32 as u32));
        prop_assert_eq!(result("cvt.rzi.u8.f32", &[a]), u64::from(x as u8));
        let even = x.round_ties_even() as i16 as u16;
        prop_assert_eq!(result("cvt.rni.s16.f32", &[a]), u64::from(even));
        prop_assert_eq!(result("cvt.rmi.s32.f32", &[a]), u64::from(x.floor() as i32 as u32));
        prop_assert_eq!(result("cvt.rpi.u32.f32", &[a]), u64::from(x.ceil() as u32));
        if !x.is_nan() {
            prop_assert_eq!(result("cvt.rzi.s64.f32", &[a]), x as i64 as u64);
            prop_assert_eq!(result("cvt.rni.u64.f32", &[a]), x.round_ties_even() as u64);
        }
        if !y.is_nan() {
            prop_assert_eq!(result("cvt.rzi.u64.f64", &[b]), y as u64);
            prop_assert_eq!(result("cvt.rni.s64.f64", &[b]), y.round_ties_even() as i64 as u64);
            prop_assert_eq!(result("cvt.rmi.u32.f64", &[b]), u64::from(y.floor() as u32));
        }
    }

    #[test]
    fn floats_become_floats(a in bits("f32"), b in bits("f64")) {
        let (x, y) = (f32::from_bits(a as u32), f64::from_bits(b));
        prop_assert!(equal_bits("f64", result("cvt.f64.f32", &[a]), f64::from(x).to_bits()));
        prop_assert!(equal_bits("f32", result("cvt.rn.f32.f64", &[b]), single(y as f32)));
        let even = single(x.round_ties_even());
        prop_assert!(equal_bits("f32", result("cvt.rni.f32.f32", &[a]), even));
        prop_assert!(equal_bits("f32", result("cvt.rzi.f32.f32", &[a]), single(x.trunc())));
        prop_assert!(equal_bits("f64", result("cvt.rmi.f64.f64", &[b]), y.floor().to_bits()));
        prop_assert!(equal_bits("f64", result("cvt.rpi.f64.f64", &[b]), y.ceil().to_bits()));
    }

    /// No half is nearer than the one that is taken; of two as near, it is the even one.
    #[test]
    fn a_single_becomes_the_nearest_half(a in bits("f32")) {
        let exact = f64::from(f32::from_bits(a as u32));
        if exact.is_nan() || exact.abs() >= 65504.0 {
            return Ok(());
        }
        let half = result("cvt.rn.f16.f32", &[a]);
        let off = |bits: u64| (f64::from_bits(result("cvt.f64.f16", &[bits])) - exact).abs();
        let neighbours = if half & 0x7fff == 0 { vec![half + 1] } else { vec![half - 1, half + 1] };
        for other in neighbours {
            prop_assert!(off(half) < off(other) || (off(half) == off(other) && half & 1 == 0));
        }
        prop_assert_eq!(half >> 15, u64::from(exact.is_sign_negative()));
    }

    #[test]
    fn integers_become_integers(a in bits("u64")) {
        prop_assert_eq!(result("cvt.u32.s8", &[a]), u64::from(a as i8 as u32));
        prop_assert_eq!(result("cvt.s64.s32", &[a]), a as i32 as u64);
        prop_assert_eq!(result("cvt.u64.u16", &[a]), u64::from(a as u16));
        prop_assert_eq!(result("cvt.s8.s64", &[a]), u64::from(a as u8));
        prop_assert_eq!(result("cvt.sat.u8.s32", &[a]), (a as i32).clamp(0, 255) as u64);
        let clamped = (a as i32).clamp(-128, 127) as u8;
        prop_assert_eq!(result("cvt.sat.s8.s32", &[a]), u64::from(clamped));
        prop_assert_eq!(result("cvt.sat.s64.u64", &[a]), a.min(i64::MAX as u64));
    }
}

#[test]
fn every_half_has_the_value_of_its_formula() {
    for bits in 0..0x1_0000u64 {
        let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
        let magnitude = match exponent {
            0 => fraction * 2f64.powi(-24),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
        };
        let value = if bits >> 15 == 1 { -magnitude } else { magnitude };
        let wide = result("cvt.f64.f16", &[bits]);
        assert!(equal_bits("f64", wide, value.to_bits()), "{bits:x}");
        for form in ["cvt.rn.f16.f64", "cvt.rz.f16.f64", "cvt.rp.f16.f64"] {
            assert!(equal_bits("f16", result(form, &[wide]), bits), "{form} {bits:x}");
        }
    }
}

/// "Zero if source is not .f64 and destination is not .s64, .u64; otherwise the highest bit".
#[test]
fn a_nan_becomes_zero_or_the_highest_bit() {
    let (single, double, half) = (0x7fc0_0000, f64::NAN.to_bits(), 0x7e00);
    assert_eq!(result("cvt.rzi.s32.f32", &[single]), 0);
    assert_eq!(result("cvt.rzi.u16.f16", &[half]), 0);
    assert_eq!(result("cvt.rzi.s64.f32", &[single]), 1 << 63);
    assert_eq!(result("cvt.rzi.u64.f16", &[half]), 1 << 63);
    assert_eq!(result("cvt.rzi.s32.f64", &[double]), 1 << 31);
    assert_eq!(result("cvt.rzi.u32.f64", &[double]), 1 << 31);
    assert_eq!(result("cvt.rzi.u8.f64", &[double]), 1 << 7);
}

#[test]
fn only_singles_are_flushed() {
    assert_eq!(result("cvt.rpi.s32.f32", &[1]), 1);
    assert_eq!(result("cvt.rpi.ftz.s32.f32", &[1]), 0);
    assert_eq!(result("cvt.rmi.s32.f32", &[0x8000_0001]), 0xffff_ffff);
    assert_eq!(result("cvt.ftz.f64.f32", &[0x8000_0001]), (-0f64).to_bits());
    let tiny = 2f64.powi(-130).to_bits();
    assert_eq!(result("cvt.rn.f32.f64", &[tiny]), 1 << 19);
    assert_eq!(result("cvt.rn.ftz.f32.f64", &[tiny]), 0);
    let half = single(2f32.powi(-20));
    assert_eq!(result("cvt.rn.ftz.f16.f32", &[half]), 1 << 4);
    assert_eq!(result("cvt.ftz.f32.f16", &[1]), single(2f32.powi(-24)));
}

#[test]
fn directions_and_saturation_apply_to_conversions() {
    assert_eq!(result("cvt.rz.f32.u32", &[0xffff_ffff]), single(4294967040.0));
    assert_eq!(result("cvt.rp.f32.u32", &[0xffff_ffff]), single(4294967296.0));
    assert_eq!(result("cvt.rm.f32.s32", &[0x8000_0001]), single(-2147483648.0));
    assert_eq!(result("cvt.rn.f16.u32", &[0xffff_ffff]), 0x7c00);
    assert_eq!(result("cvt.rz.f16.u32", &[0xffff_ffff]), 0x7bff);
    assert_eq!(result("cvt.sat.f32.f32", &[single(-2.0)]), 0);
    assert_eq!(result("cvt.sat.f32.f32", &[0x7fc0_0000]), 0);
    assert_eq!(result("cvt.rn.sat.f32.s32", &[5]), single(1.0));
    assert_eq!(result("cvt.rzi.sat.u8.f32", &[single(300.0)]), 255);
    assert_eq!(result("cvt.rni.f32.f32", &[single(-0.5)]), single(-0.0));
    assert_eq!(result("cvt.rn.f16x2.f32", &[single(1.0), single(-2.0)]), 0x3c00_c000);
    assert_eq!(result("cvt.rn.bf16.f32", &[0x3f80_8000]), 0x3f80);
    assert_eq!(result("cvt.rn.bf16.f32", &[0x3f81_8000]), 0x3f82);
    assert_eq!(result("cvt.f32.bf16", &[0x3f82]), 0x3f82_0000);
}
