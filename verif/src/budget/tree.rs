//! The hierarchy of a design, with what each part declares to store.
//!
//! Modules of an array are taken together: `smx[*]` stands for all of them.

use blockyard_rtl::storage::{Declared, Storage};

/// The parts of which there is one for each SMX, or for each queue of a cluster of SMXs.
pub const OF_EACH_SMX: [&str; 15] = [
    "answers",
    "backups",
    "core",
    "first_choice",
    "fits",
    "homes",
    "ids",
    "queues",
    "resident",
    "rings",
    "second_choice",
    "slice",
    "smx",
    "third_choice",
    "units",
];

/// The other arrays, whose length has nothing to do with the number of SMXs.
pub const OTHER_ARRAYS: [&str; 23] = [
    "ahead",
    "all",
    "count",
    "entry",
    "exclusive",
    "first",
    "followed",
    "fresh_alone",
    "kernel",
    "limits_of",
    "name",
    "needs_of",
    "on_way",
    "order",
    "pointers",
    "queue",
    "residency_of",
    "stage",
    "strides",
    "total_of",
    "upto",
    "urgent",
    "used_alone",
];

/// A module, or all modules of an array in one place of the hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// From the top, without the top's own name: `queues.slice[*].queue`; empty for the top.
    pub path: String,
    /// Folder and type of the module: `laperm/LinkedQueue`.
    pub module: String,
    /// How many there are.
    pub instances: usize,
    /// Whether the SMXs share none of it: it, or something above it, is an array over them.
    pub of_each_smx: bool,
    /// What it stores beside its parts, with the number of instances that do.
    pub storage: Vec<(Storage, usize)>,
    /// Its parts, in the order of their declaration.
    pub parts: Vec<Node>,
}

impl Node {
    /// The tree of a design.
    pub fn new(top: &dyn Declared) -> Self {
        let mut node = Self { module: module(top.kind()), ..Self::default() };
        node.add(top);
        node
    }

    /// Its own path and its parts', depth first.
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a Node)) {
        see(self);
        self.parts.iter().for_each(|part| part.walk(see));
    }

    /// Bits of registers and of memories, of all instances with all their parts.
    pub fn bits(&self) -> (u64, u64) {
        let mut sum = (0, 0);
        self.walk(&mut |node| {
            for (storage, instances) in &node.storage {
                let bits = (storage.bits() * instances) as u64;
                match storage {
                    Storage::Registers { .. } => sum.0 += bits,
                    Storage::Memory(_) => sum.1 += bits,
                }
            }
        });
        sum
    }

    fn add(&mut self, declared: &dyn Declared) {
        self.instances += 1;
        for storage in declared.storage().into_iter().filter(|storage| storage.bits() > 0) {
            match self.storage.iter_mut().find(|(known, _)| *known == storage) {
                Some((_, instances)) => *instances += 1,
                None => self.storage.push((storage, 1)),
            }
        }
        declared.parts(&mut |name, index, part| self.part(name, index, part).add(part));
    }

    fn part(&mut self, name: &str, index: Option<usize>, part: &dyn Declared) -> &mut Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        let star = if index.is_some() { "[*]" } else { "" };
        let path = format!("{}{dot}{name}{star}", self.path);
        let place = self.parts.iter().position(|known| known.path == path);
        let place = place.unwrap_or_else(|| {
            let over_smxs = index.is_some() && OF_EACH_SMX.contains(&name);
            self.parts.push(Self {
                path,
                module: module(part.kind()),
                of_each_smx: self.of_each_smx || over_smxs,
                ..Self::default()
            });
            self.parts.len() - 1
        });
        &mut self.parts[place]
    }
}

/// Folder and type: `blockyard_rtl::laperm::selector::Selector` is `laperm/Selector`.
fn module(kind: &str) -> String {
    let mut names = kind.split("::").skip(1);
    let folder = names.next().unwrap_or_default();
    format!("{folder}/{}", names.last().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockyard_rtl::catalog;
    use blockyard_rtl::storage::declared_bits;

    #[test]
    fn arrays_of_the_catalog_are_known_to_be_over_smxs_or_not() {
        for entry in catalog::entries() {
            for configuration in &entry.configurations {
                let module = configuration.build();
                let top: &dyn Declared = &*module;
                Node::new(top).walk(&mut |node| {
                    let last = node.path.rsplit('.').next().unwrap_or_default();
                    if let Some(name) = last.strip_suffix("[*]") {
                        let known = OF_EACH_SMX.contains(&name) || OTHER_ARRAYS.contains(&name);
                        assert!(known, "{}: is there one `{name}` for each SMX?", entry.name);
                    }
                });
            }
        }
    }

    #[test]
    fn a_tree_holds_every_bit_that_is_declared() {
        for entry in catalog::entries() {
            for configuration in &entry.configurations {
                let module = configuration.build();
                let (registers, memories) = declared_bits(&*module);
                let expected = (registers as u64, memories as u64);
                assert_eq!(Node::new(&*module).bits(), expected, "{}", entry.name);
            }
        }
    }
}
