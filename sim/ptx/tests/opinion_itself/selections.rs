//! Comparisons, selections, signs, and the lesser of two.

use super::*;

fn single(value: f32) -> u64 {
    u64::from(value.to_bits())
}

proptest! {
    #[test]
    fn floats_are_ordered_as_in_rust(a in bits("f32"), b in bits("f32")) {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let nan = x.is_nan() || y.is_nan();
        for (operator, holds) in [
            ("eq", x == y), ("lt", x < y), ("le", x <= y), ("gt", x > y), ("ge", x >= y),
            ("ne", x != y && !nan), ("neu", x != y), ("equ", x == y || nan),
            ("ltu", x < y || nan), ("leu", x <= y || nan), ("gtu", x > y || nan),
            ("geu", x >= y || nan), ("num", !nan), ("nan", nan),
        ] {
            let form = format!("setp.{operator}.f32");
            prop_assert_eq!(results(&form, &[a, b]), Some(vec![holds.into(), (!holds).into()]));
            let form = format!("set.{operator}.f32.f32");
            prop_assert_eq!(result(&form, &[a, b]), if holds { single(1.0) } else { 0 });
        }
    }

    #[test]
    fn the_lesser_is_that_of_ieee_754(a in bits("f64"), b in bits("f64")) {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        let expected = match (x.is_nan(), y.is_nan()) {
            (true, _) => y,
            (_, true) => x,
            _ => if x.total_cmp(&y).is_lt() { x } else { y },
        };
        prop_assert!(opinion::equal_bits("f64", result("min.f64", &[a, b]), expected.to_bits()));
        let negated = result("max.f64", &[a ^ 1 << 63, b ^ 1 << 63]);
        prop_assert!(opinion::equal_bits("f64", negated ^ 1 << 63, expected.to_bits()));
    }
}

#[test]
fn the_second_predicate_is_the_complement_combined_alike() {
    assert_eq!(results("setp.lt.and.s32", &[0xffff_ffff, 0, 1]), Some(vec![1, 0]));
    assert_eq!(results("setp.lt.and.s32", &[0xffff_ffff, 0, 0]), Some(vec![0, 0]));
    assert_eq!(results("setp.lt.or.u32", &[0xffff_ffff, 0, 1]), Some(vec![1, 1]));
    assert_eq!(results("setp.lo.xor.u32", &[0, 1, 1]), Some(vec![0, 1]));
    assert_eq!(results("setp.hs.u16", &[0xffff, 1]), Some(vec![1, 0]));
}

#[test]
fn subnormal_numbers_compare_as_zero_only_if_flushed() {
    assert_eq!(results("setp.gt.f32", &[1, 0]), Some(vec![1, 0]));
    assert_eq!(results("setp.gt.ftz.f32", &[1, 0]), Some(vec![0, 1]));
    assert_eq!(results("setp.eq.ftz.f32", &[1, 0x8000_0001]), Some(vec![1, 0]));
    assert_eq!(results("setp.gt.ftz.f64", &[1, 0]), None);
}

#[test]
fn halves_are_compared_one_by_one() {
    let (one, two, nan) = (0x3c00, 0x4000, 0x7e00);
    assert_eq!(results("setp.lt.f16", &[one, two]), Some(vec![1]));
    assert_eq!(results("setp.lt.f16x2", &[one << 16 | one, one << 16 | two]), Some(vec![1, 0]));
    assert_eq!(result("set.ltu.f16x2.f16x2", &[nan << 16 | one, one << 16 | one]), one << 16);
    assert_eq!(result("set.eq.u32.f16x2", &[nan << 16 | one, one << 16 | one]), 0xffff);
    assert_eq!(result("set.eq.u16.f16", &[one, one]), 0xffff);
    assert_eq!(result("set.eq.s32.f16", &[one, one]), 0xffff_ffff);
}

#[test]
fn selection_by_sign_takes_minus_zero_as_zero_and_a_nan_as_negative() {
    let choose = |form: &str, c: u64| result(form, &[10, 20, c]);
    assert_eq!(choose("slct.u32.f32", single(-0.0)), 10);
    assert_eq!(choose("slct.u32.f32", 0x7fc0_0000), 20);
    assert_eq!(choose("slct.u32.f32", 0x8000_0001), 20);
    assert_eq!(choose("slct.ftz.u32.f32", 0x8000_0001), 10);
    assert_eq!(choose("slct.b64.s32", 0x8000_0000), 20);
    assert_eq!(choose("slct.b64.s32", 0xffff_ffff_7fff_ffff), 10);
    assert_eq!(result("selp.f32", &[10, 20, 1]), 10);
    assert_eq!(result("selp.b16", &[0x1_000a, 0x1_0014, 0]), 0x14);
}

#[test]
fn the_lesser_of_a_number_and_a_nan_is_the_number_unless_asked() {
    let (one, nan) = (single(1.0), 0xffc0_0000);
    assert_eq!(result("min.f32", &[one, nan]), one);
    assert_eq!(result("max.f32", &[nan, one]), one);
    assert_eq!(result("min.f32", &[nan, nan]), 0x7fff_ffff);
    assert_eq!(result("min.NaN.f32", &[one, nan]), 0x7fff_ffff);
    assert_eq!(result("min.f32", &[0, single(-0.0)]), single(-0.0));
    assert_eq!(result("max.f32", &[single(-0.0), 0]), 0);
    assert_eq!(result("max.ftz.f32", &[0x8000_0001, 0x8000_0000]), 0x8000_0000);
    assert_eq!(result("min.xorsign.abs.f32", &[single(-2.0), one]), single(-1.0));
    assert_eq!(result("max.f32", &[one, single(3.0), single(2.0)]), single(3.0));
    assert_eq!(result("min.f16x2", &[0x3c00_7e00, 0x4000_4000]), 0x3c00_4000);
}

#[test]
fn signs_are_set_and_copied() {
    assert_eq!(result("abs.f32", &[single(-2.0)]), single(2.0));
    assert_eq!(result("neg.f32", &[0]), single(-0.0));
    assert_eq!(result("neg.ftz.f32", &[1]), single(-0.0));
    assert_eq!(result("neg.f16x2", &[0x3c00_bc00]), 0xbc00_3c00);
    assert_eq!(result("abs.f64", &[(-2f64).to_bits()]), 2f64.to_bits());
    assert_eq!(result("copysign.f32", &[single(-0.0), single(3.0)]), single(-3.0));
}

#[test]
fn zero_counts_as_a_normal_number() {
    for (bits, properties) in [
        (0, ["finite", "number", "normal"]),
        (1, ["finite", "number", "subnormal"]),
        (0x0080_0000, ["finite", "number", "normal"]),
        (0xff80_0000, ["infinite", "number", "number"]),
        (0x7f80_0001, ["notanumber", "notanumber", "notanumber"]),
    ] {
        for property in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
            let expected = properties.contains(&property);
            let got = result(&format!("testp.{property}.f32"), &[bits]);
            assert_eq!(got == 1, expected, "{property} {bits:x}");
        }
    }
}
