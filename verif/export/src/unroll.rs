//! The loops of a kernel, written out.
//!
//! rust-hdl's printer writes them out as well, but compiles a regular expression for each name with
//! an index, each time that it comes to it: that was nine tenths of an export. What it gets from
//! here has no loops, and hardly an index.

use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression,
    VerilogLink, VerilogLoop, VerilogMatch, VerilogStatement,
};

/// A kernel without loops, and the links that it makes.
pub struct Unrolled {
    /// Its statements but for the links.
    pub code: VerilogBlock,
    /// Its links, in order.
    pub links: Vec<VerilogLink>,
}

/// `kernel` with each turn of each loop as statements of its own.
pub fn unrolled(kernel: VerilogBlock) -> Unrolled {
    let mut turns = Turns::default();
    let code = turns.block(kernel);
    Unrolled { code, links: turns.links }
}

#[derive(Default)]
struct Turns {
    /// Variable and value of each loop around, the outermost first.
    loops: Vec<(String, usize)>,
    links: Vec<VerilogLink>,
}

impl Turns {
    fn block(&mut self, block: VerilogBlock) -> VerilogBlock {
        let mut written = VerilogBlock::new();
        for statement in block {
            self.statement(statement, &mut written);
        }
        written
    }

    fn statement(&mut self, mut statement: VerilogStatement, written: &mut VerilogBlock) {
        match &mut statement {
            VerilogStatement::Loop(VerilogLoop { index, from, to, block }) => {
                for turn in from.as_usize()..to.as_usize() {
                    self.loops.push((index.clone(), turn));
                    written.extend(self.block(block.clone()));
                    self.loops.pop();
                }
                return;
            }
            VerilogStatement::Macro(block) => {
                written.extend(self.block(std::mem::take(block)));
                return;
            }
            VerilogStatement::Link(links) => {
                let links = std::mem::take(links);
                self.links.extend(links.into_iter().map(|link| named(&self.loops, link)));
                return;
            }
            VerilogStatement::Assignment(target, value) => {
                self.expressions([target, value]);
            }
            VerilogStatement::SliceAssignment { base, offset, replacement, width: _ } => {
                self.expressions([base, offset, replacement]);
            }
            VerilogStatement::If(conditional) => self.conditional(conditional),
            VerilogStatement::Match(VerilogMatch { test, cases }) => {
                self.expressions([test]);
                for VerilogCase { condition, block } in cases {
                    name(&self.loops, condition);
                    *block = self.block(std::mem::take(block));
                }
            }
            VerilogStatement::Comment(_) => {}
        }
        written.push(statement);
    }

    fn conditional(&mut self, conditional: &mut VerilogConditional) {
        let VerilogConditional { test, then, otherwise } = conditional;
        self.expressions([test]);
        *then = self.block(std::mem::take(then));
        match otherwise {
            VerilogBlockOrConditional::Block(block) => *block = self.block(std::mem::take(block)),
            VerilogBlockOrConditional::Conditional(next) => {
                if let VerilogStatement::If(next) = &mut **next {
                    self.conditional(next);
                }
            }
            VerilogBlockOrConditional::None => {}
        }
    }

    fn expressions<const N: usize>(&self, expressions: [&mut VerilogExpression; N]) {
        expressions.into_iter().for_each(|expression| self.expression(expression));
    }

    fn expression(&self, expression: &mut VerilogExpression) {
        match expression {
            VerilogExpression::Signal(signal) => name(&self.loops, signal),
            VerilogExpression::Literal(_) => {}
            VerilogExpression::Cast(of, _)
            | VerilogExpression::Signed(of)
            | VerilogExpression::Unsigned(of)
            | VerilogExpression::Paren(of)
            | VerilogExpression::Unary(_, of) => self.expression(of),
            VerilogExpression::Binary(left, _, right)
            | VerilogExpression::Index(left, right)
            | VerilogExpression::Slice(left, _, right) => self.expressions([left, right]),
            VerilogExpression::IndexReplace(of, index, value) => {
                self.expressions([of, index, value]);
            }
        }
    }
}

/// The link with the names that it has in this turn of `loops`.
fn named(loops: &[(String, usize)], mut link: VerilogLink) -> VerilogLink {
    let (VerilogLink::Forward(ends)
    | VerilogLink::Backward(ends)
    | VerilogLink::Bidirectional(ends)) = &mut link;
    for end in [&mut ends.my_name, &mut ends.owner_name, &mut ends.other_name] {
        name(loops, end);
    }
    link
}

/// In this turn of `loops` a variable is its value, and `free[i]` is `free$3`. An index that has
/// more in it than that stays one, and is for the printer.
fn name(loops: &[(String, usize)], name: &mut String) {
    if let Some(turn) = value(loops, name) {
        *name = turn;
    } else if let Some((of, rest)) = name.split_once('[') {
        if let Some((index, behind)) = rest.split_once(']') {
            let index = index_in(loops, index);
            *name = match index.bytes().all(|byte| byte.is_ascii_digit()) {
                true => format!("{of}${index}{behind}"),
                false => format!("{of}[{index}]{behind}"),
            };
        }
    }
}

fn value(loops: &[(String, usize)], variable: &str) -> Option<String> {
    let turn = loops.iter().find(|(name, _)| name == variable);
    turn.map(|(_, turn)| turn.to_string())
}

/// An index with values for variables.
fn index_in(loops: &[(String, usize)], index: &str) -> String {
    let in_word = |byte: char| byte.is_alphanumeric() || byte == '_';
    let mut text = String::new();
    let mut rest = index;
    while let Some(first) = rest.chars().next() {
        let same = |next: char| in_word(next) == in_word(first);
        let end = rest.find(|next| !same(next)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        text += &value(loops, word).unwrap_or_else(|| word.to_owned());
        rest = behind;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_values_of_the_loops_around_it() {
        let loops = [("i".to_owned(), 3), ("other".to_owned(), 14)];
        for (before, after) in [
            ("i", "3"),
            ("is", "is"),
            ("free[i]", "free$3"),
            ("free[7]", "free$7"),
            ("units[other]$free$next", "units$14$free$next"),
            ("free[(i+1)*other]", "free[(3+1)*14]"),
            ("free[is]", "free[is]"),
        ] {
            let mut text = before.to_owned();
            name(&loops, &mut text);
            assert_eq!(text, after, "{before}");
        }
    }
}
