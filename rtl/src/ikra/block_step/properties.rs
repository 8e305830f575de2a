//! A step back leads to where a step forward comes from.

use super::BlockStep;
use crate::property::{all, Properties};

/// With sums alone, whatever the grid.
pub fn of(_: &BlockStep) -> Properties {
    let mut p = Properties::of("IKRA, sections 4.1 to 4.4");
    for (axis, from, bits) in [("x", 0, 31), ("y", 31, 16), ("z", 47, 16)] {
        for (name, signal) in [("at", "at"), ("most", "grid"), ("to", "to")] {
            p.wire(format!("{name}_{axis}"), 32, format!("{signal}[{from} +: {bits}]"));
        }
    }
    let each = |of: &dyn Fn(&str) -> String| all(["x", "y", "z"].map(of));
    p.wire("is_block", 1, each(&|axis| format!("at_{axis} < most_{axis}")));
    p.wire("behind", 1, "at_x == 0 & at_y == 0 & at_z == most_z");
    let some = each(&|axis| format!("most_{axis} != 0"));
    p.wire("goes_on", 1, "forward & is_block");
    p.wire("goes_back", 1, format!("~forward & (is_block | behind & {some}) & |at"));
    p.wire("goes", 1, "goes_on | goes_back");
    // Of two neighbours, the one in front and the one behind.
    for axis in ["x", "y", "z"] {
        p.wire(format!("front_{axis}"), 32, format!("forward ? at_{axis} : to_{axis}"));
        p.wire(format!("back_{axis}"), 32, format!("forward ? to_{axis} : at_{axis}"));
    }
    p.wire("row_ends", 1, "front_x + 1 == most_x");
    p.wire("plane_ends", 1, "row_ends & front_y + 1 == most_y");
    p.assert("x", "x runs fastest", "~goes | back_x == (row_ends ? 0 : front_x + 1)");
    p.assert(
        "y",
        "y goes on where a row ends",
        "~goes | back_y == (plane_ends ? 0 : front_y + row_ends)",
    );
    p.assert("z", "z goes on where a plane ends", "~goes | back_z == front_z + plane_ends");
    p.assert(
        "in_front",
        "the one in front is a block",
        "~goes | front_x < most_x & front_y < most_y",
    );
    p.cover("back", "a step back from behind the last block", "goes_back & behind & to_y != 0");
    p
}
