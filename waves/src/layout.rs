//! What a design consists of: scopes, signals, and how a signal's value falls into variables.

use crate::read::DumpSignal;
use rust_hdl::core::atom::Atom;
use rust_hdl::core::block::Block;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::synth::VCDValue;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use std::collections::BTreeSet;

/// One variable of the dump: a signal, or one field of a signal that is a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Name within its scope, without `$` or `[`.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Names of an enum's values in order; empty for anything else.
    pub names: Vec<String>,
}

/// A step through the design, in the order in which the probe visits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A module or interface begins.
    Enter(String),
    /// Its end.
    Leave,
    /// A signal with its variables.
    Signal(Vec<Variable>),
    /// A signal outside the scopes asked for: it is not dumped, but may be watched.
    Outside(Vec<Variable>),
    /// A clock, which is not dumped.
    Hidden,
}

/// The signals of a design, which is walked through but once.
#[derive(Clone, Debug)]
pub struct Design {
    /// The steps through it; all signals are shown.
    pub(crate) steps: Vec<Step>,
}

impl Design {
    /// Those of `block` under the name `top`.
    pub fn new(top: &str, block: &dyn Block) -> Self {
        let taken = vec![BTreeSet::new()];
        let mut visitor = Visitor { steps: Vec::new(), taken };
        block.accept(top, &mut visitor);
        Self { steps: visitor.steps }
    }

    /// Its variables, as a dump of it names them.
    pub fn signals(&self) -> Vec<DumpSignal> {
        variables(&self.steps)
    }

    /// Its steps, of which only signals in `scopes` or below them are shown: dotted paths below the
    /// top; none of them for everything.
    pub(crate) fn scoped(self, scopes: &[String]) -> Vec<Step> {
        if scopes.is_empty() {
            return self.steps;
        }
        let mut path = Vec::new();
        let mut shown = Vec::new();
        let scoped = self.steps.into_iter().map(|step| match step {
            Step::Enter(name) => {
                path.push(name.clone());
                let is_asked_for = |path: &[String]| scopes.contains(&path.join("."));
                shown.push(shown.last() == Some(&true) || is_asked_for(&path[1..]));
                Step::Enter(name)
            }
            Step::Leave => {
                path.pop();
                shown.pop();
                Step::Leave
            }
            Step::Signal(variables) if shown.last() != Some(&true) => Step::Outside(variables),
            other => other,
        });
        scoped.collect()
    }
}

/// The variables that are dumped of some steps.
pub(crate) fn variables(steps: &[Step]) -> Vec<DumpSignal> {
    let (mut path, mut found) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Enter(name) => path.push(name.as_str()),
            Step::Leave => {
                path.pop();
            }
            Step::Signal(variables) => add(&path, variables, &mut found),
            Step::Outside(_) | Step::Hidden => {}
        }
    }
    found
}

fn add(path: &[&str], variables: &[Variable], found: &mut Vec<DumpSignal>) {
    found.extend(variables.iter().map(|Variable { name, width, names }| {
        let names = (0..).zip(names.iter().cloned()).collect();
        let path = format!("{}.{name}", path.join("."));
        DumpSignal { path, width: *width, names, is_text: false }
    }));
}

/// Calls `see` with each signal of a design and its number.
pub(crate) fn every_signal(block: &dyn Block, see: &mut dyn FnMut(usize, &dyn Atom)) {
    struct Numbering<'a>(usize, &'a mut dyn FnMut(usize, &dyn Atom));
    impl Probe for Numbering<'_> {
        fn visit_atom(&mut self, _name: &str, signal: &dyn Atom) {
            (self.1)(self.0, signal);
            self.0 += 1;
        }
    }
    block.accept("", &mut Numbering(0, see));
}

/// The bundle of clock and reset.
const CONTROL: &str = "control";

struct Visitor {
    steps: Vec<Step>,
    /// The names that are used in each open scope.
    taken: Vec<BTreeSet<String>>,
}

impl Visitor {
    fn enter(&mut self, name: &str) {
        let name = self.unique(plain(name));
        self.taken.push(BTreeSet::new());
        self.steps.push(Step::Enter(name));
    }

    /// `name`, or with a number when the scope has that name already: `smx$1` and `smx_1` are two.
    fn unique(&mut self, name: String) -> String {
        let taken = self.taken.last_mut().expect("the outermost scope is never left");
        let mut free = name.clone();
        let mut number = 2;
        while !taken.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }

    fn leave(&mut self) {
        self.taken.pop();
        self.steps.push(Step::Leave);
    }
}

impl Probe for Visitor {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        self.enter(name);
    }

    /// A bundle of ports: they belong to the module, but clock and reset have a scope of their own.
    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        if name == CONTROL {
            self.enter(name);
        }
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let descriptor = signal.descriptor();
        let is_clock = descriptor.name == "clock";
        if is_clock {
            self.steps.push(Step::Hidden);
            return;
        }
        let mut variables = Vec::new();
        flatten(&plain(name), &descriptor, &mut variables);
        variables.retain(|variable| variable.width > 0);
        for variable in &mut variables {
            variable.name = self.unique(std::mem::take(&mut variable.name));
        }
        self.steps.push(Step::Signal(variables));
    }

    fn visit_end_namespace(&mut self, name: &str, _node: &dyn Block) {
        if name == CONTROL {
            self.leave();
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.leave();
    }
}

/// rust-hdl's `smx$3` as `smx_3`.
fn plain(name: &str) -> String {
    name.replace(['$', '['], "_").replace(']', "")
}

fn flatten(name: &str, descriptor: &TypeDescriptor, variables: &mut Vec<Variable>) {
    let mut push = |width: usize, names| {
        variables.push(Variable { name: name.to_owned(), width: width as u32, names });
    };
    match &descriptor.kind {
        TypeKind::Bits(width) | TypeKind::Signed(width) => push(*width, Vec::new()),
        TypeKind::Enum(values) => {
            let names = values.iter().map(|value| bare(value).to_owned()).collect();
            push(enum_width(values.len()), names);
        }
        TypeKind::Composite(fields) => {
            for field in fields {
                flatten(&format!("{name}_{}", field.fieldname), &field.kind, variables);
            }
        }
    }
}

/// `State::Idle` without its type.
fn bare(value: &str) -> &str {
    value.rsplit("::").next().unwrap_or(value)
}

fn enum_width(values: usize) -> usize {
    (usize::BITS - values.saturating_sub(1).leading_zeros()).max(1) as usize
}

/// A part of a signal's value that is not taken over yet.
pub(crate) enum Part<'a> {
    /// Bits, highest first: those of one variable, or of several where nobody drives a struct,
    /// which comes as one run of Z.
    Bits(&'a [vcd::Value]),
    /// A value of an enum, with its type.
    Name(&'a str),
}

impl Part<'_> {
    /// Whether nothing is left, as of a field of no bits, which has no variable.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Bits([]))
    }

    /// Moves what belongs to `variable` to `last`, a character a bit. Returns whether that is
    /// another value.
    pub(crate) fn move_to(&mut self, variable: &Variable, last: &mut [u8]) -> bool {
        match self {
            Self::Bits(bits) => {
                let (own, rest) = bits.split_at(last.len().min(bits.len()));
                *self = Self::Bits(rest);
                overwrite(last, own.iter().copied())
            }
            Self::Name(name) => {
                let number = variable.names.iter().position(|known| known == bare(name));
                *self = Self::Bits(&[]);
                let bit =
                    |bit| number.map_or(vcd::Value::X, |number| (number >> bit & 1 != 0).into());
                let width = last.len();
                overwrite(last, (0..width).rev().map(bit))
            }
        }
    }
}

fn overwrite(last: &mut [u8], bits: impl Iterator<Item = vcd::Value>) -> bool {
    let mut changed = false;
    for (last, bit) in last.iter_mut().zip(bits) {
        let bit = match bit {
            vcd::Value::V0 => b'0',
            vcd::Value::V1 => b'1',
            vcd::Value::X => b'x',
            vcd::Value::Z => b'z',
        };
        changed |= *last != bit;
        *last = bit;
    }
    changed
}

/// Calls `see` with the parts of a signal's value in the order of its variables.
pub(crate) fn parts(value: &VCDValue, see: &mut dyn FnMut(Part)) {
    match value {
        VCDValue::Composite(fields) => fields.iter().for_each(|field| parts(field, see)),
        VCDValue::Single(bit) => see(Part::Bits(&[*bit])),
        VCDValue::Vector(bits) => see(Part::Bits(bits)),
        VCDValue::String(name) => see(Part::Name(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_scope_has_is_numbered_from_two_on() {
        let mut visitor = Visitor { steps: Vec::new(), taken: vec![BTreeSet::new()] };
        let names = ["smx_1"; 4].map(|name| visitor.unique(name.to_owned()));
        assert_eq!(names, ["smx_1", "smx_1_2", "smx_1_3", "smx_1_4"]);
        visitor.enter("core$0");
        assert_eq!(visitor.unique("smx_1".to_owned()), "smx_1");
    }
}
