//! What Simple Slicing counts, and what it makes of it.

use super::Prediction;
use crate::property::Properties;

/// Ghosts count blocks, time and durations over any time.
pub fn of(_: &Prediction) -> Properties {
    let mut p = Properties::of("SRTF, section 4.1, Algorithm 1");
    // Blocks, at most 2^24 - 1.
    p.register("ended", 24, "launched ? 0 : ended + (finished & ended != 24'hffffff)");
    p.wire("ended_with", 24, "ended + (ended != 24'hffffff)");
    p.assert(
        "left",
        "as many blocks are left as the SMX is expected to run and have not ended, at least none",
        "{1'b0, left} + ended_with == (total > ended_with ? total : {1'b0, ended_with})",
    );
    // The first block of a slice says how long its blocks take.
    p.register("begins", 1, "slice | begins & ~finished");
    p.register("took", 32, "launched ? 0 : finished ? length : took");
    p.assert(
        "length",
        "a block takes as long as the first one of the slice",
        "length == (begins ? duration : took)",
    );
    // Cycles with a resident block, between events; at most 2^40 - 1.
    p.register("latest", 40, "launched ? 0 : finished | taken ? now : latest");
    p.wire("since", 40, "(finished | taken) & runs ? now - latest : 0");
    p.register("ran", 40, "launched ? 0 : since > ~ran ? 40'hffffffffff : ran + since");
    p.wire("in_all", 41, "{1'b0, ran} + quotient");
    p.assert(
        "sum",
        "it takes as long as it ran, and what is left of it",
        "in_all[40] ? &sum : sum == in_all[39:0]",
    );
    // What is kept of a prediction.
    p.register("knows", 1, "~leaves & ~launched & (knows | copy | result)");
    p.wire("is_copied", 1, "copy & ~knows");
    p.register("rest", 40, "launched ? 0 : result ? quotient : is_copied ? copy_remaining : rest");
    p.register("all", 40, "launched ? 0 : result ? sum : is_copied ? copy_predicted : all");
    p.assert(
        "known",
        "a result or a copy makes a prediction, until the kernel leaves",
        "known == knows",
    );
    p.assert(
        "remaining",
        "what is left is the last result, or the copy before any",
        "knows ? remaining == rest : remaining == 0",
    );
    p.assert("predicted", "so is the prediction", "knows ? predicted == all : predicted == 0");
    for (name, register, ghost) in [
        ("ended_kept", "done", "ended"),
        ("took_kept", "t", "took"),
        ("begins_kept", "anew", "begins"),
        ("latest_kept", "mark", "latest"),
        ("ran_kept", "active", "ran"),
        ("known_kept", "is_known", "knows"),
        ("rest_kept", "remaining_of", "rest"),
        ("all_kept", "predicted_of", "all"),
    ] {
        p.invariant(name, "the register has it", format!("{register}$q == {ghost}"));
    }
    p.cover("more", "more blocks end than were expected", "finished & ended > 1 & total == 1");
    p
}
