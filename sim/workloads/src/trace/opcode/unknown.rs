//! The opcodes of a trace that no table has.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::trace::fault::shown;

/// Most of them that are named.
const MOST_NAMED: usize = 8;

/// See the module; the kernels of a trace share it.
#[derive(Debug, Default)]
pub(crate) struct UnknownOpcodes(RefCell<BTreeSet<String>>);

impl UnknownOpcodes {
    /// There is the opcode `name`, modifiers and all.
    pub fn note(&self, name: &[u8]) {
        let mut names = self.0.borrow_mut();
        // One more than are named tells that there are more.
        if names.len() <= MOST_NAMED {
            names.insert(shown(name));
        }
    }

    /// What the user should know of them, if there are any.
    pub fn remark(&self) -> Option<String> {
        let names = self.0.borrow();
        let mut named: Vec<&str> = names.iter().map(String::as_str).take(MOST_NAMED).collect();
        if names.len() > MOST_NAMED {
            named.push("...");
        }
        let named = named.join(", ");
        (!names.is_empty()).then(|| {
            format!("opcodes that no table has ran as integer instructions, without their addresses: {named}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_named_once_and_of_many_the_first() {
        let unknown = UnknownOpcodes::default();
        assert_eq!(unknown.remark(), None);
        for name in ["LDX.E", "FOO", "LDX.E"] {
            unknown.note(name.as_bytes());
        }
        assert!(unknown.remark().unwrap().ends_with(": FOO, LDX.E"));
        for number in 0..100 {
            unknown.note(format!("X{number}").as_bytes());
        }
        let remark = unknown.remark().unwrap();
        assert!(remark.ends_with(", ..."), "{remark}");
        assert_eq!(remark.split(", ").count(), 2 + MOST_NAMED);
    }
}
