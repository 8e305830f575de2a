//! Words, numbers, blanks and comments.

use super::*;

#[test]
fn blanks_and_comments_may_stand_between_any_two_words() {
    let plain = module(".entry k ( .param .u32 a ) { ret ; }");
    let apart = module(
        ".entry // a /* b\nk /* c // **\n d */ (/**/.param\t.u32\r\na)\n\n#line 4\n{ # ;\nret/*;*/;}",
    );
    let body = |module: &Module| match module.functions[0].body.as_deref() {
        Some([Statement::Instruction(instruction)]) => instruction.opcode.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(body(&plain), body(&apart));
    assert_eq!(apart.functions[0].parameters[0].name, "a");
}

#[test]
fn a_file_may_end_in_a_comment_without_a_line_end() {
    assert_eq!(module("// the end"), module(""));
    assert_eq!(module("/* the end */"), module(""));
}

#[test]
fn lines_of_a_debugger_are_read_over() {
    assert_eq!(
        module("@@DWARF .section .debug_info, \"\",@progbits\n  @@DWARF .byte 0x3"),
        module("")
    );
}

#[test]
fn comments_may_hold_any_characters() {
    assert_eq!(module("// größer ≥ \u{1F600}\n/* ≤ */"), module(""));
}

#[test]
fn names_begin_with_a_letter_or_with_a_sign_and_more() {
    for word in ["a", "Z9", "a$b_c", "_a", "$L__BB0_2", "%r1", "_", "__", "$1", "%_"] {
        assert_eq!(operand(word), name(word));
    }
    assert!(message_of_body("op $;").starts_with("5: `$` begins nothing"));
    assert!(message_of_body("op %;").starts_with("5: `%` cannot stand here"));
    assert!(message_of_body("op é;").starts_with("5: `é` begins nothing"));
}

#[test]
fn whole_numbers_have_four_radixes_and_up_to_64_bits() {
    let of = |text: &str, value: u64| assert_eq!(operand(text), Operand::Integer(value), "{text}");
    of("0", 0);
    of("0U", 0);
    of("42", 42);
    of("42U", 42);
    of("0x2a", 42);
    of("0X2AU", 42);
    of("052", 42);
    of("052U", 42);
    of("0b101010", 42);
    of("0B101010U", 42);
    of("18446744073709551615", u64::MAX);
    of("0xFFFFFFFFFFFFFFFF", u64::MAX);
    of("01777777777777777777777", u64::MAX);
    of("WARP_SZ", 32);
}

#[test]
fn other_numbers_are_refused() {
    for word in [
        "18446744073709551616",
        "0x10000000000000000",
        "0x",
        "0b2",
        "0b",
        "08",
        "1a",
        "0xg",
        "42u",
        "0f3F80000",
        "0f3F8000000",
        "0f3F80000g",
        "0d3FF000000000000",
        "0d3FF00000000000000",
        "1__",
    ] {
        let said = message_of_body(&format!("op {word};"));
        assert!(said.starts_with("5: `") && said.ends_with("is not a number of 64 bits"), "{said}");
    }
}

#[test]
fn floating_point_numbers_are_kept_bit_by_bit() {
    let single = |text: &str, bits| assert_eq!(operand(text), Operand::Single(bits), "{text}");
    single("0f3F800000", 0x3F80_0000);
    single("0F7fc00001", 0x7FC0_0001);
    single("-0f3F800000", 0xBF80_0000);
    single("- -0f00000000", 0);
    let double = |text: &str, bits| assert_eq!(operand(text), Operand::Double(bits), "{text}");
    double("0d3FF0000000000000", 0x3FF0_0000_0000_0000);
    double("0DFFF0000000000001", 0xFFF0_0000_0000_0001);
    double("-0d0000000000000000", 1 << 63);
    double("1.5", 1.5_f64.to_bits());
    double("-1.5", (-1.5_f64).to_bits());
    double("1.", 1.0_f64.to_bits());
    double("1e3", 1000.0_f64.to_bits());
    double("1.5E-3", 1.5e-3_f64.to_bits());
    double("09.5e+1", 95.0_f64.to_bits());
}

#[test]
fn strings_end_in_their_line() {
    assert_eq!(module(".file 1 \"a ; } // b\""), module(""));
    assert_eq!(message(".file 1 \"a\n\""), "4: this string does not end");
}
