//! Files that nobody wrote on purpose, or somebody with bad intentions.

use proptest::prelude::*;

use super::*;
use crate::parse::parser::MAX_DEPTH;

/// A file in which every construct occurs.
const SAMPLE: &str = include_str!("sample.ptx");

#[test]
fn the_sample_is_good() {
    let module = parse("sample.ptx", SAMPLE).unwrap();
    assert_eq!((module.variables.len(), module.functions.len()), (12, 5));
}

/// Asserts that `nested` is good at `most` levels, and refused at more.
fn at_most(most: u32, nested: impl Fn(usize) -> String) {
    module(&nested(most as usize));
    for depth in [most as usize + 1, 1_000_000] {
        let said = message(&nested(depth));
        assert_eq!(said, "4: this is nested too deeply", "{depth}");
    }
}

#[test]
fn blocks_nest_to_a_limit() {
    // The body is one of them.
    at_most(MAX_DEPTH - 1, |n| format!(".entry k {{ {}{} }}", "{".repeat(n), "}".repeat(n)));
}

#[test]
fn initial_values_nest_to_a_limit() {
    at_most(MAX_DEPTH, |n| format!(".global .u32 x = {}1{};", "{".repeat(n), "}".repeat(n)));
}

#[test]
fn vectors_nest_to_a_limit() {
    at_most(MAX_DEPTH - 1, |n| format!(".entry k {{ op {}a{}; }}", "{".repeat(n), "}".repeat(n)));
}

#[test]
fn constants_nest_to_a_limit() {
    let constant = |text: String| format!(".global .u32 x = {text};");
    at_most(MAX_DEPTH, |n| constant("(".repeat(n) + "1" + &")".repeat(n)));
    at_most(MAX_DEPTH, |n| constant("-".repeat(n) + "1"));
    at_most(MAX_DEPTH, |n| constant("! ".repeat(n) + "1"));
    at_most(MAX_DEPTH, |n| constant("(.u64)".repeat(n) + "1"));
    at_most(MAX_DEPTH, |n| constant("1 ? ".repeat(n) + "2" + &" : 3".repeat(n)));
    at_most(MAX_DEPTH, |n| constant("0 ? 2 : ".repeat(n) + "3"));
    at_most(MAX_DEPTH - 1, |n| format!(".entry k {{ op {}1; }}", "! ".repeat(n)));
}

#[test]
fn groups_that_are_read_over_nest_without_limit() {
    let n = 1_000_000;
    let groups = format!(".section .x {}{}", "{".repeat(n), "}".repeat(n));
    assert_eq!(module(&groups), module(""));
}

#[test]
fn what_does_not_nest_has_no_limit() {
    let n = 100_000;
    let sum = "1 - 1 + ".repeat(n) + "1";
    assert_eq!(operand(&sum), Operand::Integer(1));
    assert_eq!(statements(&"{ } ".repeat(n)).len(), n);
    assert_eq!(statements(&"a: ".repeat(n)).len(), n);
    assert_eq!(instruction(&("op".to_owned() + &".x".repeat(n) + ";")).modifiers.len(), n);
    assert_eq!(operands(&("a, ".repeat(n) + "b")).len(), n + 1);
    assert_eq!(
        operand(&("a".to_owned() + &".x".repeat(n))),
        name(&("a".to_owned() + &".x".repeat(n)))
    );
    assert_eq!(operands(&("!/**/p, ".repeat(n) + "b")).len(), n + 1);
}

#[test]
fn a_long_file_is_refused_at_its_end_as_at_its_beginning() {
    let lines = 100_000;
    let body = "add.s32 %r1, %r2, 1;\n".repeat(lines) + "=";
    assert_eq!(message_of_body(&body), format!("{}: `=` cannot stand here", lines + 5));
    let open = "/* ".repeat(lines);
    assert_eq!(message(&open), "4: this comment does not end");
}

/// Words of the language, for files that are nearly right.
const WORDS: [&str; 60] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ":",
    "?",
    "@",
    "!",
    "|",
    "||",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "<",
    ">",
    "=",
    "==",
    "~",
    "^",
    "&",
    "&&",
    "\"",
    "\"a\"",
    "//",
    "/*",
    "*/",
    "\n",
    "#",
    "@@",
    ".",
    "::",
    "a",
    "%r1",
    "_",
    "WARP_SZ",
    "generic",
    "call",
    "0",
    "1U",
    "0x",
    "0f",
    "1.5",
    "0f3F800000",
    ".reg",
    ".entry",
    ".func",
    ".loc",
    ".section",
    ".global",
    ".v4",
    ".u32",
    "é",
];

/// A change of a text: from a byte (of 65536), that many bytes are replaced.
fn change() -> impl Strategy<Value = (u16, usize, String)> {
    let word = prop::sample::select(&WORDS[..]).prop_map(|word| format!(" {word} "));
    let text = prop_oneof![Just(String::new()), word, ".{0,3}", "[ -~]{1,8}"];
    (any::<u16>(), 0_usize..12, text)
}

/// `text` with `changes`, at the boundaries of characters.
fn changed(text: &str, changes: &[(u16, usize, String)]) -> String {
    let mut text = text.to_owned();
    for (place, length, replacement) in changes {
        let start = text.floor_char_boundary(text.len() * usize::from(*place) / 65536);
        let end = text.ceil_char_boundary((start + length).min(text.len()));
        text.replace_range(start..end, replacement);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_changed_file_is_read_or_refused(changes in prop::collection::vec(change(), 1..6)) {
        let text = changed(SAMPLE, &changes);
        if let Err(error) = parse("k.ptx", &text) {
            prop_assert!(error.to_string().starts_with("k.ptx, line "));
            prop_assert!(crate::diagnostic::rendered(&error).contains("expected"));
        }
    }

    #[test]
    fn a_cut_file_is_read_or_refused(place: u16) {
        let end = SAMPLE.floor_char_boundary(SAMPLE.len() * usize::from(place) / 65536);
        if let Err(error) = parse("k.ptx", &SAMPLE[..end]) {
            prop_assert!(error.to_string().starts_with("k.ptx, line "));
        }
    }

    #[test]
    fn any_words_are_read_or_refused(
        words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..40),
    ) {
        let text = file(&format!(".entry k {{ {}", words.join(" ")));
        if let Err(error) = parse("k.ptx", &text) {
            prop_assert!(error.to_string().starts_with("k.ptx, line "));
        }
    }
}
