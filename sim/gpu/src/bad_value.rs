//! Complaints about values of keys.

use toml::Value;

use crate::diagnostic::InputError;

/// The complaint about a value that `what` cannot have, which has the value `old`.
pub fn bad_value(given: &Value, what: &str, old: &Value, error: &toml::de::Error) -> InputError {
    let reason = error.message().replace('\n', " ");
    let complaint = InputError::new(format!("bad value `{given}` for {what}: {reason}"));
    match reason.contains("expected one of") {
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
