//! What readers of sources and gates share: numbers, keys, and errors that point at their part.

use super::syntax::{Part, Word};
use super::{CompositionError, CompositionErrorKind as Kind};
use std::str::FromStr;

/// Reads the parts of one scheduler's name.
pub(crate) struct Reader<'t> {
    pub(super) text: &'t str,
}

impl Reader<'_> {
    /// Gives each key of `part` with its value to `set`, which says what it expected of a bad
    /// value, or `None` of a key that `name` does not have.
    pub(crate) fn configure(
        &self,
        part: &Part<'_>,
        name: &str,
        mut set: impl FnMut(&str, &str) -> Result<(), Option<&'static str>>,
    ) -> Result<(), CompositionError> {
        self.no_repeated_key(part)?;
        for &(key, value) in &part.arguments {
            set(key.text, value.text).map_err(|expected| match expected {
                Some(expected) => self.error(bad_value(key, value, expected), value),
                None => self.unknown_key(name, key),
            })?;
        }
        Ok(())
    }

    /// For a source or gate without keys.
    pub(crate) fn no_keys(&self, part: &Part<'_>) -> Result<(), CompositionError> {
        self.configure(part, part.name.text, |_, _| Err(None))
    }

    /// The variant of a source that only comes in variants, by `find`.
    pub(crate) fn variant<T>(
        &self,
        part: &Part<'_>,
        find: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, CompositionError> {
        let name = part.name.text.to_owned();
        let Some(variant) = part.variant else {
            return Err(self.error(Kind::MissingVariant(name), part.name));
        };
        find(variant.text).ok_or_else(|| {
            self.error(Kind::UnknownVariant { name, variant: variant.text.to_owned() }, variant)
        })
    }

    /// A plain decimal number; no sign, which `FromStr` would accept.
    pub(crate) fn number<T: FromStr>(
        &self,
        key: Word<'_>,
        value: Word<'_>,
        expected: &'static str,
    ) -> Result<T, CompositionError> {
        let digits = value.text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { value.text.parse().ok() } else { None };
        number.ok_or_else(|| self.error(bad_value(key, value, expected), value))
    }

    /// For a source or gate without variants.
    pub(crate) fn no_variant(&self, part: &Part<'_>) -> Result<(), CompositionError> {
        let Some(variant) = part.variant else {
            return Ok(());
        };
        let (name, of) = (part.name.text.to_owned(), variant.text.to_owned());
        Err(self.error(Kind::UnknownVariant { name, variant: of }, variant))
    }

    /// A key may be given once.
    pub(super) fn no_repeated_key(&self, part: &Part<'_>) -> Result<(), CompositionError> {
        for (index, (key, _)) in part.arguments.iter().enumerate() {
            if part.arguments[..index].iter().any(|(earlier, _)| earlier.text == key.text) {
                return Err(self.error(Kind::RepeatedKey(key.text.to_owned()), *key));
            }
        }
        Ok(())
    }

    /// A key that the source or gate does not have.
    pub(super) fn unknown_key(&self, name: &str, key: Word<'_>) -> CompositionError {
        let (name, text) = (name.to_owned(), key.text.to_owned());
        self.error(Kind::UnknownKey { name, key: text }, key)
    }

    /// An error that points at a piece of the name.
    pub(crate) fn error(&self, kind: Kind, at: Word<'_>) -> CompositionError {
        CompositionError::new(kind, self.text, at.at, at.text.len())
    }
}

/// A value that its key does not take.
pub(super) fn bad_value(key: Word<'_>, value: Word<'_>, expected: &'static str) -> Kind {
    Kind::BadValue { key: key.text.to_owned(), value: value.text.to_owned(), expected }
}
