//! Arguments as the bytes that a kernel is given, and what is refused.

use std::path::Path;

use super::parsed_in;
use crate::kernel_file::argument::Now;
use crate::kernel_file::launch::Step;

const BUFFERS: &str = "[buffers]\nx = { type = \"u32\", count = 4 }
long = { type = \"u64\", count = 2 }\nempty = { type = \"u32\", count = 0 }\n";
const NO_BUFFER: &str = "expected one of x, long, empty";
const IMAGE: &str = "[textures]\nimage = { buffer = \"x\", width = 4 }\n";

/// What a kernel with these parameters is given of the list `arguments` in round 3, where the
/// buffers are at 0x1000, 0x2000 and so on and begin with 0x80000001, and the texture's handle is
/// 0x55. What is refused has to be at its place.
fn given(parameters: &str, arguments: &str) -> Result<Vec<u8>, String> {
    let repeat = format!(
        "[[repeat]]\ntimes = 1\nlaunch = [{{ grid = 1, block = 1, arguments = {arguments} }}]\n"
    );
    let file = parsed_in(Path::new(""), &module(parameters), &format!("{BUFFERS}{IMAGE}{repeat}"));
    let file = file.inspect_err(|said| assert!(said.contains("host.toml:9"), "{said}"))?;
    let Step::Repeat(repeat) = &file.steps[0] else { panic!("a repeat") };
    let addresses = [0x1000, 0x2000, 0x3000];
    let now = Now { addresses: &addresses, textures: &[0x55], round: 3 };
    Ok(repeat.turns[0][0].arguments.at(&now, |_| 0x8000_0001))
}

fn module(parameters: &str) -> String {
    format!(
        ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k({parameters}) {{ ret; }}"
    )
}

/// What a parameter `p` of this type is given, as a number.
fn one(ty: &str, argument: &str) -> Result<u64, String> {
    let bytes = given(&format!(".param .{ty} p"), &format!("[{argument}]"))?;
    Ok(bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
}

/// Each argument of a parameter of this type is refused with that complaint.
fn refused(cases: &[(&str, &str, &str)]) {
    for (ty, argument, expected) in cases {
        let said = one(ty, argument).expect_err(argument);
        assert!(said.contains(expected), "{ty} {argument}: {said}");
        let parameter = format!("parameter .{ty} p of kernel `k` is given {argument}");
        assert!(said.contains(&parameter), "{said}");
    }
}

#[test]
fn a_number_has_the_bits_of_the_parameters_type_whatever_that_says_of_signs() {
    for (ty, argument, bits) in [
        ("u8", "-128", 0x80),
        ("u8", "255", 0xff),
        ("s32", "4294967295", 0xffff_ffff),
        ("u32", "-2147483648", 0x8000_0000),
        ("b16", "-1", 0xffff),
        ("u64", "-1", u64::MAX),
        ("f32", "2", 0x4000_0000),
        ("f32", "0.5", 0x3f00_0000),
        ("f64", "-2", 0xc000_0000_0000_0000),
        // By their own types.
        ("b32", "{ f32 = 1.0 }", 0x3f80_0000),
        ("u64", "{ f64 = 1 }", 0x3ff0_0000_0000_0000),
        ("f16", "{ u16 = 0x3c00 }", 0x3c00),
        ("s8", "{ i8 = -1 }", 0xff),
    ] {
        assert_eq!(one(ty, argument), Ok(bits), "{ty} {argument}");
    }
}

#[test]
fn a_number_that_the_parameter_does_not_hold_is_refused() {
    refused(&[
        ("u8", "256", "expected a whole number of 8 bits"),
        ("s8", "-129", "expected a whole number of 8 bits"),
        ("u32", "4294967296", "expected a whole number of 32 bits"),
        ("b16", "1.5", "expected a whole number of 16 bits"),
        ("f16", "1.5", "expected its bits, as { u16 = 0x3c00 }"),
        ("u32", "true", "expected a number, or the name of a buffer"),
        ("u64", "{ f32 = 1.0 }", "expected 8 bytes"),
        ("u16", "{ u32 = 1 }", "expected 2 bytes"),
        ("u8", "{ u8 = 256 }", "expected a whole number from 0 to 255"),
        ("f32", "{ f32 = true }", "expected a number"),
        ("u32", "{ x32 = 1 }", "expected round, word, texture, buffer, or one of u8, u16"),
    ]);
}

#[test]
fn an_infinite_number_is_only_what_says_so() {
    assert_eq!(one("f32", "-inf"), Ok(0xff80_0000));
    assert_eq!(one("f64", "1e39"), Ok(0x4807_8287_f49c_4a1d));
    for (ty, argument) in [("f32", "1e39"), ("b32", "{ f32 = -1e39 }")] {
        let said = one(ty, argument).expect_err(argument);
        assert!(said.contains("expected a number from -3.4028235e38 to 3.4028235e38"), "{said}");
    }
}

#[test]
fn a_float_for_32_or_64_bits_is_refused_with_how_to_pass_it() {
    let help = |ty: &str, argument: &str| {
        let said = one(ty, argument).expect_err(argument);
        said.split_once("help: ").map(|(_, help)| help.trim().to_owned())
    };
    let passes = |bits: u32| format!("{{ f{bits} = 1.5 }} passes the bits of a float");
    assert_eq!(help("u32", "1.5"), Some(passes(32)));
    assert_eq!(help("b64", "1.5"), Some(passes(64)));
    // No float has 16 bits here, and a whole number is none.
    assert_eq!(help("u16", "1.5"), None);
    assert_eq!(help("u32", "4294967296"), None);
}

#[test]
fn a_buffer_is_passed_as_the_address_of_an_element() {
    for (argument, address) in [
        ("\"x\"", 0x1000),
        ("\"long\"", 0x2000),
        ("{ buffer = \"x\" }", 0x1000),
        ("{ buffer = \"x\", element = 1 }", 0x1004),
        ("{ buffer = \"long\", element = 1 }", 0x2008),
        // The end is not read, but may be passed.
        ("{ buffer = \"x\", element = 4 }", 0x1010),
        ("{ buffer = \"empty\", element = 0 }", 0x3000),
    ] {
        for ty in ["u64", "b64", "s64"] {
            assert_eq!(one(ty, argument), Ok(address), "{ty} {argument}");
        }
    }
    let place = "expected { buffer = NAME, element = N }, { word = NAME }";
    refused(&[
        ("u64", "\"y\"", NO_BUFFER),
        ("u64", "{ buffer = \"y\" }", NO_BUFFER),
        ("u64", "{ buffer = \"x\", element = 5 }", "expected an element from 0 to 4"),
        ("u64", "{ buffer = \"x\", element = -1 }", "expected an element from 0 to 4"),
        ("u64", "{ buffer = \"x\", element = 1.0 }", "expected an element from 0 to 4"),
        ("u64", "{ buffer = \"x\", count = 1 }", place),
        ("u64", "{ buffer = 1 }", place),
        ("u64", "{ element = 1, first = 1 }", place),
        ("u32", "\"x\"", "expected a number: an address has 64 bits"),
        ("f64", "\"x\"", "expected a number: an address has 64 bits"),
        ("f64", "{ buffer = \"x\" }", "expected a number: an address has 64 bits"),
    ]);
}

#[test]
fn the_number_of_the_round_begins_where_it_is_said() {
    for (ty, argument, round) in [
        ("u32", "\"round\"", 3),
        ("s64", "\"round\"", 3),
        ("b32", "{ round = 0 }", 3),
        ("u32", "{ round = 1 }", 4),
        ("u64", "{ round = 4294967295 }", 0x1_0000_0002),
        ("u32", "{ round = 4294967295 }", 2),
    ] {
        assert_eq!(one(ty, argument), Ok(round), "{ty} {argument}");
    }
    let first = "expected a first round from 0 on";
    refused(&[
        ("u32", "{ round = -1 }", first),
        ("u32", "{ round = 4294967296 }", first),
        ("u32", "{ round = 1, times = 1 }", "{ round = N }"),
        ("u16", "\"round\"", "expected something else: rounds have 32 bits"),
        ("f32", "\"round\"", "expected something else: rounds have 32 bits"),
        ("f64", "{ round = 1 }", "expected something else: rounds have 32 bits"),
    ]);
}

#[test]
fn only_a_repeat_has_rounds() {
    for argument in ["\"round\"", "{ round = 1 }"] {
        let text = format!("[[launch]]\ngrid = 1\nblock = 1\narguments = [{argument}]\n");
        let said = parsed_in(Path::new(""), &module(".param .u32 p"), &text);
        let said = said.expect_err(argument);
        assert!(said.contains("only a [[repeat]] has rounds"), "{said}");
        assert!(said.contains("host.toml:4"), "{said}");
    }
}

#[test]
fn a_word_and_a_handle_have_their_own_width() {
    for ty in ["u32", "s32", "u64", "f32"] {
        assert_eq!(one(ty, "{ word = \"x\" }"), Ok(0x8000_0001), "{ty}");
    }
    assert_eq!(one("u64", "{ texture = \"image\" }"), Ok(0x55));
    let word = "expected something else: a word has 32 bits";
    let handle = "expected something else: a texture's handle has 64 bits";
    refused(&[
        ("u16", "{ word = \"x\" }", word),
        ("u32", "{ word = \"y\" }", NO_BUFFER),
        ("u32", "{ word = \"empty\" }", "expected a buffer of u32, i32 or f32 with an element"),
        ("u32", "{ word = \"x\", words = 2 }", "{ word = NAME }"),
        ("u32", "{ texture = \"image\" }", handle),
        ("f64", "{ texture = \"image\" }", handle),
        ("u64", "{ texture = \"picture\" }", "expected one of image"),
        ("u64", "{ texture = \"image\", width = 2 }", "{ texture = NAME }"),
    ]);
}

#[test]
fn a_handle_of_a_file_without_textures_is_refused() {
    let text = "[[launch]]\ngrid = 1\nblock = 1\narguments = [{ texture = \"image\" }]\n";
    let said = parsed_in(Path::new(""), &module(".param .u64 p"), text).expect_err("no texture");
    assert!(said.contains("expected a texture of [textures]"), "{said}");
}

#[test]
fn each_argument_lies_where_its_parameter_does() {
    let bytes = given(".param .u8 a, .param .u16 b, .param .u32 c", "[1, 2, \"round\"]");
    assert_eq!(bytes, Ok(vec![1, 0, 2, 0, 3, 0, 0, 0]));
    let bytes = given(".param .u32 a, .param .u64 b", "[-1, \"x\"]");
    assert_eq!(bytes, Ok([0xffff_ffff, 0x1000_u64].map(u64::to_le_bytes).concat()));
}

#[test]
fn a_kernel_is_given_as_many_arguments_as_it_has_parameters() {
    for (arguments, count) in [("[]", 0), ("[1]", 1), ("[1, 2, 3]", 3)] {
        let said = given(".param .u32 a, .param .align 4 .b8 s[8]", arguments);
        let said = said.expect_err(arguments);
        assert!(said.contains(&format!("kernel `k` is given {count} arguments")), "{said}");
        assert!(said.contains("expected 2") && said.contains(".u32 a, s of 8 bytes"), "{said}");
    }
    let said = given("", "[1]").expect_err("no parameter");
    assert!(said.contains("expected 0") && !said.contains("help"), "{said}");
}

#[test]
fn the_members_of_a_structure_lie_at_multiples_of_their_sizes() {
    let sixteen = ".param .align 8 .b8 s[16]";
    let words = |words: [u64; 2]| words.map(u64::to_le_bytes).concat();
    for (arguments, expected) in [
        (
            "[[{ u8 = 1 }, { i16 = -2 }, { u32 = 3 }, { u64 = 4 }]]",
            vec![1, 0, 0xfe, 0xff, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0],
        ),
        ("[[{ u8 = 1 }, { u8 = 2 }, { u8 = 3 }]]", words([0x03_0201, 0])),
        ("[[{ u32 = 1 }, \"x\"]]", words([1, 0x1000])),
        ("[[{ word = \"x\" }, { f32 = 1.0 }]]", words([0x3f80_0000_8000_0001, 0])),
        ("[[{ texture = \"image\" }, { buffer = \"x\", element = 1 }]]", words([0x55, 0x1004])),
        ("[[{ u64 = 1 }, { f64 = 1.0 }]]", words([1, 0x3ff0_0000_0000_0000])),
        ("[[]]", words([0, 0])),
    ] {
        assert_eq!(given(sixteen, arguments), Ok(expected), "{arguments}");
    }
    // Behind another parameter.
    let bytes = given(".param .u32 a, .param .align 4 .b8 s[8]", "[1, [{ u32 = 2 }, { u32 = 3 }]]");
    assert_eq!(bytes, Ok(vec![1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]));
}

#[test]
fn members_that_are_too_long_or_of_no_type_are_refused() {
    for (arguments, expected) in [
        ("[[{ u64 = 1 }, { u64 = 2 }, { u8 = 3 }]]", "expected members of 16 bytes in all"),
        // The second one is moved to byte 8, the third one to 16.
        ("[[{ u8 = 1 }, \"x\", { u8 = 3 }]]", "expected members of 16 bytes in all"),
        ("[1]", "expected a list of its members, as [{ u32 = 1 }, \"x\"]"),
        ("[[1]]", "expected its type, as { u32 = 1 }"),
        ("[[{ x32 = 1 }]]", "expected one of u8, u16, u32, u64"),
        ("[[{ }]]", "expected one of u8, u16, u32, u64"),
        ("[[{ u8 = 256 }]]", "expected a whole number from 0 to 255"),
    ] {
        let said = given(".param .align 8 .b8 s[16]", arguments).expect_err(arguments);
        assert!(said.contains(expected), "{said}");
        assert!(said.contains("parameter s of 16 bytes of kernel `k` is given"), "{said}");
    }
}

#[test]
fn a_number_that_toml_does_not_have_is_given_by_its_bits() {
    for number in ["18446744073709551615", "0xffffffffffffffff"] {
        let text = format!("[[launch]]\ngrid = 1\nblock = 1\narguments = [{number}]\n");
        let error = parsed_in(Path::new(""), &module(".param .u64 a"), &text).expect_err(number);
        assert!(error.contains("too large") && error.contains("{ i64 = -1 }"), "{error}");
    }
    assert_eq!(given(".param .u64 a", "[{ i64 = -1 }]"), Ok(vec![0xff; 8]));
}
