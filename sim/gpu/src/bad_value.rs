//! Complaints about values of keys.

use toml::Value;

use crate::diagnostic::InputError;
use crate::plain::plain;

/// The complaint about a value that `what` cannot have, which has the value `old`.
pub fn bad_value(given: &Value, what: &str, old: &Value, error: &toml::de::Error) -> InputError {
    let reason = plain(&error.message().replace('\n', " "));
    // The value stands before it.
    let reason = reason.strip_prefix("found ").and_then(|found| found.split_once(", "));
    let reason = reason.map_or_else(|| plain(error.message()), |(_, expected)| expected.to_owned());
    let complaint = InputError::new(format!("bad value `{given}` for {what}: {reason}"));
    match reason.starts_with("unknown name") {
        true => complaint,
        false => complaint.help(expected(old)),
    }
}

fn expected(value: &Value) -> String {
    match value {
        Value::Integer(_) => "expected a whole number from 0 on".to_owned(),
        Value::Float(_) => "expected a number".to_owned(),
        Value::Boolean(_) => "expected true or false".to_owned(),
        Value::Array(_) => format!("expected a list of numbers, as {value}"),
        Value::String(word) => format!("expected a word, as {word}"),
        _ => format!("expected something like {value}"),
    }
}
