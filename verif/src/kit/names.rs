//! Names without `$`, which not every tool takes: Tcl reads a variable there, VHDL allows none.

use crate::export::ExportError;
use std::collections::BTreeMap;

/// The Verilog `text` with `_` for each `$` of its names.
///
/// # Errors
/// When two names of a module, or two modules, become the same.
pub fn without_dollars(text: &str) -> Result<String, ExportError> {
    let mut plain = String::with_capacity(text.len());
    let mut modules = Known::default();
    let mut names = Known::default();
    for line in text.lines() {
        if let Some(header) = line.strip_prefix("module ") {
            let name = header.split('(').next().unwrap_or_default();
            modules.insert(name)?;
            names = Known::default();
        }
        let code = line.split("//").next().unwrap_or_default().len();
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| begins_name(c)) {
            plain.push_str(&rest[..start]);
            let name = &rest[start..];
            let end = name.find(|c: char| !is_in_name(c)).unwrap_or(name.len());
            let (name, behind) = name.split_at(end);
            if line.len() - rest.len() + start < code {
                names.insert(name)?;
            }
            plain.push_str(&name.replace('$', "_"));
            rest = behind;
        }
        plain.push_str(rest);
        plain.push('\n');
    }
    Ok(plain)
}

/// A name of the hardware without `$`.
pub fn without_dollar(name: &str) -> String {
    name.replace('$', "_")
}

/// A digit begins no name, but is taken for the beginning of one: what follows it in a number is
/// none.
fn begins_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_in_name(c: char) -> bool {
    begins_name(c) || c == '$'
}

/// What names were before, by what they are now.
#[derive(Default)]
struct Known(BTreeMap<String, String>);

impl Known {
    fn insert(&mut self, name: &str) -> Result<(), ExportError> {
        let plain = without_dollar(name);
        match self.0.get(&plain) {
            Some(other) if other != name => {
                Err(ExportError::SameName { name: plain, one: other.clone(), other: name.into() })
            }
            Some(_) => Ok(()),
            None => {
                self.0.insert(plain, name.to_owned());
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rtl_module;
    use crate::export::{properties::Whose, with_properties};
    use crate::family;
    use blockyard_sim::port::{FloorPlan, SmxLimits};

    #[test]
    fn every_scheduler_and_what_it_promises_have_names_that_stay_apart() {
        let limits =
            SmxLimits { threads: 64, registers: 64, shared_memory: 64, thread_block_slots: 1 };
        let mut exported = 0;
        for (composition, launch) in family::everything() {
            if !composition.gates.is_empty() {
                continue;
            }
            let module = rtl_module(&composition, launch, 1, FloorPlan::uneven(3), limits);
            let module = module.expect("it has hardware");
            let text = with_properties(module.as_module(), "top", Whose::All);
            let (text, _) = text.unwrap_or_else(|error| panic!("{composition}: {error}"));
            let plain = without_dollars(&text);
            assert!(plain.is_ok(), "{composition}: {}", plain.expect_err("no text"));
            exported += 1;
        }
        assert!(exported > 20, "{exported} schedulers");
    }

    #[test]
    fn each_dollar_of_a_name_becomes_an_underscore_and_system_tasks_stay() {
        let text = "module top$a(b$q); // of c$d\n  $stop; x$0 <= 5'h1f + b$q;\nendmodule\n";
        let plain = "module top_a(b_q); // of c_d\n  $stop; x_0 <= 5'h1f + b_q;\nendmodule\n";
        assert_eq!(without_dollars(text).expect("no name is taken"), plain);
    }

    #[test]
    fn names_that_become_the_same_are_refused_within_a_module_only() {
        let same = without_dollars("module m(a$b, a_b);\nendmodule\n").expect_err("both are a_b");
        assert!(same.to_string().contains("`a$b` and `a_b`"), "{same}");
        assert!(without_dollars("module m(a$b);\nendmodule\nmodule n(a_b);\nendmodule\n").is_ok());
        assert!(without_dollars("module m(a_b); // a$b\nendmodule\n").is_ok());
        assert!(without_dollars("module m$n(a);\nendmodule\nmodule m_n(a);\nendmodule\n").is_err());
    }
}
