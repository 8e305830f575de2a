//! Constants: literals, and expressions of whole numbers.

use super::evaluate::{binary, unary, Whole};
use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use crate::ast::Span;

/// What a constant is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    /// A whole number.
    Whole(Whole),
    /// The bits of an f32.
    Single(u32),
    /// The bits of an f64.
    Double(u64),
}

/// Lanes of a warp, in PTX `WARP_SZ`.
const WARP_SIZE: Whole = Whole { bits: 32, unsigned: false };

impl Parser<'_> {
    /// A constant; `expected` is said if none begins here.
    pub fn constant(&mut self, expected: &str) -> Parsed<Constant> {
        let condition_start = self.span().start;
        let condition = self.binary(0, expected)?;
        if !self.accept("?")? {
            return Ok(condition);
        }
        let span = self.span_from(condition_start);
        let condition = self.whole_of(condition, span)?;
        let chosen = self.nested(|parser| parser.constant("a constant"))?;
        self.expect(":", "`:` of `condition ? a : b`")?;
        let other = self.nested(|parser| parser.constant("a constant"))?;
        Ok(if condition.bits != 0 { chosen } else { other })
    }

    /// A constant that is a whole number, in two's complement.
    pub fn whole(&mut self, expected: &str) -> Parsed<u64> {
        let start = self.span().start;
        let constant = self.constant(expected)?;
        self.whole_of(constant, self.span_from(start)).map(|whole| whole.bits)
    }

    /// `constant`, which stands at `span`, is a whole number.
    fn whole_of(&self, constant: Constant, span: Span) -> Parsed<Whole> {
        let Constant::Whole(whole) = constant else {
            return Err(self.fault(span, "this is a floating-point number", "a whole number"));
        };
        Ok(whole)
    }

    /// An expression of operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8, expected: &str) -> Parsed<Constant> {
        let start = self.span().start;
        let mut left = self.unary(expected)?;
        while let Kind::Symbol(operator) = self.peek() {
            let Some(binding) = binding(operator).filter(|binding| *binding >= least) else {
                break;
            };
            let a = self.whole_of(left, self.span_from(start))?;
            self.advance()?;
            let right_start = self.span().start;
            let right = self.binary(binding + 1, "a constant")?;
            let span = self.span_from(right_start);
            let b = self.whole_of(right, span.clone())?;
            let Some(value) = binary(operator, a, b) else {
                return Err(self.fault(span, "this divides by zero", "a divisor other than 0"));
            };
            left = Constant::Whole(value);
        }
        Ok(left)
    }

    fn unary(&mut self, expected: &str) -> Parsed<Constant> {
        let constant = match self.peek() {
            Kind::Integer { bits, unsigned } => {
                Constant::Whole(Whole { bits, unsigned: unsigned || bits > i64::MAX as u64 })
            }
            Kind::Single(bits) => Constant::Single(bits),
            Kind::Double(bits) => Constant::Double(bits),
            Kind::Word("WARP_SZ") => Constant::Whole(WARP_SIZE),
            Kind::Symbol("(") => return self.parenthesised(),
            Kind::Symbol(operator @ ("-" | "+" | "~" | "!")) => {
                self.advance()?;
                let start = self.span().start;
                let constant = self.nested(|parser| parser.unary("a constant"))?;
                return match (operator, constant) {
                    ("-", Constant::Single(bits)) => Ok(Constant::Single(bits ^ 1 << 31)),
                    ("-", Constant::Double(bits)) => Ok(Constant::Double(bits ^ 1 << 63)),
                    _ => {
                        let whole = self.whole_of(constant, self.span_from(start))?;
                        Ok(Constant::Whole(unary(operator, whole)))
                    }
                };
            }
            _ => return Err(self.unexpected(expected)),
        };
        self.advance()?;
        Ok(constant)
    }

    /// `(a + b)`, or a cast `(.u64) a`.
    fn parenthesised(&mut self) -> Parsed<Constant> {
        self.advance()?;
        let Kind::Dotted(target @ ("s64" | "u64")) = self.peek() else {
            let constant = self.nested(|parser| parser.constant("a constant"))?;
            self.expect(")", "`)`")?;
            return Ok(constant);
        };
        self.advance()?;
        self.expect(")", "`)`")?;
        let start = self.span().start;
        let constant = self.nested(|parser| parser.unary("a constant"))?;
        let whole = self.whole_of(constant, self.span_from(start))?;
        Ok(Constant::Whole(Whole { bits: whole.bits, unsigned: target == "u64" }))
    }
}

/// How tightly a binary operator binds.
fn binding(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | "<=" | ">" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        _ => return None,
    })
}
