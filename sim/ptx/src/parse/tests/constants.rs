//! Constant expressions.

use proptest::prelude::*;

use super::*;

fn of(text: &str, value: i64) {
    assert_eq!(operand(text), Operand::Integer(value as u64), "{text}");
}

#[test]
fn operators_bind_as_in_c() {
    of("2 + 3 * 4", 14);
    of("(2 + 3) * 4", 20);
    of("20 - 3 - 4", 13);
    of("100 / 7 / 2", 7);
    of("100 % 7 * 2", 4);
    of("1 << 2 + 1", 8);
    of("16 >> 1 < 9", 1);
    of("3 < 2 == 0", 1);
    of("6 & 3 == 3", 0);
    of("1 | 6 ^ 3 & 2", 5);
    of("0 && 1 || 1", 1);
    of("0 || 0 && 1", 0);
    of("1 ? 2 : 0 ? 3 : 4", 2);
    of("0 ? 2 : 0 ? 3 : 4", 4);
    of("-2 + 5", 3);
    of("~0 & 0xF", 15);
    of("!5 + 1", 1);
    of("!0 + 1", 2);
    of("!(1 > 2)", 1);
    of("!WARP_SZ", 0);
    of("WARP_SZ - 1", 31);
    of("+ + 4", 4);
    of("- ~ ! 0", 2);
}

#[test]
fn comparisons_and_logic_give_0_or_1() {
    for (text, value) in [
        ("2 < 2", 0),
        ("2 <= 2", 1),
        ("2 > 2", 0),
        ("2 >= 2", 1),
        ("2 == 2", 1),
        ("2 != 2", 0),
        ("4 && 8", 1),
        ("4 && 0", 0),
        ("0 || 8", 1),
        ("0 || 0", 0),
    ] {
        of(text, value);
    }
}

#[test]
fn an_unsigned_number_makes_an_operation_unsigned() {
    of("-1 < 1", 1);
    of("-1 < 1U", 0);
    of("(.u64) -1 < 1", 0);
    of("(.s64) 0xFFFFFFFFFFFFFFFF < 1", 1);
    // Too large for a signed number.
    of("0x8000000000000000 > 1", 1);
    of("0x7FFFFFFFFFFFFFFF + 1 > 1", 0);
    of("-7 / 2", -3);
    of("-7 % 2", -1);
    of("(.u64) -7 / 2", 0x7FFF_FFFF_FFFF_FFFC);
    of("-7U % 4", 1);
    of("(.u64) 3 - 4", -1);
}

#[test]
fn shifts_have_the_kind_of_what_is_shifted() {
    of("-8 >> 1U", -4);
    of("(.u64) -8 >> 60", 15);
    of("1 << 63", i64::MIN);
    of("1 << 64", 0);
    of("-1 >> 64", -1);
    of("-1 >> 63", -1);
    of("(.u64) -1 >> 64", 0);
    of("(.u64) -1 >> 63", 1);
}

#[test]
fn arithmetic_wraps_around() {
    of("0x7FFFFFFFFFFFFFFF + 1", i64::MIN);
    of("-0x7FFFFFFFFFFFFFFF - 2", i64::MAX);
    of("(.s64) 0x8000000000000000 / -1", i64::MIN);
    of("(.s64) 0x8000000000000000 % -1", 0);
    of("0x100000000 * 0x100000000", 0);
}

#[test]
fn a_division_by_zero_is_refused_wherever_it_stands() {
    for text in ["1 / 0", "1 % 0", "1U / (2 - 2)", "1 ? 2 : 1 / 0", "0 && 1 / 0"] {
        assert_eq!(message_of_body(&format!("op {text};")), "5: this divides by zero");
    }
}

#[test]
fn operators_take_whole_numbers_only() {
    for text in ["1.5 + 1", "1 + 1.5", "~1.5", "!0f00000000", "(.s64) 1.5", "1.5 ? 1 : 2"] {
        assert_eq!(message_of_body(&format!("op {text};")), "5: this is a floating-point number");
    }
    assert_eq!(operand("(1.5)"), Operand::Double(1.5_f64.to_bits()));
    assert_eq!(operand("1 ? 1.5 : 2"), Operand::Double(1.5_f64.to_bits()));
}

#[test]
fn a_constant_that_ends_early_is_refused() {
    for text in ["1 +", "(1", "(.u64)", "1 ? 2", "-", "(.u32) 1", "1 2", "1 = 2", "1 + x"] {
        assert!(message_of_body(&format!("op {text};")).ends_with("cannot stand here"), "{text}");
    }
}

proptest! {
    /// Against Rust, with every operation in parentheses.
    #[test]
    fn signed_operations_are_those_of_two_s_complement(a: i64, b: i64, shift in 0_u32..64) {
        let of = |text: String, value: i64| {
            prop_assert_eq!(operand(&text), Operand::Integer(value as u64), "{}", text);
            Ok(())
        };
        let pair = |operator| format!("(.s64) ({a}) {operator} (.s64) ({b})");
        of(pair("+"), a.wrapping_add(b))?;
        of(pair("-"), a.wrapping_sub(b))?;
        of(pair("*"), a.wrapping_mul(b))?;
        of(pair("&"), a & b)?;
        of(pair("|"), a | b)?;
        of(pair("^"), a ^ b)?;
        of(pair("<"), (a < b).into())?;
        of(pair(">="), (a >= b).into())?;
        if b != 0 {
            of(pair("/"), a.wrapping_div(b))?;
            of(pair("%"), a.wrapping_rem(b))?;
        }
        of(format!("(.s64) ({a}) >> {shift}"), a >> shift)?;
        of(format!("(.s64) ({a}) << {shift}"), a << shift)?;
    }
}
