//! Reads a PTX file: [`parse`] gives its syntax tree, or the first place that is not PTX.
//!
//! ```text
//!   text -- lexer --> tokens -- parser, by recursive descent --> ast::Module
//! ```
//!
//! The grammar is that of PTX 1 to 8 as compilers write it. Opcodes and modifiers are not looked
//! at, and names are not resolved. What only debuggers and linkers need is read over: `.file`,
//! `.section`, `.pragma`, `.alias`, `.attribute`, and lines that begin with `#` or `@@`.
//!
//! Time and memory are linear in the text, whatever it holds: tokens are read one by one, none
//! more than twice, and what may nest does so to a limit only.

mod body;
mod constant;
mod evaluate;
mod function;
mod instruction;
mod lexer;
mod module;
mod operand;
mod parser;
mod types;
mod variable;

#[cfg(test)]
mod tests;

use crate::ast::Module;
use crate::diagnostic::InputError;

/// The syntax tree of the file `name`, which holds `text`.
///
/// # Errors
/// At the first place that does not follow the grammar.
pub fn parse(name: &str, text: &str) -> Result<Module, InputError> {
    parser::Parser::new(name, text)?.module()
}
