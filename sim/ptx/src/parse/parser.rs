//! The state of a parser, its steps from token to token, and its complaints.

use super::lexer::{blank, kind, Kind};
use crate::ast::Span;
use crate::diagnostic::InputError;

/// A part of the tree, or what is wrong.
pub(super) type Parsed<T> = Result<T, InputError>;

/// How deeply blocks, vectors, initialisers and expressions may nest, together.
pub(super) const MAX_DEPTH: u32 = 64;

/// Most characters of a word that a message repeats.
const MAX_SHOWN: usize = 40;

/// Reads tokens from the front of a text; the next one is known.
pub(super) struct Parser<'t> {
    name: &'t str,
    text: &'t str,
    /// What stands behind the next token.
    rest: &'t str,
    next: Kind<'t>,
    /// Where the next token begins.
    start: usize,
    /// Where the token before ended.
    end_before: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    pub fn new(name: &'t str, text: &'t str) -> Parsed<Self> {
        let next = Kind::End;
        let mut parser = Self { name, text, rest: text, next, start: 0, end_before: 0, depth: 0 };
        parser.advance()?;
        Ok(parser)
    }

    /// The next token, which stays.
    pub fn peek(&self) -> Kind<'t> {
        self.next
    }

    /// The token behind the next one, if it is one.
    pub fn peek_second(&self) -> Option<Kind<'t>> {
        let mut rest = self.rest;
        blank(&mut rest).and_then(|()| kind(&mut rest)).ok()
    }

    /// Whether the next token stands right behind the one before.
    pub fn is_adjacent(&self) -> bool {
        self.start == self.end_before
    }

    /// Whether the next token stands in the line in which the one before ends.
    pub fn is_in_same_line(&self) -> bool {
        !self.text[self.end_before..self.start].contains('\n')
    }

    /// Where the next token stands.
    pub fn span(&self) -> Span {
        self.start..self.text.len() - self.rest.len()
    }

    /// Where the tokens from byte `start` to the one before the next one stand.
    pub fn span_from(&self, start: usize) -> Span {
        start..self.end_before
    }

    /// The next token as it is written.
    pub fn written(&self) -> &'t str {
        &self.text[self.span()]
    }

    /// Steps over the next token.
    pub fn advance(&mut self) -> Parsed<()> {
        self.end_before = self.text.len() - self.rest.len();
        let blank = blank(&mut self.rest);
        self.start = self.text.len() - self.rest.len();
        if blank.is_err() {
            let span = self.start..self.start + 2;
            return Err(self.fault(span, "this comment does not end", "`*/`"));
        }
        let Ok(next) = kind(&mut self.rest) else { return Err(self.no_token()) };
        self.next = next;
        Ok(())
    }

    /// Whether the next token is `symbol`.
    pub fn is(&self, symbol: &str) -> bool {
        self.next == Kind::Symbol(symbol)
    }

    /// Steps over `symbol` if it comes next, and says whether it did.
    pub fn accept(&mut self, symbol: &str) -> Parsed<bool> {
        let accepted = self.is(symbol);
        if accepted {
            self.advance()?;
        }
        Ok(accepted)
    }

    /// Steps over `symbol`, which is needed; `expected` names all that could have come.
    pub fn expect(&mut self, symbol: &str, expected: &str) -> Parsed<()> {
        if self.accept(symbol)? {
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    /// The name that comes next, and where it stands; `what` is expected.
    pub fn word(&mut self, what: &str) -> Parsed<(&'t str, Span)> {
        let Kind::Word(word) = self.next else { return Err(self.unexpected(what)) };
        let span = self.span();
        self.advance()?;
        Ok((word, span))
    }

    /// Steps over everything up to and with `symbol`.
    pub fn skip_behind(&mut self, symbol: &str) -> Parsed<()> {
        while !self.is(symbol) {
            if self.next == Kind::End {
                return Err(self.unexpected(&format!("`{symbol}`")));
            }
            self.advance()?;
        }
        self.advance()
    }

    /// Steps over `open`, everything behind it, and the `close` that belongs to it.
    pub fn skip_group(&mut self, open: &str, close: &str) -> Parsed<()> {
        self.expect(open, &format!("`{open}`"))?;
        let mut depth = 1_usize;
        while depth > 0 {
            if self.next == Kind::End {
                return Err(self.unexpected(&format!("`{close}`")));
            } else if self.is(open) {
                depth += 1;
            } else if self.is(close) {
                depth -= 1;
            }
            self.advance()?;
        }
        Ok(())
    }

    /// Items with commas between them up to `close`, or `close` alone; what opens them is read.
    pub fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.accept(close)? {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.accept(",")? {
                if !self.accept(close)? {
                    return Err(self.unexpected(&format!("`,` or `{close}`")));
                }
                return Ok(items);
            }
        }
    }

    /// Runs `parse` one level deeper.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} levels");
            return Err(self.fault(self.span(), "this is nested too deeply", &expected));
        }
        self.depth += 1;
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    /// The next token cannot stand here; `expected` could.
    #[cold]
    pub fn unexpected(&self, expected: &str) -> InputError {
        if self.next == Kind::End {
            // Shown behind the last word: behind the last line, nothing could be seen.
            return self.fault(self.span_from(self.end_before), "the file ends here", expected);
        }
        let problem = format!("`{}` cannot stand here", shown(self.written()));
        self.fault(self.span(), &problem, expected)
    }

    /// `problem` at the bytes `span`.
    #[cold]
    pub fn fault(&self, span: Span, problem: &str, expected: &str) -> InputError {
        let name = self.name;
        let line = self.text[..span.start].bytes().filter(|byte| *byte == b'\n').count() + 1;
        InputError::new(format!("{name}, line {line}: {problem}"))
            .at(name, self.text, span, problem)
            .help(format!("expected {expected}"))
    }

    /// No token begins at `start`.
    #[cold]
    fn no_token(&self) -> InputError {
        let rest = &self.text[self.start..];
        let first = rest.chars().next().unwrap_or_default();
        if first == '"' {
            let expected = "`\"` in the same line";
            return self.fault(self.start..self.start + 1, "this string does not end", expected);
        }
        if !first.is_ascii_digit() {
            let span = self.start..self.start + first.len_utf8();
            let problem = format!("`{}` begins nothing", shown(&self.text[span.clone()]));
            return self.fault(span, &problem, "a name, a number, a directive or punctuation");
        }
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let problem = format!("`{}` is not a number of 64 bits", shown(&rest[..length]));
        let expected = "a number such as `42`, `0x2A`, `052`, `0b101010`, `4.2e1`, `0f` with 8 \
                        hexadecimal digits or `0d` with 16";
        self.fault(self.start..self.start + length, &problem, expected)
    }
}

/// `word` as a message shows it: without control characters, and not much of a long one.
fn shown(word: &str) -> String {
    let end = word.floor_char_boundary(MAX_SHOWN);
    let dots = if end < word.len() { "..." } else { "" };
    word[..end].replace(char::is_control, "?") + dots
}
