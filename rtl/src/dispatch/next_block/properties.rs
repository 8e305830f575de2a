//! Blocks follow each other in the order of the grid.

use super::NextBlock;
use crate::property::{all, any, Properties};

/// With sums, where the module has none.
pub fn of(_: &NextBlock) -> Properties {
    let mut p = Properties::of("DTBL, section 2.2");
    let axes = [("x", 0, 31), ("y", 31, 16), ("z", 47, 16)];
    for (axis, from, bits) in axes {
        p.wire(format!("at_{axis}"), 32, format!("at[{from} +: {bits}]"));
        p.wire(format!("most_{axis}"), 32, format!("grid[{from} +: {bits}]"));
        p.wire(format!("ends_{axis}"), 1, format!("at_{axis} + 1 == most_{axis}"));
    }
    let each = |of: &dyn Fn(&str) -> String| axes.map(|(axis, ..)| of(axis));
    p.wire("is_block", 1, all(each(&|axis| format!("at_{axis} < most_{axis}"))));
    p.assert(
        "empty",
        "a grid is empty when it has no extent",
        format!("empty == {}", any(each(&|axis| format!("most_{axis} - 1 >= most_{axis}")))),
    );
    p.assert(
        "ends",
        "no block follows the last one",
        "~empty & ~is_block | ends == (empty | ends_x & ends_y & ends_z)",
    );
    p.wire("next_x", 31, "ends_x ? 0 : at_x + 1");
    p.wire("next_y", 16, "ends_x ? (ends_y ? 0 : at_y + 1) : at_y");
    p.wire("next_z", 16, "ends_x & ends_y ? at_z + 1 : at_z");
    p.assert(
        "beyond",
        "x runs fastest, then y, then z",
        "~is_block | ends | beyond == {next_z, next_y, next_x}",
    );
    p.cover(
        "last",
        "a block of a grid of several in each extent is the last",
        "is_block & ends & at_x != 0 & at_y != 0 & at_z != 0",
    );
    p
}
