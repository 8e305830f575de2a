//! With levels as large as its grids, CLASO changes nothing.

use super::{SchedulerPair, ENTRIES};
use crate::property::{all, among, count, Properties};

/// The most blocks of a kernel. With two SMXs and p_A = p_L = 2 each core has as many credits, and
/// there are as many global ones.
const BLOCKS: usize = 4;

/// Registers that both have below their dispatchers.
const REGISTERS: [&str; 6] = [
    "kernels.entries.occupied.q",
    "kernels.entries.fetched.q",
    "kernels.entries.in_execution.counts",
    "fcfs.marks.q",
    "fcfs.queue.state.q",
    "placement.pointer.q",
];

/// Memories of entries; a word is known once a kernel has come to its entry.
const MEMORIES: [&str; 3] = ["grids", "needs", "next_blocks"];

/// Both dispatch the same in each cycle.
pub fn of(pair: &SchedulerPair) -> Properties {
    let mut p = Properties::of_alone("CLASO, section 3.1");
    let smxs = pair.smxs;
    // A launch: valid, context, grid, blocks, needs.
    p.wire("blocks", 31, "launch[94 +: 31]");
    p.assume(
        "small",
        "grids are small",
        format!("blocks >= 1 & blocks <= {BLOCKS} & launch[125 +: 32] == {{16'h1, 16'h1}}"),
    );
    p.assume("blocks", "and have as many blocks as they say", "launch[157 +: 31] == blocks");
    let named = all((0..smxs).map(|smx| format!("finished_kernel${smx} < {ENTRIES}")));
    p.assume(
        "entries",
        "no more kernels run at once than there are entries",
        format!("(~launch[0] | free$launch_entry < {ENTRIES}) & {named}"),
    );

    p.assert("ready", "both take kernels", "free$launch_ready == gated$launch_ready");
    p.assert("entry", "into the same entries", "free$launch_entry == gated$launch_entry");
    p.assert("ended", "they end at once", "free$finished_kernels == gated$finished_kernels");
    let same = (0..smxs).map(|smx| format!("free$dispatch${smx} == gated$dispatch${smx}"));
    p.assert("dispatch", "both dispatch the same blocks", all(same));

    // Both store the same.
    let mut follow = |name: &str, path: &str| {
        p.inner(format!("free_{name}"), format!("free.dispatcher.{path}"));
        p.inner(format!("gated_{name}"), format!("gated.dispatcher.{path}"));
        format!("free_{name} == gated_{name}")
    };
    let mut same = Vec::new();
    for path in REGISTERS {
        let name = path.trim_end_matches(".q").replace('.', "_");
        same.push(follow(&name, path));
    }
    for smx in 0..smxs {
        same.push(follow(&format!("in_use_{smx}"), &format!("resources.smx${smx}.in_use.q")));
    }
    for entry in 0..ENTRIES {
        for memory in MEMORIES {
            let path = format!("kernels.entries.{memory}.memory[{entry}]");
            let equal = follow(&format!("{memory}_{entry}"), &path);
            same.push(format!("~free_kernels_entries_occupied[{entry}] | {equal}"));
        }
    }
    for word in 0..32 {
        follow(&format!("queued_{word}"), &format!("fcfs.queue.words.memory[{word}]"));
    }
    p.invariant("stored", "both store the same", all(same));
    let occupied = "free_kernels_entries_occupied";
    let (marks, queue) = ("free_fcfs_marks", "free_fcfs_queue_state");
    let there = (0..smxs).map(|smx| {
        format!("~((finished >> {smx}) & 1'b1) | (({occupied} >> finished_kernel${smx}) & 1'b1)")
    });
    p.assume("ends", "what ends is of a kernel that is there", all(there));

    // Credits suffice for what is left of each kernel.
    for entry in 0..ENTRIES {
        let (grid, next) = (format!("free_grids_{entry}"), format!("free_next_blocks_{entry}"));
        p.wire(format!("left_{entry}"), 31, format!("{grid}[0 +: 31] - {next}[0 +: 31]"));
        p.invariant(
            format!("blocks_{entry}"),
            "a marked kernel has blocks to go",
            format!(
                "~{marks}[{entry}] | {grid}[0 +: 31] <= {BLOCKS} & {next}[0 +: 31] < {grid}[0 +: 31] \
                 & {grid}[31 +: 32] == {{16'h1, 16'h1}} & {next}[31 +: 32] == 0"
            ),
        );
        let locals = (0..smxs).map(|smx| format!("core${smx}.local_credits"));
        let mut enough = Vec::new();
        for (number, file) in locals.chain(["shared.global_credits".to_owned()]).enumerate() {
            let name = format!("credits_{entry}_{number}");
            p.inner(&name, format!("gated.gates.claso.{file}.memory[{entry}]"));
            enough.push(format!("{name} >= left_{entry} & {name} <= 32"));
        }
        p.invariant(
            format!("credits_{entry}"),
            "each core has credits for all of them, and so have all",
            format!("~{marks}[{entry}] | {}", all(enough)),
        );
    }
    for side in ["free", "gated"] {
        for at in 0..ENTRIES {
            let words = (0..32).map(|word| format!("{side}_queued_{word}"));
            let word = among(format!("(({queue}[0 +: 5] + {at}) & 31)"), words);
            p.wire(format!("{side}_waiting_{at}"), 5, word);
        }
    }
    let queued = (0..ENTRIES).map(|at| {
        format!(
            "{queue}[8 +: 9] <= {at} | free_waiting_{at} < {ENTRIES} \
             & (({marks} >> free_waiting_{at}) & 1'b1) & free_waiting_{at} == gated_waiting_{at}"
        )
    });
    p.invariant("queued", "what waits is marked, and waits in both", all(queued));
    let differ = format!("{queue}[8 +: 9] < 2 | free_waiting_0 != free_waiting_1");
    p.invariant("each_once", "and waits once", differ);
    let marked = count((0..ENTRIES).map(|entry| format!("{marks}[{entry}]")));
    p.invariant(
        "queue_length",
        "the queue holds the marked entries",
        format!("{queue}[8 +: 9] == {marked} & ({marks} >> {ENTRIES}) == 0"),
    );
    p.invariant("occupied", "what is marked is occupied", format!("({marks} & ~{occupied}) == 0"));
    p.invariant("pointer", "the pointer is an SMX", format!("free_placement_pointer < {smxs}"));
    p.cover("ends_one", "a kernel ends", "|free$finished_kernels");
    p
}
