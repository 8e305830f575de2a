//! The words of a PTX file.

use winnow::ascii::{digit0, digit1, multispace0};
use winnow::combinator::{alt, delimited, dispatch, opt, peek, preceded, repeat};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::token::{any, one_of, take_till, take_until, take_while};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'t> {
    /// A name, or an opcode up to its first dot.
    Word(&'t str),
    /// A word behind a dot: a directive, a type, a modifier, a component. Without the dot.
    Dotted(&'t str),
    /// A whole number.
    Integer {
        /// Its value.
        bits: u64,
        /// Whether it ends with `U`.
        unsigned: bool,
    },
    /// The bits of an f32, `0f3F800000`.
    Single(u32),
    /// The bits of an f64, `0d3FF0000000000000` or `1.0`.
    Double(u64),
    /// A string.
    Text,
    /// One or two characters of punctuation.
    Symbol(&'t str),
    /// The file ends.
    End,
}

/// A part of the text, or that there is none.
type Lexed<T> = winnow::Result<T, EmptyError>;

/// Takes white space and comments off the front of `rest`. Fails at a comment that does not end.
pub(super) fn blank(rest: &mut &str) -> Lexed<()> {
    loop {
        multispace0.parse_next(rest)?;
        match rest.as_bytes() {
            // `@@DWARF` lines stand in files of PTX 1.
            [b'/', b'/', ..] | [b'#', ..] | [b'@', b'@', ..] => {
                take_till(0.., '\n').void().parse_next(rest)?;
            }
            // The mark of its byte order, at the beginning of a file.
            [0xef, 0xbb, 0xbf, ..] => *rest = &rest[3..],
            [b'/', b'*', ..] => {
                delimited("/*", take_until(0.., "*/"), "*/").void().parse_next(rest)?;
            }
            _ => return Ok(()),
        }
    }
}

/// Takes a word off the front of `rest`, where no [`blank`] is. Fails where no word begins.
pub(super) fn kind<'t>(rest: &mut &'t str) -> Lexed<Kind<'t>> {
    if rest.is_empty() {
        return Ok(Kind::End);
    }
    dispatch! { peek(any);
        'a'..='z' | 'A'..='Z' => name.map(Kind::Word),
        '_' | '$' => alt(((any, name).take(), "_")).map(Kind::Word),
        '%' => alt(((any, name).take().map(Kind::Word), "%".map(Kind::Symbol))),
        '.' => dotted,
        '0'..='9' => alt((fraction, number)),
        '"' => delimited('"', take_till(0.., ['"', '\n']), '"').value(Kind::Text),
        '<' => alt(("<<", "<=", "<")).map(Kind::Symbol),
        '>' => alt((">>", ">=", ">")).map(Kind::Symbol),
        '=' => alt(("==", "=")).map(Kind::Symbol),
        '!' => alt(("!=", "!")).map(Kind::Symbol),
        '&' => alt(("&&", "&")).map(Kind::Symbol),
        '|' => alt(("||", "|")).map(Kind::Symbol),
        _ => one_of(SINGLE).take().map(Kind::Symbol),
    }
    .parse_next(rest)
}

/// Symbols that begin no longer one.
const SINGLE: [char; 18] =
    [',', ';', ':', '[', ']', '{', '}', '(', ')', '@', '+', '-', '*', '/', '~', '^', '?', '%'];

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '$'
}

fn name<'t>(rest: &mut &'t str) -> Lexed<&'t str> {
    take_while(1.., is_of_name).parse_next(rest)
}

/// `.global`, `.2d`, `.shared::cta`
fn dotted<'t>(rest: &mut &'t str) -> Lexed<Kind<'t>> {
    let more = repeat::<_, _, (), _, _>(0.., ("::", name));
    preceded('.', (name, more).take()).map(Kind::Dotted).parse_next(rest)
}

/// `1.5`, `1e-3`
fn fraction<'t>(rest: &mut &'t str) -> Lexed<Kind<'t>> {
    let exponent = || (one_of(['e', 'E']), opt(one_of(['+', '-'])), digit1).void();
    (digit1, alt((('.', digit0, opt(exponent())).void(), exponent())))
        .take()
        .verify_map(|text: &str| text.parse().ok().map(|value: f64| Kind::Double(value.to_bits())))
        .parse_next(rest)
}

fn number<'t>(rest: &mut &'t str) -> Lexed<Kind<'t>> {
    name.verify_map(number_of).parse_next(rest)
}

fn number_of(word: &str) -> Option<Kind<'static>> {
    let (prefix, digits) = word.split_at_checked(2).unwrap_or((word, ""));
    // `from_str_radix` alone would take a sign; there is none in a word.
    match prefix {
        "0f" | "0F" if digits.len() == 8 => {
            return u32::from_str_radix(digits, 16).ok().map(Kind::Single);
        }
        "0d" | "0D" if digits.len() == 16 => {
            return u64::from_str_radix(digits, 16).ok().map(Kind::Double);
        }
        _ => {}
    }
    let plain = word.strip_suffix('U');
    let unsigned = plain.is_some();
    let plain = plain.unwrap_or(word);
    let (radix, digits) = match prefix {
        "0x" | "0X" => (16, &plain[2..]),
        "0b" | "0B" => (2, &plain[2..]),
        _ if plain.len() > 1 && plain.starts_with('0') => (8, &plain[1..]),
        _ => (10, plain),
    };
    Some(Kind::Integer { bits: u64::from_str_radix(digits, radix).ok()?, unsigned })
}
