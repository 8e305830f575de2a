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

/// The steps of a design under the name `top`. `scopes` are dotted paths below the top; when there
/// are any, only signals in them or below them are shown.
pub fn layout(top: &str, block: &dyn Block, scopes: &[String]) -> Vec<Step> {
    let taken = vec![BTreeSet::new()];
    let mut visitor = Visitor { steps: Vec::new(), path: Vec::new(), taken, scopes };
    block.accept(top, &mut visitor);
    visitor.steps
}

/// The variables of a whole design under the name `top`, as a dump of it names them.
pub fn signals(top: &str, block: &dyn Block) -> Vec<DumpSignal> {
    variables(&layout(top, block, &[]), true)
}

/// The variables of some steps; those that are not dumped if `outside`.
pub(crate) fn variables(steps: &[Step], outside: bool) -> Vec<DumpSignal> {
    let (mut path, mut found) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Enter(name) => path.push(name.as_str()),
            Step::Leave => {
                path.pop();
            }
            Step::Signal(variables) => add(&path, variables, &mut found),
            Step::Outside(variables) if outside => add(&path, variables, &mut found),
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

struct Visitor<'a> {
    steps: Vec<Step>,
    path: Vec<String>,
    /// The names that are used in each open scope.
    taken: Vec<BTreeSet<String>>,
    scopes: &'a [String],
}

impl Visitor<'_> {
    fn enter(&mut self, name: &str) {
        let name = self.unique(plain(name));
        self.taken.push(BTreeSet::new());
        self.path.push(name.clone());
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
        self.path.pop();
        self.steps.push(Step::Leave);
    }

    fn shown(&self) -> bool {
        let path = self.path[1.min(self.path.len())..].join(".");
        self.scopes.is_empty()
            || self.scopes.iter().any(|scope| {
                path == *scope
                    || path.strip_prefix(scope.as_str()).is_some_and(|rest| rest.starts_with('.'))
            })
    }
}

impl Probe for Visitor<'_> {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        self.enter(name);
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.enter(name);
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
        let step = if self.shown() { Step::Signal } else { Step::Outside };
        self.steps.push(step(variables));
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.leave();
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

/// The bits of a signal's value, one entry a variable, highest bit first.
pub fn split(value: &VCDValue, variables: &[Variable]) -> Vec<Vec<vcd::Value>> {
    let mut parts = Vec::with_capacity(variables.len());
    if let (VCDValue::Vector(bits), [_, _, ..]) = (value, variables) {
        // A struct that nobody drives comes as one run of Z.
        let mut bits = bits.iter().copied();
        parts
            .extend(variables.iter().map(|each| bits.by_ref().take(each.width as usize).collect()));
        return parts;
    }
    collect(value, &mut variables.iter(), &mut parts);
    parts
}

fn collect<'a>(
    value: &VCDValue,
    variables: &mut impl Iterator<Item = &'a Variable>,
    parts: &mut Vec<Vec<vcd::Value>>,
) {
    match value {
        VCDValue::Composite(fields) => {
            fields.iter().for_each(|field| collect(field, variables, parts));
        }
        VCDValue::Single(bit) => {
            variables.next();
            parts.push(vec![*bit]);
        }
        // A field of no bits has no variable.
        VCDValue::Vector(bits) if bits.is_empty() => {}
        VCDValue::Vector(bits) => {
            variables.next();
            parts.push(bits.clone());
        }
        VCDValue::String(name) => {
            let bits = variables.next().map(|variable| encode(name, variable));
            parts.push(bits.unwrap_or_default());
        }
    }
}

fn encode(name: &str, variable: &Variable) -> Vec<vcd::Value> {
    let number = variable.names.iter().position(|known| known == bare(name));
    (0..variable.width)
        .rev()
        .map(|bit| number.map_or(vcd::Value::X, |number| vcd::Value::from(number >> bit & 1 != 0)))
        .collect()
}
