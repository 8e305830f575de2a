//! The opcodes of a trace that do not run as what they are.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::{Class, Opcode};
use crate::trace::fault::shown;

/// Most of a kind that are named.
const MOST_NAMED: usize = 8;

/// See the module; the kernels of a trace share it.
#[derive(Debug, Default)]
pub(crate) struct NotedOpcodes {
    unknown: Names,
    bulk: Names,
}

impl NotedOpcodes {
    /// There is `opcode`, which is `name`, modifiers and all.
    pub fn note(&self, name: &[u8], opcode: Opcode) {
        if opcode.unknown {
            self.unknown.add(name);
        } else if opcode.class == Class::Bulk {
            self.bulk.add(name);
        }
    }

    /// What the user should know of them, if there are any.
    pub fn remark(&self) -> Option<String> {
        let unknown =
            "opcodes that no table has ran as integer instructions, without their addresses";
        let bulk = "bulk copies ran as integer instructions, without what they move";
        let kinds = [(unknown, &self.unknown), (bulk, &self.bulk)];
        let said: Vec<String> = kinds
            .into_iter()
            .filter_map(|(what, names)| Some(format!("{what}: {}", names.listed()?)))
            .collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// Opcodes, each once, of which the first ones are named.
#[derive(Debug, Default)]
struct Names(RefCell<BTreeSet<String>>);

impl Names {
    fn add(&self, name: &[u8]) {
        let mut names = self.0.borrow_mut();
        // One more than are named tells that there are more.
        if names.len() <= MOST_NAMED {
            names.insert(shown(name));
        }
    }

    /// Those that are named, `None` without any.
    fn listed(&self) -> Option<String> {
        let names = self.0.borrow();
        let mut named: Vec<&str> = names.iter().map(String::as_str).take(MOST_NAMED).collect();
        if names.len() > MOST_NAMED {
            named.push("...");
        }
        (!names.is_empty()).then(|| named.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::opcode::{Architecture, Decoder};
    use std::rc::Rc;

    fn remark(names: &[&str]) -> Option<String> {
        let noted = Rc::new(NotedOpcodes::default());
        let mut decoder = Decoder::new(Architecture::Hopper, Rc::clone(&noted));
        for name in names {
            decoder.resolve(name.as_bytes());
        }
        noted.remark()
    }

    #[test]
    fn each_is_named_once_and_of_many_the_first() {
        assert_eq!(remark(&["FADD", "LDG.E"]), None);
        assert!(remark(&["LDX.E", "FOO", "LDX.E"]).unwrap().ends_with(": FOO, LDX.E"));
        let names: Vec<String> = (0..100).map(|number| format!("X{number}")).collect();
        let remark = remark(&names.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        assert!(remark.ends_with(", ..."), "{remark}");
        assert_eq!(remark.split(", ").count(), 2 + MOST_NAMED);
    }

    #[test]
    fn bulk_copies_are_told_apart_from_what_no_table_has() {
        let bulk = remark(&["UTMALDG.2D"]).unwrap();
        assert!(bulk.starts_with("bulk copies") && bulk.ends_with(": UTMALDG.2D"), "{bulk}");
        let both = remark(&["UTMALDG.2D", "FOO"]).unwrap();
        assert!(both.contains(": FOO; bulk copies"), "{both}");
    }
}
