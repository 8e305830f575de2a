//! Kernels and functions without what they do.

use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use super::types::{linkage_of, space_of};
use crate::ast::{Function, Linkage, Variable};

/// What may stand between a function's parameters and its body, without dots.
const DIRECTIVES: &[&str] = &[
    "abi_preserve",
    "abi_preserve_control",
    "blocksareclusters",
    "explicitcluster",
    "maxclusterrank",
    "maxnctapersm",
    "maxnreg",
    "maxntid",
    "minnctapersm",
    "noreturn",
    "reqnctapercluster",
    "reqntid",
];

impl Parser<'_> {
    /// `.entry` or `.func`, which comes next.
    pub fn function(&mut self, linkage: Linkage) -> Parsed<Function> {
        let entry = self.peek() == Kind::Dotted("entry");
        self.advance()?;
        let mut directives = Vec::new();
        self.directives(&mut directives)?;
        let returns = if entry { Vec::new() } else { self.parameters()? };
        let (name, span) = self.word("the name of a kernel or function")?;
        let name = name.to_owned();
        let parameters = self.parameters()?;
        self.directives(&mut directives)?;
        let body = if self.accept(";")? {
            None
        } else if self.is("{") {
            Some(self.nested(Self::block)?)
        } else if !entry && self.is_at_item() {
            // PTX 2 was written with declarations that have no semicolon.
            None
        } else {
            return Err(self.unexpected("a body in `{ }`, `;`, or a directive such as `.maxntid`"));
        };
        Ok(Function { name, entry, linkage, returns, parameters, directives, body, span })
    }

    /// What stands behind `.callprototype`; its parameters.
    pub fn prototype(&mut self) -> Parsed<Vec<Variable>> {
        self.parameters()?;
        self.word("`_`")?;
        let parameters = self.parameters()?;
        self.directives(&mut Vec::new())?;
        self.expect(";", "`;`")?;
        Ok(parameters)
    }

    /// `(a, b)`, or nothing at all.
    fn parameters(&mut self) -> Parsed<Vec<Variable>> {
        if !self.accept("(")? {
            return Ok(Vec::new());
        }
        self.list(")", Self::parameter)
    }

    /// Whether the next token begins another function or a variable.
    fn is_at_item(&self) -> bool {
        match self.peek() {
            Kind::Dotted("entry" | "func") => true,
            Kind::Dotted(word) => linkage_of(word).is_some() || space_of(word).is_some(),
            _ => false,
        }
    }

    /// `.maxntid 256, 1, 1` and the like.
    fn directives(&mut self, directives: &mut Vec<(String, Vec<u64>)>) -> Parsed<()> {
        while let Kind::Dotted(name) = self.peek() {
            if self.is_at_item() {
                return Ok(());
            }
            if self.skip_attribute()? || self.skip_directive()? {
                continue;
            }
            if !DIRECTIVES.contains(&name) {
                return Err(self.unexpected("a body in `{ }`, `;`, or a directive of PTX"));
            }
            self.advance()?;
            let mut values = Vec::new();
            if let Kind::Integer { .. } = self.peek() {
                values.push(self.whole("a number")?);
                while self.accept(",")? {
                    values.push(self.whole("a number")?);
                }
            }
            directives.push((name.to_owned(), values));
        }
        Ok(())
    }
}
