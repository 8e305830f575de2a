//! The words of liberty files, without comments.

use std::iter::Peekable;
use std::str::Chars;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name, a number or a string, without its quotes.
    Word(String),
    /// One of `( ) { } : ; ,`.
    Mark(char),
    /// A string or a comment without an end.
    Open(&'static str),
}

impl Token {
    /// For messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Mark(mark) => format!("`{mark}`"),
            Self::Open(what) => format!("{what} without its end"),
        }
    }
}

/// The pieces of a file, each with its line.
pub struct Tokens<'a> {
    text: Peekable<Chars<'a>>,
    line: usize,
}

impl<'a> Tokens<'a> {
    /// The pieces of this text.
    pub fn new(text: &'a str) -> Self {
        Self { text: text.chars().peekable(), line: 1 }
    }

    fn take(&mut self) -> Option<char> {
        let taken = self.text.next()?;
        self.line += usize::from(taken == '\n');
        Some(taken)
    }

    /// What stands behind `/`: a comment that is skipped, or nothing of the kind.
    fn comment(&mut self) -> Option<Result<(), Token>> {
        match self.text.peek() {
            Some('/') => {
                while self.text.peek().is_some_and(|&next| next != '\n') {
                    self.take();
                }
                Some(Ok(()))
            }
            Some('*') => {
                self.take();
                let mut before = ' ';
                while let Some(now) = self.take() {
                    if (before, now) == ('*', '/') {
                        return Some(Ok(()));
                    }
                    before = now;
                }
                Some(Err(Token::Open("a comment")))
            }
            _ => None,
        }
    }

    fn string(&mut self) -> Token {
        let mut text = String::new();
        while let Some(next) = self.take() {
            match next {
                '"' => return Token::Word(text),
                // The line goes on in the next one.
                '\\' if matches!(self.text.peek(), Some('\n' | '\r')) => {}
                _ => text.push(next),
            }
        }
        Token::Open("a string")
    }
}

impl Iterator for Tokens<'_> {
    type Item = (usize, Token);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.line;
            let first = self.take()?;
            match first {
                '"' => return Some((line, self.string())),
                '(' | ')' | '{' | '}' | ':' | ';' | ',' => return Some((line, Token::Mark(first))),
                '/' => match self.comment() {
                    Some(Ok(())) => continue,
                    Some(Err(open)) => return Some((line, open)),
                    None => {}
                },
                '\\' => continue,
                _ if first.is_whitespace() => continue,
                _ => {}
            }
            let mut word = String::from(first);
            let ends = |next: char| next.is_whitespace() || "(){}:;,\"\\".contains(next);
            while let Some(&next) = self.text.peek().filter(|&&next| !ends(next)) {
                word.push(next);
                self.take();
            }
            return Some((line, Token::Word(word)));
        }
    }
}
