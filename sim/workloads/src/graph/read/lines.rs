//! A text file line by line, and the numbers in its columns.

use std::{
    io::{BufRead, Read},
    num::IntErrorKind,
    path::Path,
};

use crate::graph::{GraphError, Problem};

/// Most bytes of a line, so that a binary file without line ends is refused and not swallowed.
pub(super) const MAX_LINE: usize = 1 << 20;

/// Most characters of a word that a message repeats.
const MAX_SHOWN: usize = 40;

/// The lines of a graph file, of which one is current.
pub(super) struct Lines<'p, R> {
    reader: R,
    path: &'p Path,
    text: String,
    number: u64,
}

/// A word of the current line and the byte at which it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub start: usize,
}

impl Token<'_> {
    /// The word as a message shows it: without control characters, and not much of a long one.
    pub fn shown(self) -> String {
        let mut shown: String = self.text.chars().take(MAX_SHOWN).collect();
        if shown.len() < self.text.len() {
            shown.push_str("...");
        }
        shown.replace(char::is_control, "?")
    }
}

impl<'p, R: BufRead> Lines<'p, R> {
    /// Before the first line.
    pub fn new(reader: R, path: &'p Path) -> Self {
        Self { reader, path, text: String::new(), number: 0 }
    }

    /// Goes to the next line; false at the end of the file, where the last line stays current.
    pub fn advance(&mut self) -> Result<bool, GraphError> {
        let mut raw = Vec::new();
        if self.reader.fill_buf().is_ok_and(|rest| !rest.is_empty()) {
            // Keep the buffer of the line before.
            raw = std::mem::take(&mut self.text).into_bytes();
            raw.clear();
        }
        let mut limited = (&mut self.reader).take(MAX_LINE as u64 + 1);
        let read = limited
            .read_until(b'\n', &mut raw)
            .map_err(|e| self.fail_file(Problem::Unreadable(e), "a readable file"))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if raw.len() > MAX_LINE {
            return Err(self.fail_raw(&raw, Problem::LineTooLong(MAX_LINE)));
        }
        while raw.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
            raw.pop();
        }
        self.text =
            String::from_utf8(raw).map_err(|e| self.fail_raw(e.as_bytes(), Problem::NotText))?;
        Ok(true)
    }

    /// Goes to the next line that is not blank; false at the end of the file.
    pub fn advance_past_blanks(&mut self) -> Result<bool, GraphError> {
        while self.advance()? {
            if !self.is_blank() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The current line without its end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the current line is blank.
    pub fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    /// The words of the current line.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        self.tokens_from(0)
    }

    /// The words of the current line from byte `from` on.
    pub fn tokens_from(&self, from: usize) -> impl Iterator<Item = Token<'_>> {
        let line = self.text.as_ptr() as usize;
        let words = self.text[from..].split_ascii_whitespace();
        words.map(move |text| Token { text, start: text.as_ptr() as usize - line })
    }

    /// The next word of `tokens`, which is `what`.
    pub fn required<'a>(
        &'a self,
        tokens: &mut impl Iterator<Item = Token<'a>>,
        what: &'static str,
        expected: &str,
    ) -> Result<Token<'a>, GraphError> {
        let missing = || self.fail_line(Problem::Missing(what), expected);
        tokens.next().ok_or_else(missing)
    }

    /// Refuses a line that has more words.
    pub fn no_more<'a>(
        &'a self,
        tokens: &mut impl Iterator<Item = Token<'a>>,
        expected: &str,
    ) -> Result<(), GraphError> {
        match tokens.next() {
            None => Ok(()),
            Some(token) => Err(self.fail(token, Problem::LeftOver(token.shown()), expected)),
        }
    }

    /// The number `token`, `what`, which is at most `limit`.
    pub fn unsigned(
        &self,
        token: Token<'_>,
        what: &'static str,
        limit: u32,
    ) -> Result<u32, GraphError> {
        let value = || token.shown();
        let too_large = || Problem::TooLarge { what, value: value(), limit };
        let problem = match token.text.parse::<u32>() {
            Ok(number) if number <= limit => return Ok(number),
            Ok(_) => too_large(),
            Err(e) if *e.kind() == IntErrorKind::PosOverflow => too_large(),
            Err(_) => match token.text.strip_prefix('-') {
                Some(digits) if is_digits(digits) => Problem::Negative { what, value: value() },
                _ => Problem::NotANumber { what, value: value() },
            },
        };
        Err(self.fail(token, problem, format!("a whole number from 0 to {limit}")))
    }

    /// The vertex `token` of a format that counts from `first` (0 or 1), as a number from 0.
    pub fn vertex(&self, token: Token<'_>, first: u32, vertices: u32) -> Result<u32, GraphError> {
        let vertex = self.unsigned(token, "a vertex", u32::MAX)?;
        match vertex.checked_sub(first) {
            Some(index) if index < vertices => Ok(index),
            _ => {
                let last = (vertices + first).saturating_sub(1);
                let problem = Problem::VertexOutOfRange { vertex, first, last };
                let expected = format!("one of the {vertices} vertices, counted from {first}");
                Err(self.fail(token, problem, expected))
            }
        }
    }

    /// The finite number `token`, `what`.
    pub fn real(&self, token: Token<'_>, what: &'static str) -> Result<f64, GraphError> {
        match token.text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => {
                let value = token.shown();
                Err(self.fail(token, Problem::NotANumber { what, value }, "a finite number"))
            }
        }
    }

    /// The whole number `token`, `what`, of either sign.
    pub fn integer(&self, token: Token<'_>, what: &'static str) -> Result<f64, GraphError> {
        let number = token.text.parse::<i64>().map_err(|_| {
            let value = token.shown();
            self.fail(token, Problem::NotANumber { what, value }, "a whole number")
        })?;
        Ok(number as f64)
    }

    /// A problem of one word of the current line.
    pub fn fail(
        &self,
        token: Token<'_>,
        problem: Problem,
        expected: impl Into<String>,
    ) -> GraphError {
        let line = (self.number, self.text.as_str());
        let place = (token.start, token.text.len());
        GraphError::of_line(self.path, problem, expected, line, place)
    }

    /// A problem of the current line.
    pub fn fail_line(&self, problem: Problem, expected: impl Into<String>) -> GraphError {
        let text = self.text.trim_ascii();
        let start = text.as_ptr() as usize - self.text.as_ptr() as usize;
        self.fail(Token { text, start }, problem, expected)
    }

    /// A problem of the file as a whole.
    pub fn fail_file(&self, problem: Problem, expected: impl Into<String>) -> GraphError {
        GraphError::of_file(self.path, problem, expected)
    }

    fn fail_raw(&self, raw: &[u8], problem: Problem) -> GraphError {
        let shown = String::from_utf8_lossy(&raw[..raw.len().min(80)]);
        let line = (self.number, shown.as_ref());
        GraphError::of_line(self.path, problem, "a line of text", line, (0, shown.len()))
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
