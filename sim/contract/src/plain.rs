//! What libraries say of values, without the names of Rust's types.

/// How messages of `serde` and `toml` call a type, and what it is for those who write files.
const WORDS: [(&str, &str); 16] = [
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number from 0 on"),
    ("usize", "a whole number from 0 on"),
    ("i8", "a whole number from -128 to 127"),
    ("i16", "a whole number from -32768 to 32767"),
    ("i32", "a whole number from -2147483648 to 2147483647"),
    ("i64", "a whole number"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("a map", "a table"),
    ("a string", "a text in quotes"),
    ("unit", "nothing"),
];

/// How such messages begin, and what they should say.
const BEGINNINGS: [(&str, &str); 9] = [
    ("invalid type: integer ", "found "),
    ("invalid type: floating point ", "found "),
    ("invalid type: string ", "found "),
    ("invalid type: boolean ", "found "),
    ("invalid type: sequence", "found a list"),
    ("invalid type: map", "found a table"),
    ("invalid type: null", "found nothing"),
    ("invalid value: integer ", "found "),
    ("invalid value: ", "found "),
];

/// `message` in plain words: "invalid type: string "four", expected u32" becomes "found "four",
/// expected a whole number from 0 to 4294967295".
pub fn plain(message: &str) -> String {
    let mut text = message.to_owned();
    for (beginning, plain) in BEGINNINGS {
        if let Some(rest) = text.strip_prefix(beginning) {
            text = format!("{plain}{rest}");
            break;
        }
    }
    text = text.replace("unknown field", "unknown key").replace("missing field", "missing key");
    text = text.replace("duplicate field", "key twice:").replace("unknown variant", "unknown name");
    let Some((start, expected)) = text.rsplit_once("expected ") else { return text };
    if expected.starts_with("struct ") {
        return format!("{start}expected a table");
    }
    if expected.starts_with("enum ") {
        return format!("{start}expected a name");
    }
    match WORDS.iter().find(|(word, _)| *word == expected) {
        Some((_, plain)) => format!("{start}expected {plain}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_rust_become_what_may_be_written() {
        for (message, expected) in [
            (
                "invalid type: string \"four\", expected u32",
                "found \"four\", expected a whole number from 0 to 4294967295",
            ),
            (
                "invalid value: integer `-4`, expected u32",
                "found `-4`, expected a whole number from 0 to 4294967295",
            ),
            (
                "invalid type: floating point `0.5`, expected i64",
                "found `0.5`, expected a whole number",
            ),
            (
                "invalid type: sequence, expected a string",
                "found a list, expected a text in quotes",
            ),
            ("invalid type: integer `1`, expected a boolean", "found `1`, expected true or false"),
            ("invalid type: integer `4`, expected struct Relation", "found `4`, expected a table"),
            (
                "unknown field `a`, expected one of `b`, `c`",
                "unknown key `a`, expected one of `b`, `c`",
            ),
            ("missing field `count`", "missing key `count`"),
            ("anything else", "anything else"),
        ] {
            assert_eq!(plain(message), expected);
        }
    }
}
