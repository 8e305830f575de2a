//! Approximations and how far off they may be.

use super::opinion::{allows, tolerance, Tolerance};
use super::*;

fn single(value: f32) -> u64 {
    u64::from(value.to_bits())
}

const UNARY: [&str; 8] = ["rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"];

proptest! {
    #[test]
    fn an_opinion_is_within_its_own_tolerance(a in bits("f32"), b in bits("f32")) {
        for opcode in UNARY {
            let got = result(&format!("{opcode}.approx.f32"), &[a]);
            let allowed = allows(opcode, &["approx", "f32"], &[a], got);
            prop_assert_eq!(allowed, Some(true), "{} {:x}: {:x}", opcode, a, got);
            if opcode != "tanh" {
                let got = result(&format!("{opcode}.approx.ftz.f32"), &[a]);
                let allowed = allows(opcode, &["approx", "ftz", "f32"], &[a], got);
                prop_assert_eq!(allowed, Some(true), "{} {:x}: {:x}", opcode, a, got);
            }
        }
        for how in ["approx", "full"] {
            let got = result(&format!("div.{how}.f32"), &[a, b]);
            prop_assert_eq!(allows("div", &[how, "f32"], &[a, b], got), Some(true));
        }
    }

    #[test]
    fn an_opinion_of_doubles_is_within_its_own_tolerance(a in bits("f64")) {
        for (opcode, modifiers) in [
            ("rsqrt", &["approx", "f64"][..]),
            ("rsqrt", &["approx", "ftz", "f64"]),
            ("rcp", &["approx", "ftz", "f64"]),
        ] {
            let got = opinion::opinion(opcode, modifiers, &[a]).unwrap()[0];
            prop_assert_eq!(allows(opcode, modifiers, &[a], got), Some(true), "{} {:x}", opcode, a);
        }
    }
}

#[test]
fn corner_cases_are_those_of_the_manuals_tables() {
    let (zero, minus_zero, nan) = (0, single(-0.0), 0x7fff_ffff);
    let (infinity, minus_infinity) = (single(f32::INFINITY), single(f32::NEG_INFINITY));
    let (one, minus_one) = (single(1.0), single(-1.0));
    // Of -Inf, -1, -0, +0, +Inf, NaN.
    for (opcode, expected) in [
        ("rcp", [minus_zero, minus_one, minus_infinity, infinity, zero, nan]),
        ("sqrt", [nan, nan, minus_zero, zero, infinity, nan]),
        ("rsqrt", [nan, nan, minus_infinity, infinity, zero, nan]),
        ("lg2", [nan, nan, minus_infinity, minus_infinity, infinity, nan]),
        ("ex2", [zero, single(0.5), one, one, infinity, nan]),
        ("sin", [nan, single(-0.841_470_96), minus_zero, zero, nan, nan]),
        ("cos", [nan, single(0.540_302_3), one, one, nan, nan]),
        ("tanh", [minus_one, single(-0.761_594_2), minus_zero, zero, one, nan]),
    ] {
        let inputs = [minus_infinity, minus_one, minus_zero, zero, infinity, nan];
        let got = inputs.map(|a| result(&format!("{opcode}.approx.f32"), &[a]));
        assert_eq!(got, expected, "{opcode}");
    }
}

#[test]
fn a_quotient_by_a_very_large_number_is_zero_or_no_number() {
    let large = single(2f32.powi(126));
    let approximate = |a: u64, b: u64| result("div.approx.f32", &[a, b]);
    assert_eq!(approximate(large, large), single(1.0));
    assert_eq!(approximate(large, large + 1), 0);
    assert_eq!(approximate(single(-1.0), large + 1), single(-0.0));
    assert_eq!(approximate(single(f32::INFINITY), large + 1), 0x7fff_ffff);
    assert_eq!(result("div.full.f32", &[large + 1, large + 1]), single(1.0));
}

#[test]
fn more_than_the_tolerance_is_not_allowed() {
    let third = result("rcp.approx.f32", &[single(3.0)]);
    let rcp = |got| allows("rcp", &["approx", "f32"], &[single(3.0)], got);
    assert_eq!((rcp(third - 1), rcp(third + 1)), (Some(true), Some(true)));
    assert_eq!((rcp(third - 2), rcp(third + 2)), (Some(false), Some(false)));
    assert_eq!(rcp(third | 0x8000_0000), Some(false));
    assert_eq!(rcp(0x7fff_ffff), Some(false));
    let sine = |x: f32, got: f32| allows("sin", &["approx", "f32"], &[single(x)], single(got));
    assert_eq!(sine(1.0, 1f32.sin() + 6e-7), Some(true));
    assert_eq!(sine(1.0, 1f32.sin() + 8e-7), Some(false));
    assert_eq!(sine(10.0, 10f32.sin() + 3e-5), Some(true));
    assert_eq!(sine(10.0, 10f32.sin() + 5e-5), Some(false));
    assert_eq!(sine(1e9, 0.0), Some(true));
    assert_eq!(sine(f32::INFINITY, 0.0), Some(false));
    let ex2 = |got| allows("ex2", &["approx", "ftz", "f32"], &[single(-126.5)], got);
    assert_eq!((ex2(0), ex2(1)), (Some(true), Some(false)));
}

#[test]
fn the_tolerance_is_that_of_the_best_range() {
    assert_eq!(tolerance("div", &["full", "ftz", "f32"]), Some(Tolerance::Units(2)));
    assert_eq!(tolerance("rcp", &["approx", "f32"]), Some(Tolerance::Units(1)));
    assert_eq!(tolerance("lg2", &["approx", "f32"]), Some(Tolerance::Absolute(2f64.powi(-22))));
    assert_eq!(tolerance("rcp", &["rn", "f32"]), None);
    assert_eq!(tolerance("add", &["f32"]), None);
}
