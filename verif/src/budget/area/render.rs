//! Areas as tables.

use super::{Area, AreaShare, LongestPath};
use crate::budget::render::table;
use crate::budget::row::thousands;
use comfy_table::{CellAlignment, Table};

/// Below this part of the whole a module has no line of its own.
const SMALLEST: f64 = 0.01;

/// The figures of an area with their names, for tables and CSV: square micrometres by what they
/// are, flip-flops found and declared, cells with buffers, nanoseconds, megahertz.
pub fn figures(area: &Area) -> [(&'static str, Option<f64>); 11] {
    let parts = area.square_micrometres;
    let time = area.longest_path.as_ref();
    [
        ("flip_flop_um2", Some(parts.flip_flops)),
        ("register_file_um2", Some(parts.register_files)),
        ("logic_um2", Some(parts.logic)),
        ("sram_um2", Some(parts.sram)),
        ("buffer_um2", Some(parts.buffers)),
        ("um2", Some(parts.total)),
        ("flip_flops", Some(area.flip_flops as f64)),
        ("flip_flops_declared", Some(area.flip_flops_declared as f64)),
        ("cells", Some((area.gates + area.buffers) as f64)),
        ("nanoseconds", time.and_then(|path| path.nanoseconds)),
        ("megahertz", time.and_then(|path| path.megahertz)),
    ]
}

/// What areas are for, where they come from and how.
pub fn heading(area: &Area) -> String {
    let estimate = if area.is_estimate { ", an estimate" } else { "" };
    format!("Area in {}{estimate}: {}; {}", area.cells, area.source, area.method)
}

/// Areas of a sweep's points, with the values of its keys.
pub fn points(keys: &[&str], points: &[(&[String], &Area)]) -> Table {
    let sums = ["flip-flops", "register files", "logic", "SRAM", "buffers", "all", "ns", "MHz"];
    let header = keys.iter().chain(&sums).copied().map(ToOwned::to_owned);
    let header = header.chain(["longest path through".to_owned()]);
    let mut table = table([""; 0], &[]);
    table.set_header(header);
    for column in 0..keys.len() + sums.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (values, area) in points {
        let parts = area.square_micrometres;
        let time = area.longest_path.as_ref();
        let sums = [parts.flip_flops, parts.register_files, parts.logic, parts.sram, parts.buffers];
        let mut row = values.to_vec();
        row.extend(sums.iter().chain([&parts.total]).map(|area| thousands(area.round() as u64)));
        row.push(shown(time.and_then(|path| path.nanoseconds), 2));
        row.push(shown(time.and_then(|path| path.megahertz), 0));
        row.push(time.map_or("a loop".to_owned(), through));
        table.add_row(row);
    }
    table
}

/// A number with so many digits; `-` where there is none.
fn shown(number: Option<f64>, digits: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
}

/// `(top) > queues.slice[3]`.
fn through(path: &LongestPath) -> String {
    path.through.iter().map(|place| named(place)).collect::<Vec<_>>().join(" > ")
}

/// An instance's name in tables.
fn named(place: &str) -> &str {
    if place.is_empty() {
        "(top)"
    } else {
        place
    }
}

/// The tables of an area, each with its heading.
pub fn tables(area: &Area) -> Vec<(String, Table)> {
    let mut tables = vec![(heading(area), parts(area))];
    let heading = "Flip-flops of a bit each, with those of register files";
    tables.push((heading.to_owned(), flip_flops(area)));
    tables.push(("Area by module, from 1 % on".to_owned(), modules(area)));
    if let Some(path) = &area.longest_path {
        tables.push(("The longest path".to_owned(), longest(path)));
        if !path.leaves_at.is_empty() {
            let heading = "Along the longest path, nanoseconds at which it leaves each instance";
            tables.push((heading.to_owned(), along(path)));
        }
    }
    if !area.shares.is_empty() {
        let heading = "Shares of the machine's area, its bytes in macros: estimates";
        tables.push((heading.to_owned(), shares(&area.shares)));
    }
    tables
}

fn parts(area: &Area) -> Table {
    let mut table = table(["what", "square micrometres", "%", "cells"], &[1, 2, 3]);
    let parts = area.square_micrometres;
    let lines = [
        ("flip-flops", parts.flip_flops, None),
        ("register files", parts.register_files, None),
        ("logic", parts.logic, None),
        ("SRAM", parts.sram, None),
        ("trees of buffers between modules", parts.buffers, Some(area.buffers)),
        ("all", parts.total, Some(area.gates + area.buffers)),
    ];
    for (what, area, cells) in lines {
        table.add_row([
            what.to_owned(),
            thousands(area.round() as u64),
            format!("{:.1}", 100.0 * area / parts.total),
            cells.map_or(String::new(), thousands),
        ]);
    }
    table
}

fn flip_flops(area: &Area) -> Table {
    let (found, declared) = (area.flip_flops, area.flip_flops_declared);
    let mut table = table(["found", "declared", "%"], &[0, 1, 2]);
    let percent = 100.0 * found as f64 / declared as f64;
    table.add_row([thousands(found), thousands(declared), format!("{percent:.1}")]);
    table
}

fn modules(area: &Area) -> Table {
    let mut table = table(["module", "square micrometres", "%"], &[1, 2]);
    let whole = area.square_micrometres.total;
    for module in &area.modules {
        let part = module.square_micrometres / whole;
        if part < SMALLEST {
            continue;
        }
        table.add_row([
            named(&module.path).to_owned(),
            thousands(module.square_micrometres.round() as u64),
            format!("{:.1}", 100.0 * part),
        ]);
    }
    table
}

fn longest(path: &LongestPath) -> Table {
    let mut table = table(["nanoseconds", "MHz", "cells", "through"], &[0, 1, 2]);
    table.add_row([
        shown(path.nanoseconds, 2),
        shown(path.megahertz, 0),
        path.cells.to_string(),
        through(path),
    ]);
    table
}

fn along(path: &LongestPath) -> Table {
    let mut table = table(["nanoseconds", "instance"], &[0]);
    for (time, place) in path.leaves_at.iter().zip(&path.through) {
        table.add_row([shown(Some(*time), 2), named(place).to_owned()]);
    }
    table
}

fn shares(shares: &[AreaShare]) -> Table {
    let header = [
        "as in",
        "of",
        "square micrometres",
        "by",
        "square micrometres",
        "%",
        "% of bits",
        "paper",
    ];
    let mut table = table(header, &[2, 4, 5, 6]);
    for share in shares {
        table.add_row([
            share.way.to_owned(),
            share.of.to_owned(),
            thousands(share.square_micrometres.round() as u64),
            share.base.to_owned(),
            thousands(share.base_square_micrometres.round() as u64),
            format!("{:.3}", share.percent),
            format!("{:.3}", share.percent_of_bits),
            if share.paper.is_empty() { "-" } else { share.paper }.to_owned(),
        ]);
    }
    table
}
