//! What buffers hold at first, and what is refused.

use super::{idle, STEP};
use crate::kernel_file::KernelFile;

/// A host file whose buffer has these keys. What is refused has to be at their place.
fn file(keys: &str) -> Result<KernelFile, String> {
    let file = idle(&format!("[buffers]\nx = {{ {keys} }}"));
    file.inspect_err(|said| assert!(said.contains("host.toml:2"), "{said}"))
}

/// What a buffer of these keys holds at first.
fn held(keys: &str) -> Result<Vec<u8>, String> {
    file(keys).map(|file| file.buffers[0].initial(1))
}

/// Whether these keys are taken. It draws nothing, as buffers may be large.
fn taken(keys: &str) -> Result<(), String> {
    file(keys).map(drop)
}

/// Each of these keys is refused with that complaint.
fn refused(cases: &[(&str, &str)]) {
    for (keys, expected) in cases {
        let said = taken(keys).expect_err(keys);
        assert!(said.contains(expected), "{keys}: {said}");
    }
}

#[test]
fn a_buffer_holds_what_is_stated_and_else_zeros() {
    for (keys, bytes) in [
        ("type = \"u16\", count = 2", &[0, 0, 0, 0][..]),
        ("type = \"u16\", count = 2, fill = \"zero\"", &[0, 0, 0, 0]),
        ("type = \"u16\", values = [1, 0x102]", &[1, 0, 2, 1]),
        ("type = \"u16\", values = [1, 0x102], count = 2", &[1, 0, 2, 1]),
        ("type = \"u16\", value = 0x102, count = 2", &[2, 1, 2, 1]),
        ("type = \"u8\", count = 3, fill = \"index\"", &[0, 1, 2]),
        ("type = \"u8\", count = 2, fill = \"uniform\", from = 9, to = 10", &[9, 9]),
        ("type = \"u8\", count = 1, fill = \"permutation\"", &[0]),
        ("type = \"f32\", values = [1, 1.5]", &[0, 0, 0x80, 0x3f, 0, 0, 0xc0, 0x3f]),
        ("type = \"u8\", values = []", &[]),
    ] {
        assert_eq!(held(keys).as_deref(), Ok(bytes), "{keys}");
    }
}

#[test]
fn one_key_says_what_a_buffer_holds() {
    refused(&[
        ("type = \"u8\", values = [1], value = 1", "`value` is given beside `values`"),
        ("type = \"u8\", file = \"x.txt\", values = [1]", "`values` is given beside `file`"),
        ("type = \"u8\", count = 1, value = 1, fill = \"zero\"", "`fill` is given beside `value`"),
        ("type = \"u8\", count = 1, from = 0", "`from` and `to` do nothing here"),
        ("type = \"u8\", value = 1, count = 1, to = 2", "`from` and `to` do nothing here"),
        ("type = \"u8\", count = 1, fill = \"index\", to = 2", "`from` and `to` do nothing here"),
        ("type = \"u8\", count = 1, fill = \"random\"", "zero, index, uniform or permutation"),
        ("type = \"u7\", count = 1", "`u7` is no type of elements"),
        ("count = 1", "the type of `x` is not stated"),
        ("type = \"u8\", values = [1, 256]", "256 is no u8"),
        ("type = \"u8\", value = \"1\", count = 1", "\"1\" is no u8"),
    ]);
}

#[test]
fn an_index_and_a_permutation_have_as_many_elements_as_the_type_has_values_from_0_on() {
    for fill in ["index", "permutation"] {
        for (ty, most) in [("u8", 256), ("i8", 128), ("u16", 65_536)] {
            let keys = |count| format!("type = \"{ty}\", fill = \"{fill}\", count = {count}");
            for count in [0, 1, most] {
                assert_eq!(taken(&keys(count)), Ok(()), "{ty} {count}");
            }
            let expected = format!("{ty} has no {} different values", most + 1);
            refused(&[(&keys(most + 1), &expected)]);
        }
    }
}

#[test]
fn an_index_in_floating_point_ends_where_whole_numbers_are_no_longer_told_apart() {
    let keys = |count| format!("type = \"f32\", fill = \"index\", count = {count}");
    assert_eq!(taken(&keys((1 << 24) + 1)), Ok(()));
    refused(&[(&keys((1 << 24) + 2), "f32 has no 16777218 different values")]);
}

#[test]
fn only_whole_numbers_have_a_permutation() {
    for ty in ["f32", "f64"] {
        let keys = format!("type = \"{ty}\", fill = \"permutation\", count = 1");
        refused(&[(&keys, &format!("a permutation of {ty}"))]);
    }
}

#[test]
fn a_range_to_draw_from_has_a_value_and_only_values_of_the_type() {
    let keys =
        |ty: &str, range: &str| format!("type = \"{ty}\", count = 2, fill = \"uniform\", {range}");
    for (ty, range) in [
        // The end is not drawn, so that it may be one more than the greatest.
        ("u8", "from = 0, to = 256"),
        ("i8", "from = -128, to = 128"),
        ("u32", "from = 4294967295, to = 4294967296"),
        ("f32", "from = 0, to = 1"),
        ("f32", "from = -1.5, to = 0"),
        ("f32", "from = 1, to = 1.0000002"),
        ("f64", "from = 0.0, to = 1.7e308"),
        ("f64", "from = 1.6e308, to = 1.7e308"),
    ] {
        assert_eq!(taken(&keys(ty, range)), Ok(()), "{ty} {range}");
    }
    for (ty, range, expected) in [
        ("u8", "from = 0, to = 257", "257 is no u8"),
        ("i8", "from = -129, to = 0", "-129 is no i8"),
        ("u8", "from = 0, to = 1.0", "1.0 is no u8"),
        ("u8", "from = 0.0, to = 1", "0.0 is no u8"),
        ("u8", "from = 3, to = 3", "the range from 3 to 3 is empty"),
        ("u8", "from = 4, to = 3", "the range from 4 to 3 is empty"),
        ("f32", "from = 1.5, to = 1.5", "the range from 1.5 to 1.5 is empty"),
        // There is no f32 between, and none above the first that is less than the second.
        ("f32", "from = 1, to = 1.00000000001", "the range from 1 to 1.00000000001 is empty"),
        // No double is as much as the width of this range.
        ("f64", "from = -1.7e308, to = 1.7e308", "from -1.7e308 to 1.7e308 is too wide"),
        ("f64", "from = 0, to = \"1\"", "\"1\" is no f64"),
        ("f64", "from = 0", "a range to draw from is missing"),
        ("f64", "to = 1", "a range to draw from is missing"),
    ] {
        refused(&[(&keys(ty, range), expected)]);
    }
}

#[test]
fn a_list_has_its_own_count_and_anything_else_needs_one() {
    refused(&[
        ("type = \"u8\"", "the size of `x` is not stated"),
        ("type = \"u8\", value = 1", "the size of `x` is not stated"),
        ("type = \"u16\", values = [1, 2], count = 1", "`count` is 1, but there are 2 elements"),
        ("type = \"u16\", values = [1, 2], count = 4", "`count` is 4, but there are 2 elements"),
        ("type = \"u8\", count = -1", "`count` is -1"),
    ]);
}

#[test]
fn a_buffer_has_up_to_2_to_the_32nd_bytes() {
    for (ty, most) in [("u8", 1_u64 << 32), ("u16", 1 << 31), ("f64", 1 << 29)] {
        let keys = |count| format!("type = \"{ty}\", count = {count}");
        assert_eq!(taken(&keys(most)), Ok(()), "{ty}");
        refused(&[(&keys(most + 1), &format!("expected 0 to {most}"))]);
    }
}

#[test]
fn a_buffer_without_an_element_begins_with_no_word() {
    for (count, expected) in [(0, "u32, i32 or f32 with an element"), (1, "")] {
        let buffers = format!(
            "[buffers]\nsize = {{ type = \"u32\", count = {count} }}\n\
             total = {{ type = \"u32\", count = 1 }}\n"
        );
        let step = format!("[[repeat]]\ntimes = 1\nlaunch = [{{ {STEP} }}]\n");
        let said = super::run_module(super::MODULE, &format!("{buffers}{step}"));
        assert_eq!(said.is_err(), count == 0);
        assert!(said.err().unwrap_or_default().contains(expected), "{count}");
    }
}
