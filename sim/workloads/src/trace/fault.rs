//! What is wrong with a line of a trace.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use crate::diagnostic::InputError;

/// Most bytes of a word that a message repeats.
const MAX_SHOWN: usize = 40;

/// A line that cannot be used; the reader of the file adds its name and the line's number.
#[derive(Debug)]
pub(super) struct Fault {
    /// The bytes of the line that are wrong.
    span: Range<usize>,
    problem: String,
    expected: Cow<'static, str>,
}

/// A part of a line, or why it cannot be used.
pub(super) type Parsed<T> = Result<T, Box<Fault>>;

impl Fault {
    /// `problem` of the bytes `span` of a line.
    #[cold]
    pub fn new(
        span: Range<usize>,
        problem: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Box<Self> {
        Box::new(Self { span, problem: problem.into(), expected: expected.into() })
    }

    /// `field` is the bytes `span` of `text`, and these are `what`.
    #[cold]
    pub fn value(
        text: &[u8],
        span: Range<usize>,
        field: &str,
        what: &str,
        expected: impl Into<Cow<'static, str>>,
    ) -> Box<Self> {
        let word = shown(&text[span.clone()]);
        Self::new(span, format!("{field} is `{word}`, {what}"), expected)
    }

    /// The diagnostic for line `number`, which is `text`, of the file `path`.
    #[cold]
    pub fn at(self, path: &Path, number: u64, text: &[u8]) -> InputError {
        let place = |byte: usize| String::from_utf8_lossy(&text[..byte.min(text.len())]).len();
        let span = place(self.span.start)..place(self.span.end);
        let name = path.display().to_string();
        InputError::new(format!("{name}, line {number}: {}", self.problem))
            .at_line(&name, (number, &String::from_utf8_lossy(text)), span, self.problem)
            .help(format!("expected {}", self.expected))
    }
}

/// `word` as a message shows it: without control characters, and not much of a long one.
pub(super) fn shown(word: &[u8]) -> String {
    let mut shown = String::from_utf8_lossy(&word[..word.len().min(MAX_SHOWN)]).into_owned();
    if word.len() > MAX_SHOWN {
        shown.push_str("...");
    }
    shown.replace(char::is_control, "?")
}
