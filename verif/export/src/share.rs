//! Modules that are alike are printed once.
//!
//! rust-hdl prints a module for every instance: thirty SMXs, thirty times the same text. Children
//! first, this pass keeps one of each and points the instances at it.

use super::text::{in_identifier, module_name};
use std::collections::HashMap;

/// The modules without repetitions. The first one is the top and keeps its name.
pub fn share(mut modules: Vec<String>) -> Vec<String> {
    loop {
        let mut first_of: HashMap<String, String> = HashMap::new();
        let mut renamed: HashMap<String, String> = HashMap::new();
        let mut kept = Vec::new();
        for module in modules {
            let name = module_name(&module).to_owned();
            let body = replace_identifiers(&module, |word| (word == name).then_some("*"));
            match first_of.get(&body) {
                Some(first) => {
                    renamed.insert(name, first.clone());
                }
                None => {
                    first_of.insert(body, name);
                    kept.push(module);
                }
            }
        }
        if renamed.is_empty() {
            return kept;
        }
        modules = kept
            .iter()
            .map(|module| replace_identifiers(module, |word| renamed.get(word).map(String::as_str)))
            .collect();
    }
}

/// The text with whole identifiers replaced.
fn replace_identifiers<'a>(text: &str, replacement: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.bytes().position(|byte| !in_identifier(byte)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push_str(replacement(word).unwrap_or(word));
        let gap = after.bytes().position(in_identifier).unwrap_or(after.len());
        out.push_str(&after[..gap]);
        rest = &after[gap..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_children_are_printed_once_and_so_are_their_parents() {
        let modules = [
            "module top(a);\n    top$p p(\n    top$q q(\nendmodule // top\n",
            "module top$p(a);\n    top$p$r r(\nendmodule // top$p\n",
            "module top$p$r(a);\n    b = a;\nendmodule // top$p$r\n",
            "module top$q(a);\n    top$q$r r(\nendmodule // top$q\n",
            "module top$q$r(a);\n    b = a;\nendmodule // top$q$r\n",
        ];
        let shared = share(modules.iter().map(|text| text.to_string()).collect());
        let names: Vec<&str> = shared.iter().map(|module| module_name(module)).collect();
        assert_eq!(names, ["top", "top$p", "top$p$r"]);
        assert!(shared[0].contains("top$p q("), "{}", shared[0]);
    }

    #[test]
    fn modules_that_differ_in_one_number_stay_apart() {
        let modules = ["module a(x);\n    y = 1'h0;\n", "module b(x);\n    y = 1'h1;\n"];
        assert_eq!(share(modules.iter().map(|text| text.to_string()).collect()).len(), 2);
    }
}
