//! The syntax of liberty files: groups, which hold attributes and groups.
//!
//! ```text
//! library (cells) {                    a group with its arguments
//!   time_unit : "1ns";                 a simple attribute
//!   capacitive_load_unit (1, pf);      a complex one
//!   cell (INV) { area : 2.5; }
//! }
//! ```

use super::token::{Token, Tokens};
use std::iter::Peekable;

/// A group with what it holds, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// `library`, `cell`, `pin`, `timing`.
    pub kind: String,
    /// What stands in its parentheses.
    pub arguments: Vec<String>,
    /// Where it starts.
    pub line: usize,
    /// Simple and complex attributes.
    pub attributes: Vec<Attribute>,
    /// The groups in it.
    pub groups: Vec<Group>,
}

/// An attribute: one value behind a colon, or several in parentheses.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// `area`.
    pub name: String,
    /// Without quotes.
    pub values: Vec<String>,
    /// Where it stands.
    pub line: usize,
}

/// What is wrong in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What is there.
    pub found: String,
    /// What should be.
    pub expected: String,
}

impl Group {
    /// The first argument; empty where there is none.
    pub fn name(&self) -> &str {
        self.arguments.first().map_or("", String::as_str)
    }

    /// The groups of this kind.
    pub fn all<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Group> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// The last attribute with this name, as the last one counts.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().rev().find(|attribute| attribute.name == name)
    }

    /// The first value of an attribute.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).and_then(|attribute| attribute.values.first()).map(String::as_str)
    }

    /// A number, if the attribute is there.
    ///
    /// # Errors
    /// When it is no number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, Fault> {
        self.attribute(name).map(Attribute::number).transpose()
    }
}

impl Attribute {
    /// Its first value as a number.
    ///
    /// # Errors
    /// When it is none.
    pub fn number(&self) -> Result<f64, Fault> {
        let text = self.values.first().map_or("", String::as_str);
        number(text).ok_or_else(|| Fault {
            line: self.line,
            found: format!("`{}` is `{text}`", self.name),
            expected: "a number".to_owned(),
        })
    }

    /// All numbers of its values, which may hold several each.
    ///
    /// # Errors
    /// When one is none.
    pub fn numbers(&self) -> Result<Vec<f64>, Fault> {
        let words = self.values.iter().flat_map(|value| value.split([',', ' ', '\t', '\n']));
        let numbers = words.filter(|word| !word.is_empty()).map(|word| {
            number(word).ok_or_else(|| Fault {
                line: self.line,
                found: format!("`{word}` in `{}`", self.name),
                expected: "numbers".to_owned(),
            })
        });
        numbers.collect()
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// How deep groups may nest; real files have seven levels at most.
const DEEPEST: usize = 32;

/// The outermost group of a file.
///
/// # Errors
/// What is wrong, and in which line.
pub fn parse(text: &str) -> Result<Group, Fault> {
    let mut reader = Reader { tokens: Tokens::new(text).peekable(), line: 1 };
    let kind = reader.word("`library (name) {`")?;
    let group = match reader.item(kind, 0)? {
        Item::Group(group) => group,
        Item::Attribute(attribute) => {
            let expected = "`library (name) {`".to_owned();
            return Err(Fault { line: attribute.line, found: attribute.name, expected });
        }
    };
    match reader.next() {
        None => Ok(group),
        Some(token) => Err(reader.fault(&token.shown(), "the end of the file")),
    }
}

enum Item {
    Group(Group),
    Attribute(Attribute),
}

struct Reader<'a> {
    tokens: Peekable<Tokens<'a>>,
    /// Of the last token.
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Token> {
        let (line, token) = self.tokens.next()?;
        self.line = line;
        Some(token)
    }

    fn peek(&mut self) -> Option<&Token> {
        self.tokens.peek().map(|(_, token)| token)
    }

    fn skip(&mut self, mark: char) -> bool {
        let is_next = self.peek() == Some(&Token::Mark(mark));
        if is_next {
            self.next();
        }
        is_next
    }

    fn fault(&self, found: &str, expected: &str) -> Fault {
        Fault { line: self.line, found: found.to_owned(), expected: expected.to_owned() }
    }

    fn unexpected(&self, token: Option<Token>, expected: &str) -> Fault {
        let found = token.map_or("the end of the file".to_owned(), |token| token.shown());
        self.fault(&found, expected)
    }

    fn word(&mut self, expected: &str) -> Result<String, Fault> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            other => Err(self.unexpected(other, expected)),
        }
    }

    /// The attribute or group that starts with this name.
    fn item(&mut self, name: String, depth: usize) -> Result<Item, Fault> {
        let line = self.line;
        match self.next() {
            Some(Token::Mark(':')) => {
                let values = vec![self.simple(&name)?];
                Ok(Item::Attribute(Attribute { name, values, line }))
            }
            Some(Token::Mark('(')) => {
                let values = self.arguments()?;
                if self.skip('{') {
                    return self.group(
                        Group { kind: name, arguments: values, line, ..Group::default() },
                        depth,
                    );
                }
                self.skip(';');
                Ok(Item::Attribute(Attribute { name, values, line }))
            }
            other => Err(self.unexpected(other, &format!("`:` or `(` behind `{name}`"))),
        }
    }

    /// The value of a simple attribute, up to its semicolon or the end of its line.
    fn simple(&mut self, name: &str) -> Result<String, Fault> {
        let mut value = self.word(&format!("a value of `{name}`"))?;
        let line = self.line;
        while !self.skip(';') {
            match self.tokens.peek() {
                Some((next, Token::Word(_))) if *next == line => {
                    value = format!("{value} {}", self.word("a value")?);
                }
                _ => break,
            }
        }
        Ok(value)
    }

    fn arguments(&mut self) -> Result<Vec<String>, Fault> {
        let mut arguments = Vec::new();
        loop {
            match self.next() {
                Some(Token::Word(word)) => arguments.push(word),
                Some(Token::Mark(',')) => {}
                Some(Token::Mark(')')) => return Ok(arguments),
                // Bits of a bus, in a few files: `pin (A[1:0])`.
                Some(Token::Mark(':')) => {}
                other => return Err(self.unexpected(other, "`)`")),
            }
        }
    }

    fn group(&mut self, mut group: Group, depth: usize) -> Result<Item, Fault> {
        if depth >= DEEPEST {
            let found = format!("`{}` in {DEEPEST} groups", group.kind);
            return Err(self.fault(&found, "fewer groups in each other"));
        }
        loop {
            match self.next() {
                Some(Token::Mark('}')) => {
                    self.skip(';');
                    return Ok(Item::Group(group));
                }
                Some(Token::Mark(';')) => {}
                Some(Token::Word(name)) => match self.item(name, depth + 1)? {
                    Item::Group(inner) => group.groups.push(inner),
                    Item::Attribute(attribute) => group.attributes.push(attribute),
                },
                other => {
                    let open = format!("`}}` for `{}` of line {}", group.kind, group.line);
                    return Err(self.unexpected(other, &open));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn groups_attributes_comments_and_continued_lines_are_read() {
        let text = "/* a\n comment */ library (cells) {\n  time_unit : \"1ns\"; // no more\n  \
                    capacitive_load_unit (1,pf);\n  cell (INV) {\n    area : 2.5\n    \
                    values ( \\\n \"1, 2\", \\\n \"3, \\\n 4\" );\n  };\n}\n";
        let library = parse(text).expect("it reads");
        assert_eq!((library.kind.as_str(), library.name()), ("library", "cells"));
        assert_eq!(library.value("time_unit"), Some("1ns"));
        let unit = library.attribute("capacitive_load_unit").expect("an attribute");
        assert_eq!(
            (unit.values.as_slice(), unit.line),
            (["1", "pf"].map(str::to_owned).as_slice(), 4)
        );
        let cell = library.all("cell").next().expect("a cell");
        assert_eq!((cell.name(), cell.line, cell.number("area")), ("INV", 5, Ok(Some(2.5))));
        let values = cell.attribute("values").expect("an attribute").numbers();
        assert_eq!(values, Ok(vec![1.0, 2.0, 3.0, 4.0]));
    }

    #[test]
    fn faults_name_the_line_what_is_there_and_what_is_expected() {
        let table = [
            ("", 1, "the end of the file", "`library (name) {`"),
            ("library (a) {\n cell (b) {\n", 2, "the end of the file", "`}` for `cell` of line 2"),
            ("library (a) {\n area 5;\n}", 2, "`5`", "`:` or `(` behind `area`"),
            ("library (a) {\n area : ;\n}", 2, "`;`", "a value of `area`"),
            ("library (a {\n}", 1, "`{`", "`)`"),
            ("library (a) { }\n}", 2, "`}`", "the end of the file"),
            ("library (a) {\n b : \"c;\n}", 2, "a string without its end", "a value of `b`"),
            (
                "library (a) {\n /* b\n}",
                2,
                "a comment without its end",
                "`}` for `library` of line 1",
            ),
        ];
        for (text, line, found, expected) in table {
            let fault = Fault { line, found: found.to_owned(), expected: expected.to_owned() };
            assert_eq!(parse(text), Err(fault), "{text}");
        }
        let area = parse("library (a) {\n\n area : big;\n}").expect("it reads").number("area");
        let fault = area.expect_err("no number");
        assert_eq!((fault.line, fault.found.as_str()), (3, "`area` is `big`"));
    }

    #[test]
    fn groups_nest_thirty_two_deep_and_no_deeper() {
        let nested = |depth: usize| "a () {".repeat(depth) + &"}".repeat(depth);
        assert!(parse(&nested(DEEPEST)).is_ok());
        assert!(parse(&nested(DEEPEST + 1)).is_err());
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "[a-c(){}:;,\"/* \n\\\\]{0,60}") {
            if let Err(fault) = parse(&text) {
                prop_assert!(fault.line >= 1 && fault.line <= text.lines().count().max(1) + 1);
            }
        }
    }
}
