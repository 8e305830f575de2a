//! How many look-up tables a signal passes between two clock edges.

use super::netlist::{Bit, Cell};
use petgraph::algo::toposort;
use petgraph::graphmap::DiGraphMap;
use std::collections::HashMap;

/// A way through a cell: from its inputs to one output, past this many look-up tables.
type Ways = &'static [(&'static str, &'static [&'static str], u64)];

/// The ways through a cell from one cycle's inputs to the same cycle's outputs; none through a
/// flip-flop or a block memory.
fn ways(kind: &str) -> Ways {
    match kind {
        "SB_LUT4" => &[("O", &["I0", "I1", "I2", "I3"], 1)],
        "SB_CARRY" => &[("CO", &["I0", "I1", "CI"], 0)],
        "LUT4" => &[("Z", &["A", "B", "C", "D"], 1)],
        "PFUMX" => &[("Z", &["ALUT", "BLUT", "C0"], 0)],
        "L6MUX21" => &[("Z", &["D0", "D1", "SD"], 0)],
        // Two look-up tables side by side, whose carry goes from the first to the second.
        "CCU2C" => &[
            ("S0", &["A0", "B0", "C0", "D0"], 1),
            ("S0", &["CIN"], 0),
            ("S1", &["A0", "B0", "C0", "D0", "A1", "B1", "C1", "D1"], 1),
            ("S1", &["CIN"], 0),
            ("COUT", &["A0", "B0", "C0", "D0", "A1", "B1", "C1", "D1"], 1),
            ("COUT", &["CIN"], 0),
        ],
        "TRELLIS_DPR16X4" => &[("DO", &["RAD"], 1)],
        _ => &[],
    }
}

/// Look-up tables on the longest way between ports, flip-flops and memories; `None` where cells are
/// in a loop.
pub fn longest(cells: &[Cell]) -> Option<u64> {
    let mut nets_behind = DiGraphMap::<usize, u64>::new();
    for cell in cells {
        for (output, inputs, luts) in ways(&cell.kind) {
            for to in nets(cell, output) {
                for from in inputs.iter().flat_map(|input| nets(cell, input)) {
                    let known = nets_behind.edge_weight(from, to).copied().unwrap_or(0);
                    nets_behind.add_edge(from, to, known.max(*luts));
                }
            }
        }
    }
    let order = toposort(&nets_behind, None).ok()?;
    let mut depths: HashMap<usize, u64> = HashMap::new();
    for net in order {
        let here = depths.get(&net).copied().unwrap_or(0);
        for (_, to, luts) in nets_behind.edges(net) {
            let there = depths.entry(to).or_default();
            *there = (*there).max(here + luts);
        }
    }
    Some(depths.into_values().max().unwrap_or(0))
}

fn nets<'a>(cell: &'a Cell, port: &str) -> impl Iterator<Item = usize> + 'a {
    let bits = cell.connections.get(port).map_or(&[][..], Vec::as_slice);
    bits.iter().filter_map(|bit| match bit {
        Bit::Net(net) => Some(*net),
        Bit::Constant(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(kind: &'static str, ports: &[(&'static str, &[usize])]) -> Cell<'static> {
        let port = |&(name, nets): &(&'static str, &[usize])| {
            (name.into(), nets.iter().map(|&net| Bit::Net(net)).collect())
        };
        Cell { kind: kind.into(), connections: ports.iter().map(port).collect() }
    }

    fn lut(from: usize, to: usize) -> Cell<'static> {
        cell("SB_LUT4", &[("I0", &[from]), ("O", &[to])])
    }

    #[test]
    fn luts_in_a_row_are_counted_and_a_flip_flop_ends_the_row() {
        assert_eq!(longest(&[]), Some(0));
        let flip_flop = cell("SB_DFF", &[("D", &[3]), ("Q", &[4])]);
        assert_eq!(longest(&[lut(1, 2), lut(2, 3), flip_flop, lut(4, 5)]), Some(2));
    }

    #[test]
    fn the_longer_of_two_ways_counts() {
        let joint = cell("SB_LUT4", &[("I0", &[1]), ("I1", &[3]), ("O", &[9])]);
        assert_eq!(longest(&[joint, lut(1, 2), lut(2, 3)]), Some(3));
    }

    #[test]
    fn carries_and_wide_multiplexers_take_no_level() {
        let carry = |from, to| cell("SB_CARRY", &[("CI", &[from]), ("CO", &[to])]);
        assert_eq!(longest(&[carry(1, 2), carry(2, 3), lut(3, 4)]), Some(1));
        let wide = cell("PFUMX", &[("ALUT", &[4]), ("Z", &[5])]);
        assert_eq!(longest(&[lut(3, 4), wide]), Some(1));
    }

    #[test]
    fn a_sum_of_ecp5_takes_a_level_at_its_operands_and_none_at_its_carry() {
        let sum = |operand, carry_in, sum, carry_out| {
            let ports: [(_, &[usize]); 4] =
                [("A0", &[operand]), ("CIN", &[carry_in]), ("S0", &[sum]), ("COUT", &[carry_out])];
            cell("CCU2C", &ports)
        };
        assert_eq!(longest(&[sum(1, 2, 3, 4), sum(5, 4, 6, 7)]), Some(1));
    }

    #[test]
    fn the_second_sum_of_a_cell_does_not_lead_to_the_first() {
        let ports: [(_, &[usize]); 3] = [("A1", &[3]), ("S0", &[3]), ("S1", &[4])];
        assert_eq!(longest(&[cell("CCU2C", &ports)]), Some(1));
    }

    #[test]
    fn a_loop_has_no_depth() {
        assert_eq!(longest(&[lut(1, 2), lut(2, 1)]), None);
    }
}
