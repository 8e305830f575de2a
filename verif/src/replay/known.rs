//! What Yosys counts in modules, each of them read once in a process.
//!
//! Whole schedulers have most of their modules in common: the catalog's configurations, without the
//! widest, are 26 megabytes of Verilog, of which ten are left without repetitions.
//!
//! ```text
//!   modules that are not known, stubs of known ones in them --Yosys--> counts of each, added up
//! ```

use super::{ReplayError, YosysReport, TOP};
use crate::export::{Modules, Named};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// By a module's name, which stands for its content: what is in it and in all below it.
type Known = BTreeMap<String, YosysReport>;

fn known() -> MutexGuard<'static, Known> {
    static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The report of the top of a design. `read` gives the counts of each module of a Verilog text with
/// a top of this name, by names such as `\top`, with instances as cells; it is not called where all
/// is known. What it refuses is not kept.
///
/// # Errors
/// When there is no top, and those of `read`, with the names that modules have in the design.
pub fn of(
    modules: &Modules,
    read: impl FnOnce(&str, &str) -> Result<BTreeMap<String, YosysReport>, ReplayError>,
) -> Result<YosysReport, ReplayError> {
    let rejected = |log: String| ReplayError::Rejected { tool: "yosys", log };
    let top = modules.all.last().ok_or_else(|| rejected(format!("no module `{TOP}`")))?;
    let (mut reports, mut fresh) = (BTreeMap::new(), Vec::new());
    for module in &modules.all {
        if let Some(report) = known().get(&module.name) {
            reports.insert(module.name.as_str(), report.clone());
        } else {
            fresh.push(module);
        }
    }
    if !fresh.is_empty() {
        let mut own = read(&text(modules, &fresh, &reports), &top.name)
            .map_err(|error| in_the_designs_names(error, modules))?;
        for Named { name, .. } in fresh {
            let own = own.remove(&format!("\\{name}"));
            let own = own.ok_or_else(|| rejected(format!("`{name}` is gone")))?;
            let report = with_instances(own, &reports);
            known().insert(name.clone(), report.clone());
            reports.insert(name, report);
        }
    }
    Ok(reports[top.name.as_str()].clone())
}

/// The modules that are to be read. Of others that stand in them only the ports, and whether
/// registers keep them where nothing reads what they give.
fn text(modules: &Modules, fresh: &[&Named], reports: &BTreeMap<&str, YosysReport>) -> String {
    let inside: BTreeSet<&String> = fresh.iter().flat_map(|module| &module.children).collect();
    let stubs = modules.all.iter().filter(|module| inside.contains(&module.name));
    let stubs = stubs.filter_map(|module| {
        let report = reports.get(module.name.as_str())?;
        let kept = if report.register_bits > 0 { ", keep" } else { "" };
        Some(format!("(* blackbox{kept} *)\n{}", module.stub()))
    });
    stubs.chain(fresh.iter().map(|module| format!("{}\n", module.text))).collect()
}

/// The report of a module and all below it, from its own and those of what stands in it.
fn with_instances(own: YosysReport, reports: &BTreeMap<&str, YosysReport>) -> YosysReport {
    let mut sum = YosysReport { cells: BTreeMap::new(), ..own };
    for (kind, count) in own.cells {
        let Some(below) = reports.get(kind.as_str()) else {
            *sum.cells.entry(kind).or_default() += count;
            continue;
        };
        sum.register_bits += count * below.register_bits;
        sum.memory_bits += count * below.memory_bits;
        for (kind, each) in &below.cells {
            *sum.cells.entry(kind.clone()).or_default() += count * each;
        }
    }
    sum
}

/// What Yosys complains of, with the names that modules have in the design.
fn in_the_designs_names(error: ReplayError, modules: &Modules) -> ReplayError {
    let ReplayError::Rejected { tool, log } = error else { return error };
    let log = modules.names.iter().fold(log, |log, (name, content)| log.replace(content, name));
    ReplayError::Rejected { tool, log }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A design in which a module has two instances of another; `what` makes them those of a test.
    fn design(what: &str, top: &str) -> Modules {
        let verilog = format!(
            "module top(a,b);\n    input wire a;\n    output wire b;\n\
             \x20   top$leaf one(.a(a), .b(c));\n    top$leaf two(.a(c), .b(b));\n{top}endmodule\n\
             module top$leaf(a,b);\n    input wire a;\n    output reg b;\n// {what}\nendmodule\n"
        );
        Modules::below("top", &verilog)
    }

    /// Counts of the modules of a text: the leaf has three bits of registers, a memory and a gate.
    fn counts(modules: &Modules, text: &str) -> BTreeMap<String, YosysReport> {
        let leaf = &modules.names["top$leaf"];
        let of = |cells: &[(&str, u64)], register_bits, memory_bits| YosysReport {
            cells: cells.iter().map(|&(kind, count)| (kind.to_owned(), count)).collect(),
            register_bits,
            memory_bits,
        };
        let in_leaf = of(&[("$and", 1), ("$dff", 1)], 3, 8);
        let in_top = of(&[("$and", 1), (leaf, 2)], 0, 0);
        let all = [(leaf, in_leaf), (&modules.names["top"], in_top)];
        let read =
            all.into_iter().filter(|(name, _)| !text.contains(&format!("keep *)\nmodule {name}(")));
        read.map(|(name, report)| (format!("\\{name}"), report)).collect()
    }

    #[test]
    fn what_stands_in_a_module_counts_as_often_as_it_does() {
        let modules = design("counted", "");
        let report = of(&modules, |text, _| Ok(counts(&modules, text))).expect("it is read");
        assert_eq!((report.register_bits, report.memory_bits), (6, 16));
        assert_eq!(report.cells, [("$and", 3), ("$dff", 2)].map(|(k, n)| (k.to_owned(), n)).into());
    }

    #[test]
    fn a_module_is_read_once_and_its_ports_alone_again_where_a_new_one_has_it() {
        let first = design("once", "");
        let report = of(&first, |text, _| Ok(counts(&first, text))).expect("it is read");
        assert_eq!(of(&first, |_, _| panic!("all is known")).expect("it is known"), report);
        let second = design("once", "// another one\n");
        let mut seen = String::new();
        let read = |text: &str, _: &str| {
            seen = text.to_owned();
            Ok(counts(&second, text))
        };
        assert_eq!(of(&second, read).expect("it is read"), report);
        let leaf = &second.names["top$leaf"];
        let ports = "    input wire a;\n    output reg b;\n";
        let stub = format!("(* blackbox, keep *)\nmodule {leaf}(a,b);\n{ports}endmodule\n");
        assert!(seen.starts_with(&stub) && !seen.contains("// once"), "{seen}");
    }

    #[test]
    fn what_is_refused_is_read_again_and_has_the_designs_names() {
        let modules = design("refused", "");
        for _ in 0..2 {
            let log = format!("Latch inferred in `{}`", modules.names["top$leaf"]);
            let refused = of(&modules, |_, _| Err(ReplayError::Rejected { tool: "yosys", log }));
            let error = refused.expect_err("it is refused").to_string();
            assert!(error.contains("Latch inferred in `top$leaf`"), "{error}");
        }
        let error = of(&Modules::below("top", ""), |_, _| panic!("there is nothing to read"));
        assert!(error.expect_err("there is no top").to_string().contains("no module `top`"));
    }
}
