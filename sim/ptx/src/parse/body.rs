//! What a function does, statement by statement.

use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use crate::ast::{Span, Statement};

const STATEMENT: &str = "an instruction, a label, `{`, `}`, `.reg` or another declaration";

impl Parser<'_> {
    /// `{ ... }`, which comes next.
    pub fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{", "`{`")?;
        let mut statements = Vec::new();
        while !self.accept("}")? {
            self.statement(&mut statements)?;
        }
        Ok(statements)
    }

    fn statement(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        match self.peek() {
            Kind::Word(name) => {
                let span = self.span();
                self.advance()?;
                let statement = if self.accept(":")? {
                    self.label(name, span)?
                } else {
                    Statement::Instruction(self.instruction(None, name, span.start)?)
                };
                statements.push(statement);
            }
            Kind::Symbol("@") => {
                let guard = Some(self.guard()?);
                let (opcode, span) = self.word("an instruction")?;
                let instruction = self.instruction(guard, opcode, span.start)?;
                statements.push(Statement::Instruction(instruction));
            }
            Kind::Symbol("{") => statements.push(Statement::Block(self.nested(Self::block)?)),
            // An empty statement, as inline assembly leaves them.
            Kind::Symbol(";") => self.advance()?,
            Kind::Dotted("reg") => statements.push(Statement::Registers(self.registers()?)),
            Kind::Dotted("loc") => statements.push(self.location()?),
            Kind::Dotted(_) if self.skip_directive()? => {}
            Kind::Dotted(_) => {
                let linkage = self.linkage()?;
                self.variables(linkage, STATEMENT, |v| statements.push(Statement::Variable(v)))?;
            }
            _ => return Err(self.unexpected(STATEMENT)),
        }
        Ok(())
    }

    /// What the label `name` at `span` belongs to, of which it has the name and the colon.
    fn label(&mut self, name: &str, span: Span) -> Parsed<Statement> {
        let name = name.to_owned();
        match self.peek() {
            Kind::Dotted("callprototype") => {
                self.advance()?;
                let parameters = self.prototype()?;
                Ok(Statement::Prototype { name, parameters, span })
            }
            Kind::Dotted("branchtargets" | "calltargets") => {
                self.advance()?;
                let mut targets = Vec::new();
                loop {
                    targets.push(self.word("a label or a function")?.0.to_owned());
                    if !self.accept(",")? {
                        break;
                    }
                }
                self.expect(";", "`,` or `;`")?;
                Ok(Statement::Targets { name, targets, span })
            }
            _ => Ok(Statement::Label { name, span }),
        }
    }

    /// `.loc 1 20 5, function_name name + 4, inlined_at 1 30 5`
    fn location(&mut self) -> Parsed<Statement> {
        self.advance()?;
        let file = self.whole_literal("the number of a file")?;
        let line = self.whole_literal("the number of a line")?;
        if let Kind::Integer { .. } = self.peek() {
            self.advance()?;
        }
        while self.accept(",")? {
            match self.peek() {
                Kind::Word("function_name") => {
                    self.advance()?;
                    self.word("the label of a name")?;
                    self.offset()?;
                }
                Kind::Word("inlined_at") => {
                    self.advance()?;
                    while let Kind::Integer { .. } = self.peek() {
                        self.advance()?;
                    }
                }
                _ => return Err(self.unexpected("`function_name` or `inlined_at`")),
            }
        }
        Ok(Statement::Location { file, line })
    }
}
