//! Every block once, in order, and no entry used again too early.

use super::Dispatcher;
use crate::property::{all, among, any, Properties};

/// Any one entry is watched: its grid, its next block, and what of it is resident. Gates allow what
/// they like.
pub fn of(dispatcher: &Dispatcher) -> Properties {
    let (smxs, entries) = (dispatcher.smxs, dispatcher.kernels.size());
    let mut p = Properties::of_alone("DTBL, sections 2.2, 2.3 and 4.2");
    if entries > 8 {
        return p;
    }
    let cancels = dispatcher.answers == 1;
    p.inner("occupied", "kernels.entries.occupied.q");
    p.inner("marks", "fcfs.marks.q");
    p.inner("queue", "fcfs.queue.state.q");
    p.inner("running", "kernels.entries.in_execution.counts");
    (0..32)
        .for_each(|at| p.inner(format!("queued_{at}"), format!("fcfs.queue.words.memory[{at}]")));
    for entry in 0..entries {
        p.inner(format!("grid_{entry}"), format!("kernels.entries.grids.memory[{entry}]"));
        p.inner(format!("after_{entry}"), format!("kernels.entries.next_blocks.memory[{entry}]"));
        p.inner(format!("needs_{entry}"), format!("kernels.entries.needs.memory[{entry}]"));
    }
    p.inner("fetched", "kernels.entries.fetched.q");
    // One block a cycle: on which SMX is not the question here.
    let offers =
        (0..smxs).map(|smx| format!("{{6{{dispatch${smx}[0]}}}} & dispatch${smx}[0 +: 6]"));
    p.wire("given", 6, offers.collect::<Vec<_>>().join(" | "));
    let blocks =
        (0..smxs).map(|smx| format!("{{63{{dispatch${smx}[0]}}}} & dispatch${smx}[6 +: 63]"));
    let mut blocks: Vec<String> = blocks.collect();
    if cancels {
        blocks.push("{63{cancelled[0]}} & cancelled[1 +: 63]".to_owned());
    }
    p.wire("block", 63, blocks.join(" | "));
    p.wire("accepts", 1, "launch[0] & launch_ready");

    p.chosen("watched", 5);
    p.wire("there", 1, format!("watched < {entries}"));
    p.wire("comes", 1, "accepts & launch_entry == watched");
    // A block goes to an SMX, or to a running block.
    p.wire("starts", 1, "given[0] & given[1 +: 5] == watched");
    match cancels {
        true => p.wire("goes", 1, "starts | cancelled[0] & cancel[1 +: 5] == watched"),
        false => p.wire("goes", 1, "starts"),
    }
    p.wire("it_ends", 1, "finished_kernels >> watched");
    p.wire("empty", 1, "launch[94 +: 31] == 0 | launch[125 +: 16] == 0 | launch[141 +: 16] == 0");
    p.register("grid", 63, "comes ? launch[94 +: 63] : grid");
    p.register("needs", 46, "comes ? launch[188 +: 46] : needs");
    p.register("next", 63, "comes ? 63'h0 : goes ? following : next");
    p.register("held", 1, "comes | held & ~it_ends");
    p.register("all_gone", 1, "comes ? empty : all_gone | goes & is_last");
    // The block after it: x first, then y, then z.
    p.wire("row_ends", 1, "next[0 +: 31] + 31'h1 == grid[0 +: 31]");
    p.wire("plane_ends", 1, "row_ends & next[31 +: 16] + 16'h1 == grid[31 +: 16]");
    p.wire("is_last", 1, "plane_ends & next[47 +: 16] + 16'h1 == grid[47 +: 16]");
    p.wire(
        "following",
        63,
        "{plane_ends ? next[47 +: 16] + 16'h1 : next[47 +: 16], \
         plane_ends ? 16'h0 : row_ends ? next[31 +: 16] + 16'h1 : next[31 +: 16], \
         row_ends ? 31'h0 : next[0 +: 31] + 31'h1}",
    );
    let finishes = (0..smxs)
        .map(|smx| format!("((finished >> {smx}) & 1'b1 & finished_kernel${smx} == watched)"));
    let finishes: Vec<String> = finishes.collect();
    p.wire("finishes", 6, crate::property::count(finishes.iter().cloned()));
    p.register("resident", 11, "resident + starts - finishes");

    let named = (0..smxs).map(|smx| format!("finished_kernel${smx} < {entries}"));
    p.assume(
        "entries",
        "no more kernels run at once than there are entries",
        format!("(~launch[0] | launch_entry < {entries}) & {}", all(named)),
    );
    p.assume("finishes", "what ends was resident", "finishes <= resident");
    p.assume("allow", "gates allow what is asked", "(allow & ~request) == 0");

    if cancels {
        p.assume(
            "asks",
            "who asks runs",
            format!(
                "~cancel[0] | cancel[1 +: 5] < {entries} & (cancel[1 +: 5] != watched | resident != 0)"
            ),
        );
        p.assert(
            "answered",
            "it gets a block while any is left",
            "~(cancel[0] & cancel[1 +: 5] == watched & there) | cancelled[0] == ~all_gone",
        );
        p.assert("asked", "and nobody gets one who does not ask", "~cancelled[0] | cancel[0]");
        p.cover("takes_over", "a running block takes one", "goes & ~starts");
    }
    p.assert("once", "an entry's blocks are given once each, in order", "~goes | block == next");
    p.assert(
        "within",
        "none lies past the grid",
        "~goes | block[0 +: 31] < grid[0 +: 31] & block[31 +: 16] < grid[31 +: 16] & block[47 +: 16] < grid[47 +: 16]",
    );
    p.assert("of_a_kernel", "and only those of a kernel that is there", "~goes | held & ~all_gone");
    p.assert("free_entry", "a kernel comes to an entry that is free", "~comes | ~held");
    p.assert(
        "complete",
        "a kernel ends when all its blocks were dispatched and have ended",
        "~(it_ends & there) | held & all_gone & resident == 0",
    );
    let valid = (0..smxs).map(|smx| format!("dispatch${smx}[0]"));
    let valid = valid.chain(cancels.then(|| "cancelled[0]".to_owned()));
    p.assert(
        "one_a_cycle",
        "one block is dispatched or cancelled in a cycle",
        format!("{} <= 1", crate::property::count(valid)),
    );
    p.assert(
        "no_other",
        "blocks are of entries that there are",
        format!("~given[0] | given[1 +: 5] < {entries}"),
    );

    // The state, in terms of the ghosts.
    p.wire("is_marked", 1, "marks >> watched");
    p.wire("stored_grid", 63, among("watched", (0..entries).map(|entry| format!("grid_{entry}"))));
    p.wire("stored_next", 63, among("watched", (0..entries).map(|entry| format!("after_{entry}"))));
    p.wire("in_table", 1, "occupied >> watched");
    p.wire("length", 9, "queue[8 +: 9]");
    p.wire("head_at", 5, "queue[0 +: 5]");
    let word = |at: usize| {
        among(format!("((head_at + {at}) & 31)"), (0..32).map(|word| format!("queued_{word}")))
    };
    for at in 0..entries {
        p.wire(format!("waiting_{at}"), 5, word(at));
    }
    p.invariant(
        "table",
        "the entry is occupied while its kernel is there",
        "~there | in_table == held",
    );
    p.invariant(
        "low_entries",
        "no other entry is",
        format!("(occupied >> {entries}) == 0 & (marks >> {entries}) == 0"),
    );
    p.invariant("occupied_marks", "what is marked is occupied", "(marks & ~occupied) == 0");
    p.invariant(
        "grids",
        "grid and next block are stored",
        "~(there & held) | stored_grid == grid & (all_gone | stored_next == next)",
    );
    let stored = among("watched", (0..entries).map(|entry| format!("needs_{entry}")));
    p.invariant(
        "needs",
        "what its blocks take is stored, and fetched while it is the head",
        format!(
            "~(there & held) | {stored} == needs & \
             (length == 0 | waiting_0 != watched | fetched == needs)"
        ),
    );
    p.invariant("no_needs", "without a head nothing is fetched", "length != 0 | fetched == 0");
    p.ghost(
        "inside",
        "the next block is of the grid",
        "~(there & held) | all_gone | next[0 +: 31] < grid[0 +: 31] & next[31 +: 16] < grid[31 +: 16] & next[47 +: 16] < grid[47 +: 16]",
    );
    p.wire("no_grid", 1, "grid[0 +: 31] == 0 | grid[31 +: 16] == 0 | grid[47 +: 16] == 0");
    p.invariant(
        "still_marked",
        "a kernel with blocks to go is marked",
        "~(there & held) | all_gone | is_marked",
    );
    p.invariant(
        "marked_empty",
        "one without is marked only when its grid is empty",
        "~(there & held & is_marked & all_gone) | no_grid",
    );
    p.invariant(
        "empty_gone",
        "an empty grid has no blocks",
        "~(there & held & no_grid) | all_gone & resident == 0",
    );
    p.invariant("nothing", "no kernel, no blocks", "~there | held | resident == 0");
    let counter = among(
        "watched",
        (0..entries).map(|entry| {
            let bits = dispatcher.resident_bits();
            format!("running[{} +: {bits}]", entry * bits)
        }),
    );
    p.invariant(
        "counted",
        "resident blocks are counted",
        format!("~there | {counter} == resident"),
    );
    let marks = crate::property::count((0..entries).map(|entry| format!("marks[{entry}]")));
    p.invariant("queue_length", "the queue holds the marked entries", format!("length == {marks}"));
    let mut queued = Vec::new();
    for at in 0..entries {
        queued.push(format!(
            "length <= {at} | waiting_{at} < {entries} & ((marks >> waiting_{at}) & 1'b1)"
        ));
        for other in 0..at {
            queued.push(format!("length <= {at} | waiting_{at} != waiting_{other}"));
        }
    }
    p.invariant("queued", "each once", all(queued));
    if cancels {
        p.invariant(
            "runs_first",
            "a kernel that runs and has blocks left is the head",
            "~(there & held) | all_gone | resident == 0 | length != 0 & waiting_0 == watched",
        );
    }
    p.cover("second", "an entry is used again", any(["comes & grid != 0".to_owned()]));
    p
}
