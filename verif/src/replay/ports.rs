//! The top-level ports of a module, through rust-hdl's probes.

use blockyard_rtl::module::Module;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::probe::Probe;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use rust_hdl::prelude::Block;

/// Which way a port goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of the module.
    Output,
}

/// A port of the exported Verilog: a struct is one packed word, an array one port an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name in the Verilog: `reset`, `dispatch$3`.
    pub name: String,
    /// Its width in bits.
    pub bits: usize,
    /// Which way it goes.
    pub direction: Direction,
    /// Its first 32-bit word in the rows of its direction.
    pub offset: usize,
    /// Bits that say whether something happens: the port itself if it has one bit, a struct's
    /// `valid`, every bit of a request or grant.
    pub handshakes: Vec<usize>,
    /// What a struct is made of, the lowest first; nothing of a port that is one number.
    pub fields: Vec<Field>,
}

/// A number or mask in a port that is a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, with those of the structs around it: `context.block.x`.
    pub path: String,
    /// Its lowest bit in the port.
    pub low: usize,
    /// Its width in bits.
    pub bits: usize,
}

impl Port {
    /// 32-bit words that it takes in a row.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(32)
    }

    /// Its value in a row of its direction, lowest word first.
    pub fn value<'a>(&self, row: &'a [u32]) -> &'a [u32] {
        &row[self.offset..self.offset + self.words()]
    }

    /// The name without the number of an array's element.
    pub fn base_name(&self) -> &str {
        let end = self.name.bytes().position(|byte| byte == b'$');
        &self.name[..end.unwrap_or(self.name.len())]
    }

    /// Whether this is its name, or that of the array of which it is an element.
    pub fn is(&self, base_name: &str) -> bool {
        let rest = self.name.strip_prefix(base_name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }
}

/// The ports of `module` in the order of declaration: with the reset, without the clock.
pub fn ports(module: &dyn Module) -> Vec<Port> {
    let mut ports = Vec::new();
    let (mut inputs, mut outputs) = (0, 0);
    visit(module, &mut |name, direction, atom| {
        let Some(direction) = direction else { return };
        let next = match direction {
            Direction::Input => &mut inputs,
            Direction::Output => &mut outputs,
        };
        let shape = atom.descriptor();
        let port = Port {
            name: name.to_owned(),
            bits: atom.bits(),
            direction,
            offset: *next,
            handshakes: handshakes(name, &shape),
            fields: fields(&shape),
        };
        *next += port.words();
        ports.push(port);
    });
    ports
}

/// Whether `module` has a clock.
pub fn is_clocked(module: &dyn Module) -> bool {
    ports(module).iter().any(|port| port.name == "reset")
}

/// Words of which every bit is an event of its own.
const EVENT_WORDS: [&str; 8] =
    ["request", "grant", "allow", "taken", "finished", "finished_kernels", "room", "decrease"];

fn handshakes(name: &str, descriptor: &TypeDescriptor) -> Vec<usize> {
    match &descriptor.kind {
        TypeKind::Bits(1) => vec![0],
        TypeKind::Bits(bits) if EVENT_WORDS.contains(&name) => (0..*bits).collect(),
        TypeKind::Composite(fields) => {
            let first = fields.first().is_some_and(|field| field.fieldname == "valid");
            first.then_some(0).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The fields of a struct, whatever is nested in it.
fn fields(shape: &TypeDescriptor) -> Vec<Field> {
    let mut fields = Vec::new();
    if matches!(shape.kind, TypeKind::Composite(_)) {
        add_fields(shape, "", &mut 0, &mut fields);
    }
    fields
}

/// Adds those of what is called `path`, whose lowest bit is `low`.
fn add_fields(shape: &TypeDescriptor, path: &str, low: &mut usize, fields: &mut Vec<Field>) {
    let bits = match &shape.kind {
        TypeKind::Composite(parts) => {
            let separator = if path.is_empty() { "" } else { "." };
            for part in parts {
                let path = format!("{path}{separator}{}", part.fieldname);
                add_fields(&part.kind, &path, low, fields);
            }
            return;
        }
        TypeKind::Bits(bits) | TypeKind::Signed(bits) => *bits,
        TypeKind::Enum(_) => unreachable!("no signal of ours is an enum"),
    };
    // A configuration may do without the bits of a word.
    if bits > 0 {
        fields.push(Field { path: path.to_owned(), low: *low, bits });
        *low += bits;
    }
}

/// Takes the name of a signal, its direction if it is a port other than the clock, and itself.
type Visitor<'a> = dyn FnMut(&str, Option<Direction>, &dyn Atom) + 'a;

/// Shows the signals of the module itself.
pub(super) fn visit(module: &dyn Module, visitor: &mut Visitor) {
    let mut probe = TopLevel { depth: 0, visitor };
    module.as_block().accept("top", &mut probe);
}

struct TopLevel<'a, 'v> {
    depth: usize,
    visitor: &'a mut Visitor<'v>,
}

impl Probe for TopLevel<'_, '_> {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    // Bundles of ports, whose names the export drops.
    fn visit_start_namespace(&mut self, _name: &str, _node: &dyn Block) {}

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        if self.depth != 1 {
            return;
        }
        let direction = match atom.kind() {
            AtomKind::InputParameter => Some(Direction::Input),
            AtomKind::OutputParameter | AtomKind::OutputPassthrough => Some(Direction::Output),
            _ => None,
        };
        let direction = direction.filter(|_| atom.descriptor().name != "clock");
        (self.visitor)(name, direction, atom);
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {}

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::sampler::Sampler;
    use super::*;
    use blockyard_rtl::catalog;
    use blockyard_rtl::dispatch::{RoundRobinScheduler, SmxResources};
    use blockyard_rtl::module::settle;

    #[test]
    fn ports_come_in_the_order_of_declaration_bundles_first_and_arrays_as_elements() {
        let module = RoundRobinScheduler::new(2, catalog::C2050, false, &[]);
        let names: Vec<(String, usize)> =
            ports(&module).into_iter().map(|port| (port.name, port.bits)).collect();
        let expected = [
            ("reset", 1),
            ("launch", 234),
            ("launch_ready", 1),
            ("launch_entry", 5),
            ("lookup", 6),
            ("context_valid", 1),
            ("kernel_context", 93),
            ("finished", 2),
            ("finished_kernel$0", 5),
            ("finished_kernel$1", 5),
            ("dispatch$0", 69),
            ("dispatch$1", 69),
            ("finished_kernels", 32),
        ];
        assert_eq!(names, expected.map(|(name, bits)| (name.to_owned(), bits)));
    }

    #[test]
    fn the_first_field_of_a_struct_is_its_lowest_bits() {
        let mut module = SmxResources::new(catalog::K20C);
        module.connect_all();
        let mut values = [0x123, 0x10, 0x1_0001].into_iter();
        assert!(module.drive("freed", &mut |_| values.next().expect("three fields")));
        settle(&mut module);
        let ports = ports(&module);
        let freed = ports.iter().find(|port| port.name == "freed").expect("it has the port");
        let packed = 0x123u64 | 0x10 << 12 | 0x1_0001 << 29;
        let (inputs, _) = Sampler::new(&module).sample(&module);
        assert_eq!(freed.value(&inputs), [packed as u32, (packed >> 32) as u32]);
    }

    #[test]
    fn fields_of_structs_within_structs_lie_one_above_the_other() {
        let module = RoundRobinScheduler::new(2, catalog::C2050, false, &[]);
        let ports = ports(&module);
        let launch = ports.iter().find(|port| port.name == "launch").expect("it has the port");
        let fields: Vec<(&str, usize, usize)> =
            launch.fields.iter().map(|field| (&*field.path, field.low, field.bits)).collect();
        let expected = [
            ("valid", 0, 1),
            ("context.entry_pc", 1, 32),
            ("context.parameter_address", 33, 32),
            ("context.block.x", 65, 11),
            ("context.block.y", 76, 11),
            ("context.block.z", 87, 7),
            ("grid.x", 94, 31),
            ("grid.y", 125, 16),
            ("grid.z", 141, 16),
            ("blocks", 157, 31),
            ("needs.threads", 188, 12),
            ("needs.registers", 200, 17),
            ("needs.shared_memory", 217, 17),
        ];
        assert_eq!(fields, expected);
        for port in ports.iter().filter(|port| !port.fields.is_empty()) {
            assert_eq!(port.fields.iter().map(|field| field.bits).sum::<usize>(), port.bits);
        }
    }
}
