//! The shape of a scheduler's name: parts with a name, a variant and keys, without their meaning.

use super::{CompositionError, CompositionErrorKind as Kind};

/// A piece of the string and where it begins, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
}

/// The source or a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part<'t> {
    pub(crate) name: Word<'t>,
    pub(crate) variant: Option<Word<'t>>,
    /// Keys and their values in the order in which they are written.
    pub(crate) arguments: Vec<(Word<'t>, Word<'t>)>,
}

/// The source and then the gates of `text`: at least one part.
pub(crate) fn parts(text: &str) -> Result<Vec<Part<'_>>, CompositionError> {
    if text.is_empty() {
        return Err(CompositionError::new(Kind::Empty, text, 0, 0));
    }
    let mut scanner = Scanner { text, at: 0 };
    let mut parts = vec![scanner.part("scheduler")?];
    while scanner.eat('+') {
        parts.push(scanner.part("gate")?);
    }
    match scanner.rest() {
        "" => Ok(parts),
        rest => Err(scanner.error(Kind::TrailingGarbage(rest.to_owned()), rest.len())),
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn part(&mut self, what: &'static str) -> Result<Part<'t>, CompositionError> {
        let name = self.name(what)?;
        let variant = if self.eat('/') { Some(self.name("variant")?) } else { None };
        let arguments = if self.eat('(') { self.arguments()? } else { Vec::new() };
        Ok(Part { name, variant, arguments })
    }

    /// What stands between an opening parenthesis and the one that closes it.
    fn arguments(&mut self) -> Result<Vec<(Word<'t>, Word<'t>)>, CompositionError> {
        let mut arguments = Vec::new();
        loop {
            if self.rest().is_empty() {
                return Err(self.error(Kind::MissingParenthesis, 0));
            }
            let key = self.name("key")?;
            if !self.eat('=') {
                return Err(CompositionError::new(
                    Kind::MissingValue(key.text.to_owned()),
                    self.text,
                    key.at,
                    key.text.len(),
                ));
            }
            // Anything up to the next delimiter, so that a bad value is shown whole.
            arguments.push((key, self.word(|c| !"(),+=/".contains(c))));
            if self.eat(')') {
                return Ok(arguments);
            }
            if !self.eat(',') {
                return Err(self.error(Kind::MissingParenthesis, 0));
            }
        }
    }

    fn name(&mut self, what: &'static str) -> Result<Word<'t>, CompositionError> {
        let word = self.word(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if word.text.is_empty() {
            return Err(self.error(Kind::MissingName(what), 0));
        }
        Ok(word)
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> Word<'t> {
        let at = self.at;
        let rest = self.rest();
        let text = &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
        self.at += text.len();
        Word { text, at }
    }

    fn eat(&mut self, delimiter: char) -> bool {
        let found = self.rest().starts_with(delimiter);
        if found {
            self.at += delimiter.len_utf8();
        }
        found
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, kind: Kind, length: usize) -> CompositionError {
        CompositionError::new(kind, self.text, self.at, length)
    }
}
