//! Which bits of a scheduler's outputs the cycle contract defines: those that lockstep compares.
//!
//! A word means nothing without its valid bit. Here that is said once, for rows of a trace and for
//! circuits.

use crate::replay::{Direction, Port};

/// A bit of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bit {
    /// Place of the port among all of the module.
    pub port: usize,
    /// Its place in the port.
    pub bit: usize,
}

/// Bits of an output that are compared together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Place of the port among all of the module.
    pub port: usize,
    /// The lowest of the bits.
    pub low: usize,
    /// How many there are.
    pub bits: usize,
    /// When they mean something: one bit of each list has to be set.
    pub when: Vec<Vec<Bit>>,
}

/// Fields of a word of which those behind them mean nothing where they are zero.
const QUALIFIERS: [&str; 3] = ["valid", "taken", "matched"];

/// Ports that mean something where one of others is set, of which each may have two names and
/// counts by the first that is there; `$` stands for the same element of an array.
const QUALIFIED: [(&str, &[&str]); 5] = [
    ("launch_entry", &["launch_ready", "record_taken|record"]),
    ("kernel_context", &["context_valid"]),
    ("slot", &["dispatch$"]),
    ("fetch_suspended", &["fetch_record"]),
    ("fetch_index", &["fetch_record"]),
];

/// All that is compared of these ports.
pub fn compared(ports: &[Port]) -> Vec<Compared> {
    let mut all = Vec::new();
    for (place, port) in ports.iter().enumerate() {
        if port.direction == Direction::Input {
            continue;
        }
        let mut when: Vec<Vec<Bit>> = qualifiers(ports, port).into_iter().collect();
        if port.fields.is_empty() {
            all.push(Compared { port: place, low: 0, bits: port.bits, when });
            continue;
        }
        for field in &port.fields {
            all.push(Compared {
                port: place,
                low: field.low,
                bits: field.bits,
                when: when.clone(),
            });
            if QUALIFIERS.contains(&&*field.path) {
                when.push(vec![Bit { port: place, bit: field.low }]);
            }
        }
    }
    all
}

/// The bits of other ports of which one has to be set.
fn qualifiers(ports: &[Port], port: &Port) -> Option<Vec<Bit>> {
    let (base, element) = match port.name.split_once('$') {
        Some((base, element)) => (base, element),
        None => (&*port.name, ""),
    };
    let (_, names) = QUALIFIED.iter().find(|(name, _)| *name == base)?;
    let place = |name: &str| {
        let name = match name.strip_suffix('$') {
            Some(array) => format!("{array}${element}"),
            None => name.to_owned(),
        };
        ports.iter().position(|port| port.name == name)
    };
    let places = names.iter().filter_map(|names| names.split('|').find_map(place));
    Some(places.map(|port| Bit { port, bit: 0 }).collect())
}

/// Sets the bits of `mask`, a row of outputs, that are compared in a cycle with these inputs and
/// outputs.
pub fn mask(ports: &[Port], all: &[Compared], inputs: &[u32], outputs: &[u32], mask: &mut [u32]) {
    let is_set = |bit: &Bit| {
        let port = &ports[bit.port];
        let row = match port.direction {
            Direction::Input => inputs,
            Direction::Output => outputs,
        };
        row[port.offset + bit.bit / 32] >> (bit.bit % 32) & 1 == 1
    };
    for compared in all {
        if compared.when.iter().all(|bits| bits.iter().any(is_set)) {
            let first = 32 * ports[compared.port].offset + compared.low;
            for bit in first..first + compared.bits {
                mask[bit / 32] |= 1 << (bit % 32);
            }
        }
    }
}

#[cfg(test)]
mod tests;
