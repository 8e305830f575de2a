//! Nothing is counted twice, and nothing is lost.

use super::super::verilog::bit;
use super::CounterBank;
use crate::property::{among, count, Properties};

/// Any one counter is held against a ghost.
pub fn of(bank: &CounterBank) -> Properties {
    let (bits, ports) = (bank.counts.bits(), bank.decrease_entry.len());
    let counters = bank.counts.counters();
    let mut p = Properties::default();
    p.chosen("which", counters.trailing_zeros() as usize);
    let counts = (0..counters).map(|at| format!("counts[{} +: {bits}]", at * bits));
    p.wire("its_count", bits, among("which", counts));
    p.wire("its_zero", 1, among("which", (0..counters).map(|at| format!("zero[{at}]"))));
    let ends = |port| format!("decrease{} & decrease_entry${port} == which", bit(ports, port));
    p.wire("less", 32, count((0..ports).map(ends)));
    p.wire("more", 32, "increase_entry == which ? increase_by : 0");
    p.register("held", bits, "held - less + more");
    p.assert(
        "zero",
        "a counter shows that it is zero when as much was taken off as it grew by",
        "its_zero == (held == 0)",
    );
    p.invariant("counted", "it grows by what begins, less what ends", "its_count == held");
    p.cover("meet", "it grows while something is taken off it", "more != 0 & less != 0");
    p
}
