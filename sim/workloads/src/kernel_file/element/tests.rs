//! Numbers as bits and as text, and what each type takes.

use super::*;

fn named(name: &str) -> Element {
    Element::named(name).expect(name)
}

/// The types of whole numbers with the least and the greatest of each.
const WHOLE: [(&str, i128, i128); 8] = [
    ("u8", 0, 255),
    ("u16", 0, 65_535),
    ("u32", 0, 4_294_967_295),
    ("u64", 0, 18_446_744_073_709_551_615),
    ("i8", -128, 127),
    ("i16", -32_768, 32_767),
    ("i32", -2_147_483_648, 2_147_483_647),
    ("i64", -9_223_372_036_854_775_808, 9_223_372_036_854_775_807),
];

#[test]
fn a_type_of_whole_numbers_takes_its_least_to_its_greatest_and_says_so() {
    for (name, least, most) in WHOLE {
        let element = named(name);
        for (value, fits) in [(least - 1, false), (least, true), (most, true), (most + 1, false)] {
            let bits = element.encode(Number::Integer(value));
            assert_eq!(bits.is_some(), fits, "{name} {value}");
        }
        assert_eq!(element.encode(Number::Float(1.0)), None, "{name}");
        assert_eq!(element.expectation(), format!("a whole number from {least} to {most}"));
    }
    assert_eq!(named("f32").expectation(), "a number from -3.4028235e38 to 3.4028235e38");
    assert_eq!(named("f64").expectation(), "a number");
}

#[test]
fn infinity_is_only_what_says_so() {
    use Number::Float;
    for (value, bits) in [
        (f64::from(f32::MAX), Some(0x7f7f_ffff)),
        (3.5e38, None),
        (-3.5e38, None),
        (f64::INFINITY, Some(0x7f80_0000)),
    ] {
        assert_eq!(named("f32").encode(Float(value)), bits, "{value:e}");
        assert_eq!(named("f32").parse(&format!("{value:e}")), bits, "{value:e}");
    }
}

#[test]
fn whole_numbers_of_floating_point_are_told_apart_up_to_a_power_of_two() {
    for (name, last) in [("f32", 1 << 24), ("f64", 1 << 53), ("u8", 255), ("i8", 127)] {
        assert!(named(name).tells_apart(last), "{name} {last}");
        assert!(!named(name).tells_apart(last + 1), "{name} {last}");
    }
}

#[test]
fn a_number_has_the_bits_of_its_type() {
    use Number::{Float, Integer};
    for (name, number, bits) in [
        ("u8", Integer(255), 0xff),
        ("i8", Integer(-128), 0x80),
        ("i8", Integer(-1), 0xff),
        ("i16", Integer(-2), 0xfffe),
        ("i32", Integer(-1), 0xffff_ffff),
        ("i64", Integer(-1), u64::MAX),
        ("u64", Integer(1 << 63), 0x8000_0000_0000_0000),
        // Exponents of 127 and 1023 are those of 1.
        ("f32", Integer(1), 0x3f80_0000),
        ("f64", Integer(1), 0x3ff0_0000_0000_0000),
        ("f32", Float(-2.0), 0xc000_0000),
        ("f64", Float(-2.0), 0xc000_0000_0000_0000),
    ] {
        assert_eq!(named(name).encode(number), Some(bits), "{name} {number:?}");
    }
}

#[test]
fn the_first_bytes_are_the_number_with_the_lowest_first() {
    use Number::{Float, Integer};
    let bytes = [0x01, 0x82, 0x03, 0x84, 0x05, 0x06, 0x07, 0x88];
    for (name, number) in [
        ("u8", Integer(0x01)),
        ("u16", Integer(0x8201)),
        ("u32", Integer(0x8403_8201)),
        ("u64", Integer(0x8807_0605_8403_8201)),
        ("i8", Integer(0x01)),
        ("i16", Integer(0x8201 - 0x1_0000)),
        ("i32", Integer(0x8403_8201 - 0x1_0000_0000)),
        ("i64", Integer(0x8807_0605_8403_8201 - 0x1_0000_0000_0000_0000)),
    ] {
        assert_eq!(named(name).decode(&bytes), number, "{name}");
    }
    assert_eq!(named("f32").decode(&[0, 0, 0xc0, 0x3f, 9]), Float(1.5));
    assert_eq!(named("f64").decode(&[0, 0, 0, 0, 0, 0, 0xf8, 0x3f]), Float(1.5));
}

#[test]
fn text_is_the_shortest_that_is_read_back_as_the_same_bits() {
    for (name, word, bits) in [
        ("u8", "255", 0xff),
        ("i8", "-128", 0x80),
        ("i64", "-2", u64::MAX - 1),
        ("u64", "18446744073709551615", u64::MAX),
        // 1.6 times 2 to the -4th: 0.6 is 0.9999... in base 16, rounded up at the end.
        ("f32", "0.1", 0x3dcc_cccd),
        ("f64", "0.1", 0x3fb9_9999_9999_999a),
        ("f32", "-1.0", 0xbf80_0000),
        ("f64", "inf", 0x7ff0_0000_0000_0000),
    ] {
        let element = named(name);
        assert_eq!(element.parse(word), Some(bits), "{name} {word}");
        assert_eq!(element.text(&bits.to_le_bytes()), word, "{name}");
    }
}

#[test]
fn a_word_that_is_no_value_of_the_type_is_no_number() {
    for (name, word) in [("u8", "256"), ("u8", "-1"), ("i8", "1.0"), ("f32", "x"), ("f64", "")] {
        assert_eq!(named(name).parse(word), None, "{name} {word:?}");
    }
}

#[test]
fn messages_name_all_types_and_put_strings_in_quotes() {
    assert_eq!(Element::names(), "u8, u16, u32, u64, i8, i16, i32, i64, f32, f64");
    assert_eq!(shown(&Value::from("a \"b\"")), "\"a \\\"b\\\"\"");
    assert_eq!(shown(&Value::from(-3)), "-3");
}

#[test]
fn numbers_of_the_file_are_whole_or_floats_and_both_are_floats_if_wanted() {
    for (value, number, float) in
        [(Value::from(-3), Number::Integer(-3), -3.0), (Value::from(0.5), Number::Float(0.5), 0.5)]
    {
        assert_eq!(Number::of(&value), Some(number));
        assert_eq!(number.float(), float);
    }
    assert_eq!(Number::of(&Value::from("3")), None);
}
