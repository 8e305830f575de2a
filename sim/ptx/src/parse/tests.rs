//! What is read, what is refused, and with what words.

mod constants;
mod errors;
mod functions;
mod hostile;
mod instructions;
mod modules;
mod operands;
mod statements;
mod variables;
mod words;

use super::parse;
use crate::ast::{Function, Instruction, Module, Operand, Statement};

/// A file with `items` behind its header.
fn file(items: &str) -> String {
    format!(".version 8.0\n.target sm_80\n.address_size 64\n{items}")
}

/// The file with `items`, which is good.
fn module(items: &str) -> Module {
    parse("k.ptx", &file(items)).unwrap_or_else(|error| panic!("{items}: {error}"))
}

/// The only function of the file with `items`.
fn function(items: &str) -> Function {
    let mut functions = module(items).functions;
    assert_eq!(functions.len(), 1, "{items}");
    functions.remove(0)
}

/// The statements of a kernel with `body`.
fn statements(body: &str) -> Vec<Statement> {
    function(&format!(".entry k() {{\n{body}\n}}")).body.expect("a body")
}

/// The only instruction in `text`.
fn instruction(text: &str) -> Instruction {
    match <[_; 1]>::try_from(statements(text)) {
        Ok([Statement::Instruction(instruction)]) => instruction,
        other => panic!("{text}: {other:?}"),
    }
}

/// The operands of an instruction that has `operands`.
fn operands(operands: &str) -> Vec<Operand> {
    instruction(&format!("op.b32 {operands};")).operands
}

/// The only operand in `text`.
fn operand(text: &str) -> Operand {
    <[_; 1]>::try_from(operands(text)).map(|[operand]| operand).expect(text)
}

/// What is said of a file with `items`: from the number of the line, of which the header has 3.
fn message(items: &str) -> String {
    let error = parse("k.ptx", &file(items)).expect_err(items).to_string();
    error.strip_prefix("k.ptx, line ").expect(&error).to_owned()
}

/// What is said of a kernel with `body`, which begins in line 5.
fn message_of_body(body: &str) -> String {
    message(&format!(".entry k() {{\n{body}\n}}"))
}

fn name(name: &str) -> Operand {
    Operand::Name(name.to_owned())
}
