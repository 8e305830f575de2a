//! Modules of Verilog text, named by what stands in them and in all below them.
//!
//! So a module has one name in whatever scheduler, and at whatever place, it is: a FIFO that is
//! mapped once is mapped for all.

use super::module_name;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

/// Bytes of a hash that make a name.
const BYTES: usize = 10;

/// A module by its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its text, in which all modules have their new names.
    pub text: String,
    /// The modules of which it has instances.
    pub children: Vec<String>,
}

/// The modules of a design.
#[derive(Clone, Debug, Default)]
pub struct Modules {
    /// Each behind those that stand in it: the top is the last one.
    pub all: Vec<Named>,
    /// The new name of each old one.
    pub names: HashMap<String, String>,
}

impl Modules {
    /// The module `top` of a text and those below it.
    pub fn below(top: &str, verilog: &str) -> Self {
        let mut modules = Self::default();
        modules.add(top, &texts(verilog));
        modules
    }

    fn add(&mut self, name: &str, texts: &HashMap<&str, &str>) {
        let Some(text) = texts.get(name).filter(|_| !self.names.contains_key(name)) else { return };
        let mut below: Vec<&str> =
            text.lines().filter_map(instantiated).filter(|of| texts.contains_key(of)).collect();
        below.sort_unstable();
        below.dedup();
        below.iter().for_each(|child| self.add(child, texts));
        let children: Vec<String> = below.iter().map(|&child| self.names[child].clone()).collect();
        let text = text.lines().map(|line| {
            let child = instantiated(line).and_then(|of| below.binary_search(&of).ok());
            child.map_or(line.into(), |at| Cow::from(line.replacen(below[at], &children[at], 1)))
        });
        let text: String = text.flat_map(|line| [line, "\n".into()]).collect();
        let named = |own| text.replacen(&format!("module {name}("), &format!("module {own}("), 1);
        let new = content(&named("*"));
        let text = named(&new);
        self.names.insert(name.to_owned(), new.clone());
        // Two that differed in their names alone are one now.
        if self.all.iter().all(|known| known.name != new) {
            self.all.push(Named { name: new, text, children });
        }
    }
}

impl Named {
    /// The module without what is in it: its ports.
    pub fn stub(&self) -> String {
        let is_port = |line: &&str| {
            ["input ", "output "].iter().any(|way| line.trim_start().starts_with(way))
        };
        let header_ends = self.text.find(");").map_or(self.text.len(), |at| at + ");".len());
        let (header, body) = self.text.split_at(header_ends);
        let is_text = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let ports = body.lines().filter(is_text).take_while(is_port);
        let ports: String = ports.flat_map(|line| [line, "\n"]).collect();
        format!("{header}\n{ports}endmodule\n")
    }
}

/// The module of which a line begins an instance: `MODULE NAME(`. Signals may be named like
/// modules.
fn instantiated(line: &str) -> Option<&str> {
    let (module, rest) = line.trim_start().split_once(' ')?;
    let is_name = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (is_name && rest.contains('(')).then_some(module)
}

/// The text of each module, from its attributes to its end.
fn texts(verilog: &str) -> HashMap<&str, &str> {
    let mut texts = HashMap::new();
    let (mut at, mut start) = (0, 0);
    for line in verilog.split_inclusive('\n') {
        let end = at + line.len();
        if line.starts_with("endmodule") {
            let text = &verilog[start..at + "endmodule".len()];
            texts.insert(module_name(text), text);
            start = end;
        } else if line.trim().is_empty() && verilog[start..at].trim().is_empty() {
            start = end;
        }
        at = end;
    }
    texts
}

/// A name for a text.
fn content(text: &str) -> String {
    let digits = Sha256::digest(text).into_iter().take(BYTES);
    digits.fold("m".to_owned(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilog;
    use blockyard_rtl::catalog::{self, Size};

    /// A design of three modules; `name` is that of the top, and `gate` what the lowest one does.
    fn design(name: &str, gate: &str) -> String {
        format!(
            "module {name}(a,b);\n    input wire a;\n    output wire b;\n    {name}$half it(.a(a), .b(b));\n\
             endmodule // {name}\n\n\
             module {name}$half(a,b);\n    input wire a;\n    output reg  [1:0] b;\n    {name}$gate x(.a(a));\n\
             endmodule // {name}$half\n\
             (* blackbox *)\nmodule {name}$gate(input a);\nassign b = {gate};\nendmodule\n"
        )
    }

    #[test]
    fn a_module_has_its_name_from_its_content_and_those_below_it() {
        let one = Modules::below("one", &design("one", "a"));
        let other = Modules::below("other", &design("other", "a"));
        assert_eq!(one.all, other.all);
        assert_eq!(one.all.len(), 3);
        let [gate, half, top] = one.all.as_slice() else { panic!("three modules") };
        assert_eq!((&one.names["one$gate"], &one.names["one"]), (&gate.name, &top.name));
        assert!(top.text.contains(&format!("    {} it(.a(a)", half.name)), "{}", top.text);
        assert!(gate.text.starts_with("(* blackbox *)\nmodule m"), "{}", gate.text);
        assert_eq!(half.children, std::slice::from_ref(&gate.name));

        let inverted = Modules::below("one", &design("one", "~a"));
        assert!(one.all.iter().zip(&inverted.all).all(|(left, right)| left.name != right.name));
    }

    #[test]
    fn a_signal_that_is_named_like_a_module_is_none_and_keeps_its_name() {
        let verilog = "module top(a);\n    input wire a;\n    leaf l(.top(a));\nendmodule\n\
                       module leaf(top);\n    input wire top;\n    reg q;\n    always @(*) begin\n\
                       \x20       q = (top);\n    top = (a);\n    end\nendmodule\n";
        let modules = Modules::below("top", verilog);
        let [leaf, top] = modules.all.as_slice() else { panic!("two modules") };
        assert!(leaf.children.is_empty() && leaf.text.contains("    top = (a);"), "{}", leaf.text);
        assert!(top.text.contains(&format!("    {} l(.top(a));", leaf.name)), "{}", top.text);
    }

    #[test]
    fn what_differs_in_names_alone_is_one_module_and_what_nothing_uses_is_none() {
        let leaf =
            |name: &str| format!("module {name}(a);\n    input wire a;\nendmodule // {name}\n");
        let verilog = format!(
            "module top(a);\n    input wire a;\n    left l(.a(a));\n    right r(.a(a));\nendmodule\n{}{}{}",
            leaf("left"),
            leaf("right"),
            leaf("unused")
        );
        let modules = Modules::below("top", &verilog);
        assert_eq!(modules.all.len(), 2);
        assert_eq!(modules.names["left"], modules.names["right"]);
        assert!(!modules.names.contains_key("unused"));
    }

    #[test]
    fn all_modules_of_every_small_design_of_the_catalog_are_found_and_each_once() {
        for entry in catalog::entries() {
            let small = entry.configurations.iter().filter(|of| of.size == Size::Small);
            for configuration in small {
                let text = verilog(&*configuration.build(), "top").expect("Verilog");
                let modules = Modules::below("top", &text);
                let is_module = |line: &&str| line.starts_with("module ");
                assert_eq!(modules.names.len(), text.lines().filter(is_module).count());
                // What is exported has no two modules that differ in their names alone.
                assert_eq!(modules.all.len(), modules.names.len(), "{}", configuration.name);
            }
        }
    }

    #[test]
    fn a_stub_has_all_ports_and_nothing_else() {
        let modules = Modules::below("one", &design("one", "a"));
        let [gate, half, _] = modules.all.as_slice() else { panic!("three modules") };
        let ports = "    input wire a;\n    output reg  [1:0] b;\n";
        assert_eq!(half.stub(), format!("module {}(a,b);\n{ports}endmodule\n", half.name));
        let header = format!("(* blackbox *)\nmodule {}(input a);\n", gate.name);
        assert_eq!(gate.stub(), header + "endmodule\n");
    }
}
