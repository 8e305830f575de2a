//! What becomes of each bit of a flip-flop in optimization.
//!
//! Yosys' log names the cells that it has just made up, and not the registers that they come from.
//! The wires tell: a register's wire keeps its name, and is tied to what took its place.

use super::netlist::{ties, Losses, Netlist};
use super::signal::{self, Bit};
use std::collections::{BTreeMap, HashSet};

/// The registers of `read` that are left in the dump of the `optimized` design, in bits by place,
/// and why the others are not; the reasons are added to `losses`.
pub fn left(
    read: &Netlist,
    optimized: &str,
    losses: &mut BTreeMap<String, Losses>,
) -> BTreeMap<String, u64> {
    let flip_flops = Netlist::parse(optimized).flip_flops;
    let driven: HashSet<&Bit> = flip_flops.iter().collect();
    let tied = ties(optimized, &read.flip_flops.iter().filter_map(Bit::wire).collect());
    let mut left = BTreeMap::new();
    let mut taken: HashSet<&Bit> = HashSet::new();
    // A register that keeps its name comes before those that share it.
    let (own, others): (Vec<&Bit>, Vec<&Bit>) =
        read.flip_flops.iter().partition(|bit| driven.contains(*bit));
    for bit in own.into_iter().chain(others) {
        let Some(place) = bit.wire().map(signal::place) else { continue };
        let now = tied.get(bit).unwrap_or(bit);
        let reason = match now {
            Bit::Constant('x') => "never written",
            Bit::Constant(_) => "constant",
            _ if !driven.contains(now) => "read by nothing",
            _ if taken.insert(now) => {
                *left.entry(place).or_default() += 1;
                continue;
            }
            _ => "the same as another register",
        };
        losses.entry(place).or_default().registers.insert(reason);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: &str = "wire width 4 \\a.r.q\nwire width 4 \\b.r.q\ncell $dff $1\nparameter \\WIDTH 4\n\
                        connect \\Q \\a.r.q\nend\ncell $dff $2\nparameter \\WIDTH 4\nconnect \\Q \\b.r.q\nend\n";

    /// Bits that are left of `a.r` and `b.r`, and the reasons for those of `b.r` that are not.
    fn after(optimized: &str) -> ([u64; 2], Vec<&'static str>) {
        let mut losses = BTreeMap::new();
        let text =
            format!("wire width 4 \\a.r.q\nwire width 4 \\b.r.q\nwire width 9 \\c\n{optimized}");
        let left = left(&Netlist::parse(READ), &text, &mut losses);
        let bits = ["a.r", "b.r"].map(|place| left.get(place).copied().unwrap_or(0));
        let reasons = losses.remove("b.r").unwrap_or_default().registers;
        (bits, reasons.into_iter().collect())
    }

    #[test]
    fn what_is_driven_as_before_is_left() {
        assert_eq!(after("connect \\Q \\a.r.q\nconnect \\Q \\b.r.q\n"), ([4, 4], vec![]));
        assert_eq!(after("connect \\Q { \\a.r.q \\b.r.q [3:1] \\b.r.q [0] }\n"), ([4, 4], vec![]));
    }

    #[test]
    fn a_register_with_another_name_is_left() {
        let renamed = "connect \\Q \\a.r.q\nconnect \\Q \\c [7:4]\nconnect \\b.r.q \\c [7:4]\n";
        assert_eq!(after(renamed), ([4, 4], vec![]));
    }

    #[test]
    fn what_is_tied_tells_why_a_bit_is_gone() {
        let tied = |to: &str| after(&format!("connect \\Q \\a.r.q\nconnect \\b.r.q {to}\n"));
        assert_eq!(tied("4'0010"), ([4, 0], vec!["constant"]));
        assert_eq!(tied("4'xxxx"), ([4, 0], vec!["never written"]));
        assert_eq!(tied("\\a.r.q"), ([4, 0], vec!["the same as another register"]));
        assert_eq!(
            tied("{ 2'00 \\a.r.q [1:0] }"),
            ([4, 0], vec!["constant", "the same as another register"])
        );
    }

    #[test]
    fn what_nothing_drives_and_nothing_ties_was_read_by_nothing() {
        assert_eq!(after("connect \\Q \\a.r.q\n"), ([4, 0], vec!["read by nothing"]));
        let part = "connect \\Q \\a.r.q\nconnect \\Q \\b.r.q [2:0]\n";
        assert_eq!(after(part), ([4, 3], vec!["read by nothing"]));
    }
}
