//! What buffers must hold in the end, and how near.

use super::{checked, idle};

/// What is wrong with a buffer `x` of the first keys when the second ones are expected of it.
fn compared(buffer: &str, expected: &str) -> Result<(), String> {
    checked(idle(&format!("[buffers]\nx = {{ {buffer} }}\n[expect]\nx = {{ {expected} }}"))?)
}

#[test]
fn every_element_is_compared() {
    for (buffer, expected) in [
        ("type = \"u16\", values = [1, 2]", "values = [1, 2]"),
        ("type = \"u16\", values = [3, 3]", "value = 3"),
        ("type = \"u16\", count = 2", "fill = \"zero\""),
        ("type = \"u16\", values = [0, 1, 2]", "fill = \"index\""),
        ("type = \"f32\", values = [0, 1]", "fill = \"index\""),
        ("type = \"u16\", count = 0", "value = 3"),
    ] {
        assert_eq!(compared(buffer, expected), Ok(()), "{buffer} {expected}");
    }
    for (buffer, expected, found) in [
        (
            "type = \"u16\", values = [1, 2]",
            "values = [1, 3]",
            "element 1 of buffer `x` is 2, expected 3; 1 of 2 differ",
        ),
        (
            "type = \"u16\", values = [1, 2]",
            "values = [4, 3]",
            "element 0 of buffer `x` is 1, expected 4; 2 of 2 differ",
        ),
        (
            "type = \"i8\", values = [5, -5, 5]",
            "value = 5",
            "element 1 of buffer `x` is -5, expected 5; 1 of 3 differ",
        ),
        (
            "type = \"u8\", values = [0, 1, 2]",
            "fill = \"zero\"",
            "element 1 of buffer `x` is 1, expected 0; 2 of 3 differ",
        ),
        (
            "type = \"u8\", count = 3",
            "fill = \"index\"",
            "element 1 of buffer `x` is 0, expected 1; 2 of 3 differ",
        ),
        (
            "type = \"f32\", values = [0.1]",
            "value = 0.5, tolerance = 0.25",
            "element 0 of buffer `x` is 0.1, expected 0.5 within 2.5e-1; 1 of 1 differ",
        ),
    ] {
        assert_eq!(compared(buffer, expected), Err(found.to_owned()), "{buffer} {expected}");
    }
}

/// Whether an element with the first value is near enough to the second one.
fn near(ty: &str, got: &str, wanted: &str, tolerance: &str) -> bool {
    let buffer = format!("type = \"{ty}\", values = [{got}]");
    compared(&buffer, &format!("values = [{wanted}], tolerance = {tolerance}")).is_ok()
}

#[test]
fn whole_numbers_may_be_off_by_the_tolerance_itself() {
    for (got, wanted, tolerance, fits) in [
        (2, 0, "2.0", true),
        (-2, 0, "2.0", true),
        (2, 0, "1.9", false),
        (-2, 0, "1.9", false),
        (-1, 1, "2.0", true),
        (12, 12, "0.0", true),
        (13, 12, "0.0", false),
    ] {
        let found = near("i16", &got.to_string(), &wanted.to_string(), tolerance);
        assert_eq!(found, fits, "{got} {wanted} {tolerance}");
    }
}

#[test]
fn floats_may_be_off_by_the_tolerance_times_what_is_expected_or_times_1_if_that_is_more() {
    for (got, wanted, tolerance, fits) in [
        // 0.25 times 8 is 2.
        ("10.0", "8.0", "0.25", true),
        ("6.0", "8.0", "0.25", true),
        ("10.5", "8.0", "0.25", false),
        ("-10.0", "-8.0", "0.25", true),
        ("-5.5", "-8.0", "0.25", false),
        // Times 1, not times 0.5.
        ("0.75", "0.5", "0.25", true),
        ("0.875", "0.5", "0.25", false),
        ("0.25", "0.0", "0.25", true),
        ("1.0", "1.0", "0.0", true),
        ("1.0", "1.5", "0.0", false),
        // Other bits, but the same number.
        ("-0.0", "0.0", "0.0", true),
    ] {
        for ty in ["f32", "f64"] {
            assert_eq!(near(ty, got, wanted, tolerance), fits, "{ty} {got} {wanted} {tolerance}");
        }
    }
}

#[test]
fn any_nan_is_as_good_as_another_and_no_number_is_near_one_or_near_an_infinite_one() {
    for (got, wanted, fits) in [
        ("nan", "nan", true),
        ("-nan", "nan", true),
        ("nan", "1.0", false),
        ("1.0", "nan", false),
        ("inf", "inf", true),
        ("inf", "-inf", false),
        ("1.0", "inf", false),
        ("inf", "1.0", false),
    ] {
        assert_eq!(near("f32", got, wanted, "1e30"), fits, "{got} {wanted}");
    }
}

#[test]
fn a_tolerance_is_zero_or_more() {
    for tolerance in ["0.0", "0.5", "1e300"] {
        assert!(near("u8", "1", "1", tolerance), "{tolerance}");
    }
    for tolerance in ["-0.5", "inf", "-inf", "nan"] {
        let said =
            compared("type = \"u8\", count = 1", &format!("value = 0, tolerance = {tolerance}"));
        let said = said.expect_err(tolerance);
        assert!(said.contains("expected 0 or more") && said.contains("host.toml:4"), "{said}");
    }
}

#[test]
fn what_does_not_fit_is_refused_at_its_place() {
    for (expected, found) in [
        ("", "what `x` must hold is not stated, or twice"),
        ("tolerance = 0.5", "what `x` must hold is not stated, or twice"),
        ("value = 1, values = [1, 2]", "what `x` must hold is not stated, or twice"),
        ("value = 1, fill = \"zero\"", "what `x` must hold is not stated, or twice"),
        ("fill = \"permutation\"", "fill = \"zero\" or \"index\""),
        ("values = [1]", "`x` is compared with 1 elements"),
        ("values = [1, 2, 3]", "`x` is compared with 3 elements"),
        ("value = 256", "256 is no u8"),
    ] {
        let said = compared("type = \"u8\", count = 2", expected).expect_err(expected);
        assert!(said.contains(found) && said.contains("host.toml:4"), "{said}");
    }
    let unknown = idle("[buffers]\nx = { type = \"u8\", count = 1 }\n[expect]\ny = { value = 1 }");
    assert!(unknown.expect_err("no buffer").contains("there is no buffer `y`"));
}
