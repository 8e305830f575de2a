//! Why a `--set key=value` of a workload was refused.

use crate::key::{asked, Key};
use miette::Diagnostic;
use thiserror::Error;

/// Why a setting was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum SetError {
    /// A key that does not exist.
    #[error("unknown key `{key}`")]
    #[diagnostic(code(blockyard::set), help("{}", keys_are(key, known)))]
    UnknownKey {
        /// The key as given.
        key: String,
        /// All keys.
        known: Vec<&'static str>,
    },
    /// A value that the key does not take.
    #[error("`{key}` cannot be `{value}`")]
    #[diagnostic(code(blockyard::set), help("expected {expected}"))]
    BadValue {
        /// The key.
        key: String,
        /// The value as given.
        value: String,
        /// What the key takes.
        expected: String,
    },
    /// A key that says nothing in combination with another setting.
    #[error("`{key}` does nothing with `{with}`")]
    #[diagnostic(code(blockyard::set), help("the keys that count there are {}", keys.join(", ")))]
    Unused {
        /// The key.
        key: String,
        /// The setting that makes it useless.
        with: String,
        /// The keys that are of use.
        keys: Vec<String>,
    },
    /// Settings that are valid one by one and too much together.
    #[error("{what} is {value}, more than {limit}")]
    #[diagnostic(code(blockyard::set), help("expected at most {limit}; lower {}", keys.join(" or ")))]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How large it would be.
        value: u64,
        /// How large it may be.
        limit: u64,
        /// The keys that decide on it.
        keys: &'static [&'static str],
    },
}

/// The keys, and of which one `key` may be a slip.
fn keys_are(key: &str, known: &[&'static str]) -> String {
    asked(key, known.iter().copied(), &format!("the keys are {}", known.join(", ")))
}

impl SetError {
    /// That `key` is none of `known`.
    pub fn unknown(key: &str, known: &[Key]) -> Self {
        let known = known.iter().map(|known| known.name).collect();
        Self::UnknownKey { key: key.to_owned(), known }
    }

    /// The whole number `value` for `key`, from `least` to `most`.
    ///
    /// # Errors
    /// [`SetError::BadValue`] when it is not one.
    pub fn number(key: &str, value: &str, least: u32, most: u32) -> Result<u32, Self> {
        match value.parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(Self::BadValue {
                key: key.to_owned(),
                value: value.to_owned(),
                expected: format!("a whole number from {least} to {most}"),
            }),
        }
    }
}
