//! What shows of the head, and which entry a kernel gets.

use super::KernelEntries;
use crate::property::Properties;

/// What is stored is the business of the register files, which have promises of their own.
pub fn of(entries: &KernelEntries) -> Properties {
    let mut p = Properties::of("DTBL, section 2.2");
    p.wire("taken", 1, "occupied$q >> launch_entry");
    p.wire("below", 32, "(32'h1 << launch_entry) - 1");
    p.assert("ready", "a kernel finds room while an entry is free", "launch_ready == ~&occupied$q");
    p.assert(
        "lowest",
        "it gets the lowest free entry",
        "~launch_ready | ~taken & (occupied$q & below) == below",
    );
    for (port, file) in [("head_block", "next_blocks"), ("head_grid", "grids")] {
        p.assert(
            port,
            "what shows is what its entry has, and nothing without a head",
            format!("head_valid ? {port} == {file}$data : {port} == 0"),
        );
    }
    for smx in 0..entries.smxs {
        p.assert(
            format!("freed_{smx}"),
            "a block returns what its kernel's blocks take",
            format!("finished[{smx}] ? freed${smx} == needs$also_data${smx} : freed${smx} == 0"),
        );
    }
    p.cover("second", "the second entry is given away", "launch_ready & launch_entry == 1");
    p
}
