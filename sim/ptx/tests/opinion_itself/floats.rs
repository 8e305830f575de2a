//! Rounded arithmetic.

use super::opinion::equal_bits;
use super::*;

fn single(value: f32) -> u64 {
    u64::from(value.to_bits())
}

fn of_single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn nearest_singles_are_those_of_rust(a in bits("f32"), b in bits("f32"), c in bits("f32")) {
        let (x, y, z) = (of_single(a), of_single(b), of_single(c));
        let is = |form: &str, operands: &[u64], expected: f32| {
            let got = result(form, operands);
            assert!(equal_bits("f32", got, single(expected)), "{form} {operands:x?}: {got:x}");
        };
        is("add.rn.f32", &[a, b], x + y);
        is("sub.f32", &[a, b], x - y);
        is("mul.rn.f32", &[a, b], x * y);
        is("div.rn.f32", &[a, b], x / y);
        is("rcp.rn.f32", &[a], 1.0 / x);
        is("sqrt.rn.f32", &[a], x.sqrt());
        is("fma.rn.f32", &[a, b, c], x.mul_add(y, z));
        is("mad.f32", &[a, b, c], x.mul_add(y, z));
    }

    #[test]
    fn nearest_doubles_are_those_of_rust(a in bits("f64"), b in bits("f64"), c in bits("f64")) {
        let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
        let is = |form: &str, operands: &[u64], expected: f64| {
            let got = result(form, operands);
            assert!(equal_bits("f64", got, expected.to_bits()), "{form} {operands:x?}: {got:x}");
        };
        is("add.rn.f64", &[a, b], x + y);
        is("sub.f64", &[a, b], x - y);
        is("mul.rn.f64", &[a, b], x * y);
        is("div.rn.f64", &[a, b], x / y);
        is("rcp.rn.f64", &[a], 1.0 / x);
        is("sqrt.rn.f64", &[a], x.sqrt());
        is("fma.rn.f64", &[a, b, c], x.mul_add(y, z));
    }

    /// A product of singles is a double, exactly: the bounds can be seen in doubles.
    #[test]
    fn a_directed_product_is_the_next_single_in_its_direction(a in bits("f32"), b in bits("f32")) {
        let exact = f64::from(of_single(a)) * f64::from(of_single(b));
        if !exact.is_finite() {
            return Ok(());
        }
        let down = of_single(result("mul.rm.f32", &[a, b]));
        prop_assert!(f64::from(down) <= exact && f64::from(down.next_up()) > exact);
        let up = of_single(result("mul.rp.f32", &[a, b]));
        prop_assert!(f64::from(up) >= exact && f64::from(up.next_down()) < exact);
        let zero = result("mul.rz.f32", &[a, b]);
        prop_assert_eq!(zero, single(if exact.is_sign_negative() { up } else { down }));
    }

    /// Down and up are the same where nothing is lost, else neighbours; nearest is one of them.
    #[test]
    fn directions_enclose_the_nearest(
        a in bits("f32"),
        b in bits("f32"),
        c in bits("f32"),
        which in 0usize..6,
    ) {
        let (name, count) =
            [("add", 2), ("sub", 2), ("div", 2), ("rcp", 1), ("sqrt", 1), ("fma", 3)][which];
        let operands = &[a, b, c][..count];
        let in_direction = |to: &str| of_single(result(&format!("{name}.{to}.f32"), operands));
        let (near, zero) = (in_direction("rn"), in_direction("rz"));
        let (down, up) = (in_direction("rm"), in_direction("rp"));
        if near.is_nan() {
            prop_assert!(down.is_nan() && up.is_nan() && zero.is_nan());
            return Ok(());
        }
        prop_assert!(down == up || down.next_up() == up, "{down:e} {up:e}");
        prop_assert!(near == down || near == up);
        prop_assert_eq!(zero, if down < 0.0 || up < 0.0 { up } else { down });
    }

    /// Doubles have room for a sum of two halves, and for their product, without loss.
    #[test]
    fn halves_are_rounded_once(a in bits("f16"), b in bits("f16"), c in bits("f16")) {
        let widen = |bits: u64| f64::from_bits(result("cvt.f64.f16", &[bits]));
        let round = |value: f64| result("cvt.rn.f16.f64", &[value.to_bits()]);
        let (x, y, z) = (widen(a), widen(b), widen(c));
        prop_assert!(equal_bits("f16", result("add.f16", &[a, b]), round(x + y)));
        prop_assert!(equal_bits("f16", result("sub.rn.f16", &[a, b]), round(x - y)));
        prop_assert!(equal_bits("f16", result("mul.f16", &[a, b]), round(x * y)));
        let product = x * y;
        if (product + z) - product == z && (product + z) - z == product {
            prop_assert!(equal_bits("f16", result("fma.rn.f16", &[a, b, c]), round(product + z)));
        }
        let pair = result("mul.f16x2", &[(a & 0xffff) << 16 | b & 0xffff, 0x3c00_bc00]);
        let parts = (a & 0xffff) << 16 | (b ^ 0x8000) & 0xffff;
        prop_assert!(equal_bits("f16x2", pair, parts));
    }

    #[test]
    fn flushing_is_of_operands_and_results(a in bits("f32"), b in bits("f32"), c in bits("f32")) {
        let flush = |bits: u64| {
            let value = of_single(bits);
            single(if value.is_subnormal() { 0f32.copysign(value) } else { value })
        };
        for name in ["add", "sub", "mul", "div.rn", "fma.rz"] {
            let count = if name == "fma.rz" { 3 } else { 2 };
            let flushed = [a, b, c].map(flush);
            let expected = flush(result(&format!("{name}.f32"), &flushed[..count]));
            let got = result(&format!("{name}.ftz.f32"), &[a, b, c][..count]);
            prop_assert!(equal_bits("f32", got, expected));
        }
    }

    #[test]
    fn saturation_ends_at_zero_and_one(a in bits("f32"), b in bits("f32")) {
        let got = of_single(result("mul.sat.f32", &[a, b]));
        let product = of_single(a) * of_single(b);
        prop_assert!((0.0..=1.0).contains(&got) && got.is_sign_positive());
        prop_assert_eq!(got, if product > 0.0 { product.min(1.0) } else { 0.0 });
    }
}

#[test]
fn a_nan_of_a_single_is_the_canonical_one() {
    assert_eq!(result("add.f32", &[0x7f80_0000, 0xff80_0000]), 0x7fff_ffff);
    assert_eq!(result("mul.f32", &[0x7f80_0000, 0]), 0x7fff_ffff);
    assert_eq!(result("fma.rn.f32", &[0x7f80_0001, 0, 0]), 0x7fff_ffff);
    assert_eq!(result("sqrt.rn.f32", &[single(-1.0)]), 0x7fff_ffff);
    assert_eq!(result("div.rn.f32", &[0, 0]), 0x7fff_ffff);
}

#[test]
fn an_exact_zero_is_negative_only_towards_minus_infinity() {
    let (one, minus) = (single(1.0), single(-1.0));
    for (to, expected) in [("rn", 0), ("rz", 0), ("rp", 0), ("rm", single(-0.0))] {
        assert_eq!(result(&format!("add.{to}.f32"), &[one, minus]), expected);
        assert_eq!(result(&format!("fma.{to}.f32"), &[one, one, minus]), expected);
        assert_eq!(result(&format!("add.{to}.f32"), &[single(-0.0), single(-0.0)]), single(-0.0));
    }
}

#[test]
fn an_overflow_ends_at_infinity_or_the_largest_number() {
    let most = single(f32::MAX);
    let infinity = single(f32::INFINITY);
    for (to, above, below) in [
        ("rn", infinity, infinity),
        ("rz", most, most),
        ("rm", most, infinity),
        ("rp", infinity, most),
    ] {
        let form = format!("add.{to}.f32");
        assert_eq!(result(&form, &[most, most]), above);
        let sign = 0x8000_0000;
        assert_eq!(result(&form, &[most | sign, most | sign]), below | sign);
    }
    // Half a unit in the last place above the largest: to infinity; below that: not.
    assert_eq!(result("add.rn.f32", &[most, single(2f32.powi(103))]), infinity);
    assert_eq!(result("add.rn.f32", &[most, single(2f32.powi(103).next_down())]), most);
}

#[test]
fn what_is_lost_below_the_smallest_number_has_a_direction() {
    let (tiny, half) = (1, single(0.5));
    for (to, expected) in [("rn", 0), ("rz", 0), ("rm", 0), ("rp", 1)] {
        assert_eq!(result(&format!("mul.{to}.f32"), &[tiny, half]), expected);
    }
    for (to, expected) in [("rn", 2), ("rz", 1), ("rm", 1), ("rp", 2)] {
        assert_eq!(result(&format!("mul.{to}.f32"), &[3, half]), expected);
    }
}

#[test]
fn a_result_that_rounds_up_to_the_smallest_normal_number_is_not_flushed() {
    let just_below_two = single(2f32.next_down());
    let small = single(2f32.powi(-127));
    assert_eq!(result("mul.f32", &[just_below_two, small]), 0x0080_0000);
    // As an operand, the same is subnormal.
    assert_eq!(result("mul.ftz.f32", &[just_below_two, small]), 0);
    let (low, high) = (single(2f32.powi(-126)), single(1f32.next_down()));
    assert_eq!(result("mul.ftz.f32", &[low, high]), 0x0080_0000);
    assert_eq!(result("mul.rz.ftz.f32", &[low, high]), 0);
}

#[test]
fn only_a_fused_product_keeps_its_low_bits() {
    let x = single(1.0 + f32::EPSILON);
    let square = result("mul.rn.f32", &[x, x]);
    let lost = result("fma.rn.f32", &[x, x, square ^ 0x8000_0000]);
    assert_eq!(lost, single(f32::EPSILON * f32::EPSILON));
    assert_eq!(result("add.rn.f32", &[square, square ^ 0x8000_0000]), 0);
}

#[test]
fn singles_in_pairs_stay_apart() {
    let pair = |low: f32, high: f32| single(high) << 32 | single(low);
    assert_eq!(result("add.f32x2", &[pair(1.0, 2.0), pair(3.0, 5.0)]), pair(4.0, 7.0));
    assert_eq!(
        result("fma.rn.f32x2", &[pair(1.0, 2.0), pair(3.0, 5.0), pair(1.0, -1.0)]),
        pair(4.0, 9.0)
    );
}
