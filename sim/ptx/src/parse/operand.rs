//! Operands of instructions.

use super::constant::Constant;
use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use crate::ast::Operand;

/// What an operand may be.
pub(super) const OPERAND: &str =
    "an operand: a name, a number, `[address]`, `!predicate` or `{a, b}`";

/// Whether `token` is a name of something that is no constant.
fn is_name(token: Kind) -> bool {
    matches!(token, Kind::Word(name) if name != "WARP_SZ")
}

impl Parser<'_> {
    /// One operand; `expected` is said where none begins. Parentheses are a list where `lists` says
    /// so, and a constant's otherwise.
    pub fn operand(&mut self, lists: bool, expected: &str) -> Parsed<Operand> {
        match self.peek() {
            token if is_name(token) => self.named(),
            Kind::Symbol("[") => self.bracketed(),
            Kind::Symbol("{") => self.nested(|parser| parser.operands("}")).map(Operand::Vector),
            Kind::Symbol("(") if lists => {
                self.nested(|parser| parser.operands(")")).map(Operand::List)
            }
            Kind::Symbol("!") if self.peek_second().is_some_and(is_name) => {
                self.advance()?;
                self.component(expected).map(Operand::Not)
            }
            Kind::Symbol("-") if self.peek_second().is_some_and(is_name) => {
                self.advance()?;
                self.component(expected).map(Operand::Minus)
            }
            _ => Ok(number(self.constant(expected)?)),
        }
    }

    /// The operands behind the next token up to `close`. Only a list may be empty.
    fn operands(&mut self, close: &str) -> Parsed<Vec<Operand>> {
        self.advance()?;
        if close == "}" && self.is(close) {
            return Err(self.unexpected(OPERAND));
        }
        self.list(close, |parser| parser.operand(false, OPERAND))
    }

    /// A name with its components: `%tid.x`.
    fn component(&mut self, expected: &str) -> Parsed<String> {
        let mut name = self.word(expected)?.0.to_owned();
        while let Kind::Dotted(component) = self.peek() {
            // Behind a space it is a directive, and a semicolon is missing.
            if !self.is_adjacent() {
                break;
            }
            name.push('.');
            name.push_str(component);
            self.advance()?;
        }
        Ok(name)
    }

    /// `a`, `p|q` or `a + 4`
    fn named(&mut self) -> Parsed<Operand> {
        let name = self.component(OPERAND)?;
        if self.accept("|")? {
            return Ok(Operand::Pair(name, self.component("a second result")?));
        }
        if self.is("+") || self.is("-") {
            let (base, offset) = (Some(name), self.offset()?);
            return Ok(Operand::Address { base, offset, bracketed: false });
        }
        Ok(Operand::Name(name))
    }

    /// `[a + 4]`, `[16]`, `[texture, {x, y}]`
    fn bracketed(&mut self) -> Parsed<Operand> {
        self.advance()?;
        let expected = "an address: a name, a number, or both as `name+4`";
        let base = if is_name(self.peek()) { Some(self.component(expected)?) } else { None };
        if base.is_some() && self.is(",") {
            return self.texture(base);
        }
        let offset = match base {
            Some(_) => self.offset()?,
            None => self.whole(expected)? as i64,
        };
        self.expect("]", if base.is_some() { "`+`, `-`, `,` or `]`" } else { "`]`" })?;
        Ok(Operand::Address { base, offset, bracketed: true })
    }

    /// What stands behind `[texture`.
    fn texture(&mut self, texture: Option<String>) -> Parsed<Operand> {
        let mut names = Vec::from_iter(texture);
        let mut coordinates = Vec::new();
        while coordinates.is_empty() && self.accept(",")? {
            if self.is("{") {
                coordinates = self.nested(|parser| parser.operands("}"))?;
            } else {
                names.push(self.component("coordinates, or a sampler")?);
            }
        }
        if coordinates.is_empty() {
            coordinates.extend(names.pop().map(Operand::Name));
        }
        self.expect("]", "`]`")?;
        Ok(Operand::Texture { names, coordinates })
    }
}

fn number(constant: Constant) -> Operand {
    match constant {
        Constant::Whole(whole) => Operand::Integer(whole.bits),
        Constant::Single(bits) => Operand::Single(bits),
        Constant::Double(bits) => Operand::Double(bits),
    }
}
