//! The ports of a scheduler, taken apart: what the map, the package and the wrapper are made of.

use super::meaning;
use super::names::without_dollar;
use crate::export::reserved_words;
use crate::replay::{self, Direction};
use blockyard_rtl::module::Module;
use serde::Serialize;

/// A port of the hardware.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KitPort {
    /// Its name without `$`, in `blockyard_core`: `dispatch_3`.
    pub name: String,
    /// Its name in `blockyard_top`: `dispatch$3`.
    pub top_name: String,
    /// What it is, and when it means something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// `input` or `output`.
    pub direction: &'static str,
    /// Its width in bits.
    pub width: usize,
    /// Which of a row of ports it is, most often that of an SMX.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<usize>,
    /// The packed struct of the package that it is.
    #[serde(rename = "struct", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    /// What it is made of, the lowest first: a port that is one number has one field, itself.
    pub fields: Vec<KitField>,
}

/// A number or mask of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KitField {
    /// Its name as a member of the struct; empty in a port that is one number.
    pub name: String,
    /// The port of the wrapper that it is.
    pub wrapper: String,
    /// Its highest bit in the port.
    pub high: usize,
    /// Its lowest bit in the port.
    pub low: usize,
    /// Its width in bits.
    pub width: usize,
    /// The port of the wrapper that is 1 when it means something, if the port has a bit for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_when: Option<String>,
}

impl KitPort {
    /// Whether it goes into the hardware.
    pub fn is_input(&self) -> bool {
        self.direction == "input"
    }
}

/// The ports of `module` but clock and reset, in the order of declaration.
pub fn of(module: &dyn Module) -> Vec<KitPort> {
    let ports = replay::ports(module).into_iter();
    ports.filter(|port| port.name != "reset").map(|port| taken_apart(&port)).collect()
}

fn taken_apart(port: &replay::Port) -> KitPort {
    let name = without_dollar(&port.name);
    let element = port.name.rsplit_once('$').and_then(|(_, number)| number.parse().ok());
    let has_valid = port.fields.first().is_some_and(|field| field.path == "valid");
    let fields = port.fields.iter().map(|field| {
        let member = member(&field.path);
        KitField {
            wrapper: format!("{name}_{}", field.path.replace('.', "_")),
            high: field.low + field.bits - 1,
            low: field.low,
            width: field.bits,
            valid_when: (has_valid && member != "valid").then(|| format!("{name}_valid")),
            name: member,
        }
    });
    let mut fields: Vec<KitField> = fields.collect();
    let type_name = (!fields.is_empty()).then(|| format!("{}_t", port.base_name()));
    if fields.is_empty() {
        fields.push(KitField {
            name: String::new(),
            wrapper: name.clone(),
            high: port.bits - 1,
            low: 0,
            width: port.bits,
            valid_when: None,
        });
    }
    let direction = match port.direction {
        Direction::Input => "input",
        Direction::Output => "output",
    };
    let (top_name, about) = (port.name.clone(), meaning::of(port.base_name()));
    KitPort { name, top_name, about, direction, width: port.bits, element, type_name, fields }
}

/// The name of a field as a member of its struct: with an underscore behind it if it is a reserved
/// word.
fn member(path: &str) -> String {
    let name = path.replace('.', "_");
    match reserved_words().contains(&name.as_str()) {
        true => name + "_",
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rtl_module;
    use crate::family;
    use blockyard_sim::port::SmxLimits;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_ports_of_a_wrapper_have_one_name_and_none_is_a_reserved_word() {
        let limits =
            SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 1 };
        for (composition, launch) in family::everything() {
            let module = rtl_module(&composition, launch, 1, 12, limits).expect("it has hardware");
            let ports = of(module.as_module());
            let mut names: BTreeSet<&str> = ["clock", "reset", "core"].into();
            let wires = ports.iter().filter(|port| port.type_name.is_some());
            let wires = wires.map(|port| &port.name);
            let fields = ports.iter().flat_map(|port| &port.fields).map(|field| &field.wrapper);
            for name in wires.chain(fields) {
                assert!(names.insert(name), "{composition} {launch:?}: {name} twice");
            }
            let members = ports.iter().flat_map(|port| &port.fields).map(|field| &*field.name);
            let reserved =
                names.iter().copied().chain(members).find(|name| reserved_words().contains(name));
            assert_eq!(reserved, None, "{composition}");
        }
    }

    #[test]
    fn fields_fill_their_port_from_the_lowest_bit_to_the_highest() {
        let limits =
            SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 1 };
        for (composition, launch) in family::everything() {
            let module = rtl_module(&composition, launch, 1, 2, limits).expect("it has hardware");
            for port in of(module.as_module()) {
                let mut next = 0;
                for field in &port.fields {
                    assert_eq!((field.low, field.high + 1), (next, next + field.width));
                    next += field.width;
                }
                assert_eq!(next, port.width, "{composition} {}", port.name);
            }
        }
    }
}
