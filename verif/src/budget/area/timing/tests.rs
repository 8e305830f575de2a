//! Paths through a few cells, by hand.

use super::super::design::Design;
use super::*;
use std::path::Path as File;

const GATES: &str = include_str!("../../../../budgets/gates.lib");

/// A type of cell, and the nets at its pins.
type Gate<'a> = (&'a str, &'a [(&'a str, usize)]);

/// Timing of cells in `top`: type, and nets by pin; nets 2 and 3 are the clock and an input.
fn timing(cells: &[Gate]) -> Timing {
    let cell = |(at, (kind, nets)): (usize, &Gate)| {
        let nets: Vec<String> =
            nets.iter().map(|(pin, net)| format!(r#""{pin}": [{net}]"#)).collect();
        format!(r#""c{at}": {{ "type": "{kind}", "connections": {{ {} }} }}"#, nets.join(", "))
    };
    let cells: Vec<String> = cells.iter().enumerate().map(cell).collect();
    let text = format!(
        r#"{{ "creator": "Yosys 0.23 (git)", "modules": {{ "top": {{ "ports": {{
            "clock": {{ "direction": "input", "bits": [2] }},
            "in": {{ "direction": "input", "bits": [3] }} }},
            "cells": {{ {} }} }} }} }}"#,
        cells.join(", ")
    );
    of(&text)
}

/// Timing of a design of gates.
fn of(text: &str) -> Timing {
    let library = Library::parse(GATES, File::new("gates.lib")).expect("a library");
    let design = Design::parse(text).expect("a design");
    let buffer = Buffer::fastest(&library).expect("a buffer");
    let flip_flop = library.smallest(Cell::is_plain_flip_flop).expect("a flip-flop");
    let flat = Flat::new(&design, "top", &library, &[], flip_flop).expect("known cells");
    longest(&flat, &library, &buffer)
}

/// A gate delay with so many inputs behind.
fn gate(inputs: f64) -> f64 {
    0.5 + inputs / 8.0
}

#[test]
fn a_path_is_from_the_clock_through_gates_to_the_setup_time() {
    let timing = timing(&[
        ("DFF", &[("CK", 2), ("D", 3), ("Q", 4)]),
        ("INV", &[("A", 4), ("Y", 5)]),
        ("NAND2", &[("A", 5), ("B", 4), ("Y", 6)]),
        ("DFF", &[("CK", 2), ("D", 6), ("Q", 7)]),
    ]);
    let path = timing.longest.expect("a path");
    // The flip-flop drives two inputs, the inverter and the gate one each; 0.5 is setup.
    let expected = gate(2.0) + gate(1.0) + gate(1.0) + 0.5;
    assert!((path.nanoseconds - expected).abs() < 1e-5, "{} {expected}", path.nanoseconds);
    assert_eq!((path.cells, path.buffers, timing.in_loops, timing.buffers), (3, 0, 0, 0));
}

#[test]
fn a_net_that_drives_too_much_gets_a_tree_of_buffers() {
    let mut cells: Vec<Gate> = vec![("DFF", &[("CK", 2), ("D", 3), ("Q", 4)])];
    cells.extend([("DFF", [("CK", 2), ("D", 4)].as_slice()); 65]);
    let of_65 = timing(&cells);
    let path = of_65.longest.expect("a path");
    // Nine buffers drive eight inputs each, two drive them, and the flip-flop those.
    let expected = gate(2.0) + 2.0 * gate(8.0) + 0.5;
    assert!((path.nanoseconds - expected).abs() < 1e-5, "{} {expected}", path.nanoseconds);
    assert_eq!((path.buffers, of_65.buffers), (2, 11));
    // With eight, there is no tree, and no more with a few more, where one would be slower.
    assert_eq!((timing(&cells[..9]).buffers, timing(&cells[..11]).buffers), (0, 0));
}

#[test]
fn cells_in_a_loop_are_counted() {
    let timing =
        timing(&[("NAND2", &[("A", 3), ("B", 5), ("Y", 4)]), ("INV", &[("A", 4), ("Y", 5)])]);
    assert_eq!((timing.in_loops, timing.longest), (2, None));
}

#[test]
fn two_ports_of_a_module_that_are_one_net_in_it_lead_on_both() {
    let text = r#"{ "creator": "Yosys 0.23 (git)", "modules": {
        "inner": { "ports": {
            "clock": { "direction": "input", "bits": [2] },
            "one": { "direction": "output", "bits": [3] },
            "two": { "direction": "output", "bits": [3] } },
          "cells": { "c": { "type": "DFF", "connections": { "CK": [2], "D": [3], "Q": [3] } } } },
        "top": { "ports": { "clock": { "direction": "input", "bits": [2] } },
          "cells": {
            "a": { "type": "inner", "connections": { "clock": [2], "one": [4], "two": [5] } },
            "b": { "type": "INV", "connections": { "A": [4], "Y": [6] } },
            "c": { "type": "INV", "connections": { "A": [5], "Y": [7] } },
            "d": { "type": "DFF", "connections": { "CK": [2], "D": [6], "Q": [8] } },
            "e": { "type": "DFF", "connections": { "CK": [2], "D": [7], "Q": [9] } } } } } }"#;
    let path = of(text).longest.expect("a path");
    // The flip-flop drives its own input and both inverters.
    let expected = gate(3.0) + gate(1.0) + 0.5;
    assert!((path.nanoseconds - expected).abs() < 1e-5, "{} {expected}", path.nanoseconds);
    let (places, times): (Vec<_>, Vec<_>) = path.through.into_iter().unzip();
    assert_eq!(places, ["a", ""]);
    assert!((times[0] - gate(3.0)).abs() < 1e-5 && (times[1] - expected).abs() < 1e-5, "{times:?}");
}
