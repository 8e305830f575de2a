//! Each block of a chunk once.

use super::ChunkEntry;
use crate::property::Properties;

/// The most blocks of a grid in each dimension.
const EXTENT: usize = 2;

/// Any one block of any small grid is watched: in every kernel it runs once or is stolen once, and
/// a block that is stolen is of the chunk no more (rules 5, 6 and 12 of `docs/ikra.md`).
pub fn of(_chunk: &ChunkEntry) -> Properties {
    let mut p = Properties::of_alone("IKRA, sections 4.1 to 4.4");
    for axis in ["x", "y", "z"] {
        p.chosen(format!("extent_{axis}"), 2);
        p.chosen(format!("watched_{axis}"), 2);
    }
    p.wire("watched", 63, "{14'h0, watched_z, 14'h0, watched_y, 29'h0, watched_x}");
    // The linear ids of blocks, and whether they are of the grid.
    for block in ["load_start", "load_last", "next_block", "far_block", "watched"] {
        let (x, y, z) =
            (format!("{block}[0 +: 2]"), format!("{block}[31 +: 2]"), format!("{block}[47 +: 2]"));
        p.wire(format!("{block}_id"), 6, format!("{x} + extent_x * ({y} + extent_y * {z})"));
        p.wire(
            format!("{block}_there"),
            1,
            format!(
                "{block}[0 +: 31] < extent_x & {block}[31 +: 16] < extent_y & {block}[47 +: 16] < extent_z"
            ),
        );
    }
    p.wire("runs", 1, "take & next_block == watched");
    p.wire("leaves", 1, "steal & far_block == watched");
    p.wire("between", 1, "~load_vacant & load_start_id <= watched_id & watched_id <= load_last_id");
    p.register("loaded", 1, "loaded | begins");
    p.register("member", 1, "load ? between : member & ~leaves");
    p.register("done", 1, "~begins & (done | runs)");

    let extents =
        ["x", "y", "z"].map(|axis| format!("extent_{axis} != 0 & extent_{axis} <= {EXTENT}"));
    p.assume("small", "the grid is small", format!("{} & watched_there", extents.join(" & ")));
    p.assume(
        "extent",
        "it stays the same",
        "grid == {14'h0, extent_z, 14'h0, extent_y, 29'h0, extent_x}",
    );
    p.assume("begins_alone", "nothing moves while a kernel begins", "~begins | ~(take | steal)");
    p.assume("takes", "only what is left is run or stolen", "~(take | steal) | available");
    p.assume("last_once", "the last one is not both", "~(take & steal & last)");
    p.assume("begins_after", "a kernel begins when nothing is left", "~begins | ~available");
    p.assume("first_loads", "the first one has a chunk of its own", "~begins | loaded | load");
    p.assume("loads", "chunks come with kernels", "~load | begins");
    p.assume(
        "chunk",
        "a chunk is of the grid",
        "~(load & ~load_vacant) | load_start_there & load_last_there & load_start_id <= load_last_id",
    );

    p.assert("once", "a block is not run and stolen at once", "~(runs & leaves)");
    p.assert(
        "of_the_chunk",
        "what runs or is stolen is of the chunk, and has not run",
        "~(runs | leaves) | member & ~done",
    );
    p.assert(
        "no_loss",
        "when nothing is left all have run",
        "available | ~member | done | ~loaded",
    );
    p.assert("next_there", "what runs is of the grid", "~take | next_block_there");
    p.assert("far_there", "what is stolen is of the grid", "~steal | far_block_there");
    p.cover("both", "a block runs while another one is stolen", "take & steal & runs");
    p
}
