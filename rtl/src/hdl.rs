//! What a kernel is in Verilog: a table that `#[hdl_gen]` writes, and the function that reads it.
//!
//! Verilog is exported once, if at all, and there are hundreds of kernels. So a kernel does not
//! bring code that makes its syntax tree, as those of rust-hdl's own macro do, but constant data:
//! its statements in prefix order, each [`Op`] followed by what it is made of. What only an
//! instance knows, widths and the ends of loops, stands in a list of values beside the table.

use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLink,
    VerilogLiteral, VerilogLoop, VerilogStatement,
};
use std::slice::Iter;

pub use rust_hdl::core::ast::{Verilog, VerilogOp, VerilogOpUnary};
pub use rust_hdl::prelude::{Logic, LogicLink};

/// What links two bundles of ports of these names: `LogicLink::link_hdl`.
pub type Link = fn(&str, &str, &str) -> Vec<VerilogLink>;

/// A statement or an expression; behind it stand the operands, in the order of the fields' docs.
///
/// A `Value` is a place in the list of what the instance knows.
#[derive(Clone, Debug)]
pub enum Op {
    /// A target and what it gets.
    Assign,
    /// A signal, and what a field of it gets.
    AssignField {
        /// How many bits the field has.
        width: Value,
        /// Where its lowest one is.
        offset: Value,
    },
    /// A condition, then the statements of either branch.
    If {
        /// How many statements there are for when it holds.
        then: usize,
        /// How many for when it does not; `None` without an `else`.
        otherwise: Option<usize>,
    },
    /// The statements of a loop.
    Loop {
        /// The loop's variable.
        index: &'static str,
        /// What it begins with.
        from: Value,
        /// What it ends before.
        to: Value,
        /// How many statements there are.
        block: usize,
    },
    /// No operands: ports of the module, and those of a child that they are linked to.
    Link(Link, &'static str, &'static str),
    /// No operands: a signal, or the variable of a loop.
    Signal(&'static str),
    /// No operands: a literal of one bit.
    Bit(bool),
    /// No operands: a literal of 32 bits, as one without a type is in Rust.
    Integer(i32),
    /// An expression in parentheses.
    Paren,
    /// The operand.
    Unary(VerilogOpUnary),
    /// Both operands.
    Binary(VerilogOp),
    /// An expression, to another width.
    Cast(Value),
    /// An expression, and the place of a bit of it.
    Index,
    /// An expression, and the place of the lowest one of some bits of it.
    Slice(Value),
    /// A signal, of which this is a field.
    Field {
        /// How many bits the field has.
        width: Value,
        /// Where its lowest one is.
        offset: Value,
    },
}

/// A place in the list of what the instance knows.
pub type Value = usize;

/// The syntax tree of the kernel in `table`, of an instance that knows `values`.
///
/// # Panics
/// When the table ends inside a statement; `#[hdl_gen]` writes none that does.
pub fn build(table: &[Op], values: &[usize]) -> Verilog {
    let mut reader = Reader { ops: table.iter(), values };
    let mut block = VerilogBlock::new();
    while !reader.ops.as_slice().is_empty() {
        block.push(reader.statement());
    }
    Verilog::Combinatorial(block)
}

struct Reader<'a> {
    ops: Iter<'a, Op>,
    values: &'a [usize],
}

impl<'a> Reader<'a> {
    fn op(&mut self) -> &'a Op {
        self.ops.next().expect("a statement is there as a whole")
    }

    fn block(&mut self, statements: usize) -> VerilogBlock {
        (0..statements).map(|_| self.statement()).collect()
    }

    fn statement(&mut self) -> VerilogStatement {
        match self.op() {
            Op::Assign => VerilogStatement::Assignment(self.expression(), self.expression()),
            Op::AssignField { width, offset } => VerilogStatement::SliceAssignment {
                base: self.expression(),
                width: self.values[*width],
                offset: VerilogExpression::Literal(self.literal(*offset)),
                replacement: self.expression(),
            },
            Op::If { then, otherwise } => VerilogStatement::If(VerilogConditional {
                test: self.expression(),
                then: self.block(*then),
                otherwise: match otherwise {
                    Some(statements) => VerilogBlockOrConditional::Block(self.block(*statements)),
                    None => VerilogBlockOrConditional::None,
                },
            }),
            Op::Loop { index, from, to, block } => VerilogStatement::Loop(VerilogLoop {
                index: (*index).to_owned(),
                from: self.literal(*from),
                to: self.literal(*to),
                block: self.block(*block),
            }),
            Op::Link(link, this, that) => VerilogStatement::Link(link("", this, that)),
            op => unreachable!("{op:?} is no statement"),
        }
    }

    fn expression(&mut self) -> VerilogExpression {
        match self.op() {
            Op::Signal(name) => VerilogExpression::Signal((*name).to_owned()),
            Op::Bit(bit) => VerilogExpression::Literal((*bit).into()),
            Op::Integer(number) => VerilogExpression::Literal((*number).into()),
            Op::Paren => VerilogExpression::Paren(self.operand()),
            Op::Unary(op) => VerilogExpression::Unary(op.clone(), self.operand()),
            Op::Binary(op) => VerilogExpression::Binary(self.operand(), op.clone(), self.operand()),
            Op::Cast(width) => VerilogExpression::Cast(self.operand(), self.values[*width]),
            Op::Index => VerilogExpression::Index(self.operand(), self.operand()),
            Op::Slice(width) => {
                VerilogExpression::Slice(self.operand(), self.values[*width], self.operand())
            }
            Op::Field { width, offset } => {
                let offset = Box::new(VerilogExpression::Literal(self.literal(*offset)));
                VerilogExpression::Slice(self.operand(), self.values[*width], offset)
            }
            op => unreachable!("{op:?} is no expression"),
        }
    }

    fn operand(&mut self) -> Box<VerilogExpression> {
        Box::new(self.expression())
    }

    fn literal(&self, value: Value) -> VerilogLiteral {
        self.values[value].into()
    }
}
