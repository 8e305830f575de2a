//! Instructions.

use super::lexer::Kind;
use super::operand::OPERAND;
use super::parser::{Parsed, Parser};
use crate::ast::{Guard, Instruction};

/// What may stand behind an opcode and its modifiers.
const FIRST: &str = "`;`, a modifier, or an operand: a name, a number, `[address]` or `{a, b}`";

impl Parser<'_> {
    /// `@p` or `@!p`, which comes next.
    pub fn guard(&mut self) -> Parsed<Guard> {
        self.advance()?;
        let negated = self.accept("!")?;
        let predicate = self.word("a predicate, or `!` and one")?.0.to_owned();
        Ok(Guard { predicate, negated })
    }

    /// The instruction whose opcode, `opcode` at byte `start`, has been read.
    pub fn instruction(
        &mut self,
        guard: Option<Guard>,
        opcode: &str,
        start: usize,
    ) -> Parsed<Instruction> {
        let mut modifiers = Vec::new();
        while let Kind::Dotted(modifier) = self.peek() {
            // In another line it is a directive, and a semicolon is missing.
            if !self.is_in_same_line() {
                break;
            }
            modifiers.push(modifier.to_owned());
            self.advance()?;
        }
        let mut operands = Vec::new();
        if !self.is(";") {
            let is_call = opcode == "call";
            operands.push(self.operand(is_call, FIRST)?);
            while self.accept(",")? {
                operands.push(self.operand(is_call, OPERAND)?);
            }
        }
        let span = self.span_from(start);
        self.expect(";", if operands.is_empty() { "`;`" } else { "`,` or `;`" })?;
        Ok(Instruction { guard, opcode: opcode.to_owned(), modifiers, operands, span })
    }
}
