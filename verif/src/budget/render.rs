//! A budget as text, Markdown and CSV.

use super::row::{thousands, Bytes, Row, Stated, Total};
use super::{area, Budget, Hardware, Kind, Mapping};
use crate::cli::terminal;
use comfy_table::{presets::ASCII_MARKDOWN, CellAlignment, Table};
use std::fmt::Write;

/// The budget for people: a line a row and module, indented by the hierarchy; what papers state;
/// the shares. Reasons stand below the tables, by number.
pub fn text(budget: &Budget) -> String {
    document(budget, "", &mut |path, depth| match path.rsplit('.').next() {
        None | Some("") => "(top)".to_owned(),
        Some(name) => format!("{}{name}", "  ".repeat(depth)),
    })
}

/// The same as a Markdown document: whole paths instead of indents, which Markdown does not keep.
pub fn markdown(budget: &Budget) -> String {
    document(budget, "## ", &mut |path, _| match path {
        "" => "(top)".to_owned(),
        _ => format!("`{path}`"),
    })
}

fn document(budget: &Budget, heading: &str, name: &mut dyn FnMut(&str, usize) -> String) -> String {
    let mut reasons = Vec::new();
    // A cell of Markdown cannot be broken.
    let shown = |mut table: Table| {
        if heading.is_empty() {
            terminal::fit(&mut table);
        }
        table.trim_fmt()
    };
    let Budget { scheduler, smx, launch, .. } = budget;
    let mut out = format!("{heading}Storage of {scheduler}, {smx} SMXs, --launch {launch}\n\n");
    let _ = writeln!(out, "{}\n", shown(hierarchy(budget, name, &mut reasons)));
    let _ = writeln!(out, "{}\n", shown(totals(budget)));
    let _ = writeln!(out, "{heading}Totals by kind\n");
    let _ = writeln!(out, "{}\n", shown(kinds(budget)));
    if !budget.paper.is_empty() {
        let _ = writeln!(out, "{heading}What the papers state\n");
        let _ = writeln!(out, "{}\n", shown(papers(budget, &mut reasons)));
    }
    let _ = writeln!(out, "{heading}Shares of the machine's storage, as each paper counts\n");
    let _ = writeln!(out, "{}", shown(shares(budget)));
    if let Some(hardware) = &budget.yosys {
        let _ = writeln!(out, "\n{heading}What {} finds in the Verilog\n", hardware.yosys);
        let _ = writeln!(out, "{}\n", shown(found(hardware)));
        let _ = writeln!(out, "{}\n", shown(cells(hardware)));
        let _ = writeln!(out, "{}", shown(depths(hardware)));
    }
    if let Some(mapping) = &budget.mapping {
        let Mapping { target, yosys, .. } = mapping;
        let _ = writeln!(out, "\n{heading}Mapped to {target} by {yosys}, not placed\n");
        let _ = writeln!(out, "{}", shown(mapped(mapping)));
    }
    for (what, table) in budget.area.iter().flat_map(area::tables) {
        let _ = writeln!(out, "\n{heading}{what}\n");
        let _ = writeln!(out, "{}", shown(table));
    }
    if !reasons.is_empty() {
        let _ = writeln!(out, "\n{heading}Why ours differs\n");
        for (number, reason) in reasons.iter().enumerate() {
            let _ = writeln!(out, "{}. {reason}", number + 1);
        }
    }
    out
}

/// The numbered mark of a reason, ` [2]`; nothing where there is none.
fn mark(reasons: &mut Vec<String>, why: &str) -> String {
    if why.is_empty() {
        return String::new();
    }
    let known = reasons.iter().position(|reason| reason == why);
    let number = known.unwrap_or_else(|| {
        reasons.push(why.to_owned());
        reasons.len() - 1
    });
    format!(" [{}]", number + 1)
}

pub(super) fn table<const N: usize>(header: [&str; N], right: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(header);
    for &column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A line of the hierarchy: a module, or what a primitive stores.
enum Line<'a> {
    Module(&'a super::Module),
    Row(&'a Row),
}

/// Modules and rows in the order of the hierarchy: each row after the modules that hold it.
fn lines(budget: &Budget) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut modules = budget.modules.iter().peekable();
    for row in &budget.rows {
        while let Some(module) = modules.next_if(|module| module.holds(&row.path)) {
            lines.push(Line::Module(module));
        }
        lines.push(Line::Row(row));
    }
    lines
}

fn hierarchy(
    budget: &Budget,
    name: &mut dyn FnMut(&str, usize) -> String,
    reasons: &mut Vec<String>,
) -> Table {
    let header = [
        "part",
        "module",
        "instances",
        "register bits",
        "memory bits",
        "words x width, ports",
        "bits",
        "bytes",
        "paper's bytes",
    ];
    let mut table = table(header, &[2, 3, 4, 6, 7, 8]);
    for line in lines(budget) {
        let depth = |path: &str| match path {
            "" => 0,
            _ => 1 + path.matches('.').count(),
        };
        table.add_row(match line {
            Line::Module(module) => [
                name(&module.path, depth(&module.path)),
                module.module.clone(),
                thousands(module.instances as u64),
                thousands(module.register_bits),
                thousands(module.memory_bits),
                String::new(),
                thousands(module.bits),
                module.bytes.to_string(),
                stated(module.stated.as_ref(), module.instances, reasons),
            ],
            Line::Row(row) => {
                let registers = if row.memory.is_none() { row.bits } else { 0 };
                [
                    name(&row.path, depth(&row.path)),
                    row.module.clone(),
                    thousands(row.instances as u64),
                    thousands(registers),
                    thousands(row.bits - registers),
                    row.memory.as_ref().map_or(String::new(), super::MemoryShape::shown),
                    thousands(row.bits),
                    row.bytes.to_string(),
                    stated(row.stated.as_ref(), row.instances, reasons),
                ]
            }
        });
    }
    table
}

fn stated(stated: Option<&Stated>, instances: usize, reasons: &mut Vec<String>) -> String {
    let Some(stated) = stated else { return String::new() };
    let bytes = paper_bytes(stated.paper_bytes, stated.paper_bytes_each, instances);
    bytes + &mark(reasons, &stated.why)
}

/// `39,936 = 13 x 3,072`; `-` where nothing is stated.
fn paper_bytes(bytes: Option<Bytes>, each: Option<Bytes>, instances: usize) -> String {
    match (bytes, each) {
        (None, _) => "-".to_owned(),
        (Some(bytes), None) => bytes.to_string(),
        (Some(bytes), Some(each)) => format!("{bytes} = {instances} x {each}"),
    }
}

fn totals(budget: &Budget) -> Table {
    let mut table =
        table(["total", "register bits", "memory bits", "bits", "bytes"], &[1, 2, 3, 4]);
    let mut row = |what: String, total: Total| {
        table.add_row([
            what,
            thousands(total.register_bits),
            thousands(total.memory_bits),
            thousands(total.bits),
            total.bytes.to_string(),
        ]);
    };
    let smx = budget.smx as u64;
    let own = budget.of_each_smx;
    let divides = [own.register_bits, own.memory_bits].iter().all(|bits| bits.is_multiple_of(smx));
    if divides {
        let one = Total {
            register_bits: own.register_bits / smx,
            memory_bits: own.memory_bits / smx,
            register_file_bits: own.register_file_bits / smx,
            sram_bits: own.sram_bits / smx,
            bits: own.bits / smx,
            bytes: Bytes(own.bits / smx),
        };
        row("an SMX's own".to_owned(), one);
    }
    row(format!("all {smx} SMXs' own"), own);
    row("shared by all SMXs".to_owned(), budget.shared);
    row("the GPU".to_owned(), budget.total);
    table
}

fn kinds(budget: &Budget) -> Table {
    let mut table = table(["kind", "bits", "bytes", "memories, words x width"], &[1, 2]);
    for kind in &budget.kinds {
        table.add_row([
            kind.shown(),
            thousands(kind.bits),
            kind.bytes.to_string(),
            kind.shown_shapes(),
        ]);
    }
    table
}

fn papers(budget: &Budget, reasons: &mut Vec<String>) -> Table {
    let mut table = table(["what", "paper", "states", "its bytes", "our bytes"], &[3, 4]);
    for comparison in &budget.paper {
        let bytes = comparison.paper_bytes;
        let mut stated = paper_bytes(bytes, comparison.paper_bytes_each, comparison.instances);
        if let Some(registers) = comparison.paper_registers {
            stated = format!("{} registers: {stated}", thousands(registers));
        }
        let ours = comparison.bytes.to_string() + &mark(reasons, comparison.why);
        table.add_row([
            comparison.what.to_owned(),
            comparison.paper.to_owned(),
            comparison.states.to_owned(),
            stated,
            ours,
        ]);
    }
    table
}

fn shares(budget: &Budget) -> Table {
    let mut table = table(["as in", "of", "bytes", "by", "bytes", "%", "paper"], &[2, 4, 5]);
    for share in &budget.shares {
        table.add_row([
            share.way.to_owned(),
            share.of.to_owned(),
            share.shown_bytes(),
            share.base.to_owned(),
            thousands(share.base_bytes),
            format!("{:.3}", share.percent),
            if share.paper.is_empty() { "-" } else { share.paper }.to_owned(),
        ]);
    }
    table
}

fn found(hardware: &Hardware) -> Table {
    let header = ["part", "declared bits", "flip-flops", "memories", "after opt", "difference"];
    let mut table = table(header, &[1, 2, 3, 4]);
    let mut declared = 0;
    for place in &hardware.places {
        declared += place.declared_bits;
        let mut difference = place.explained.join("; ");
        if place.unexplained {
            difference += if difference.is_empty() { "UNEXPLAINED" } else { "; UNEXPLAINED" };
        }
        table.add_row([
            if place.path.is_empty() { "(top)" } else { &place.path }.to_owned(),
            thousands(place.declared_bits),
            thousands(place.register_bits),
            thousands(place.memory_bits),
            thousands(place.optimized_bits),
            difference,
        ]);
    }
    table.add_row([
        "sum".to_owned(),
        thousands(declared),
        thousands(hardware.register_bits),
        thousands(hardware.memory_bits),
        thousands(hardware.optimized_register_bits + hardware.optimized_memory_bits),
        String::new(),
    ]);
    table
}

fn cells(hardware: &Hardware) -> Table {
    let mut table = table(["cell", "count"], &[1]);
    for (cell, count) in &hardware.cells {
        table.add_row([cell.clone(), thousands(*count)]);
    }
    table
}

fn depths(hardware: &Hardware) -> Table {
    let header = ["decision", "two-input gates between ports, registers and memories"];
    let mut table = table(header, &[1]);
    for (path, depth) in &hardware.depths {
        table.add_row([path.clone(), thousands(*depth)]);
    }
    table
}

fn mapped(mapping: &Mapping) -> Table {
    let mut table = table(["what", "count", "cells"], &[1]);
    for kind in Kind::ALL {
        let cells: Vec<String> = mapping
            .cells
            .iter()
            .filter(|(cell, _)| Kind::of(cell) == kind)
            .map(|(cell, count)| format!("{} {cell}", thousands(*count)))
            .collect();
        let count = thousands(mapping.count(kind));
        table.add_row([kind.shown().to_owned(), count, cells.join(", ")]);
    }
    let levels = mapping.lut_levels.map_or("a loop".to_owned(), thousands);
    table.add_row(["LUTs on the longest way".to_owned(), levels, String::new()]);
    table
}

/// The rows as CSV, and nothing else, so that columns can be summed.
pub fn csv(budget: &Budget) -> String {
    let mut out = String::from(
        "path,module,instances,of_each_smx,register_bits,words,width,read_ports,write_ports,kind,bits,bytes,paper_bytes,paper,why\n",
    );
    for row in &budget.rows {
        let memory = row.memory.as_ref().map_or(",,,,".to_owned(), |memory| {
            let super::MemoryShape { words, width, read_ports, write_ports, kind } = memory;
            format!("{words},{width},{read_ports},{write_ports},{kind}")
        });
        let plain = |bytes: Bytes| bytes.to_string().replace(',', "");
        let stated = row.stated.as_ref();
        let bytes = stated.and_then(|stated| stated.paper_bytes).map_or(String::new(), plain);
        let _ = writeln!(
            out,
            "{},{},{},{},{},{memory},{},{},{bytes},{},{}",
            row.path,
            row.module,
            row.instances,
            row.of_each_smx,
            row.register_bits,
            row.bits,
            plain(row.bytes),
            quoted(stated.map_or("", |stated| &stated.paper)),
            quoted(stated.map_or("", |stated| &stated.why)),
        );
    }
    out
}

/// A field of CSV; every field with a comma or a quote needs quotes.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
