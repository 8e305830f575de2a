//! Of each level records leave in the order in which they came, each from its place.

use super::LevelRings;
use crate::prelude::*;
use crate::property::{among, Properties};

/// Any one level is watched; places are counted in ghosts of 32 bits, so that their wrap is proved
/// as well.
pub fn of(rings: &LevelRings) -> Properties {
    let (levels, words) = (rings.levels, rings.heads.words());
    let lowest = 8 - levels;
    let mut p = Properties::of("LaPerm, section IV-E");
    for at in 0..words {
        p.inner(format!("head_{at}"), format!("heads.memory[{at}]"));
        p.inner(format!("tail_{at}"), format!("tails.memory[{at}]"));
    }
    match levels {
        1 => p.wire("rank", 3, lowest),
        _ => {
            p.chosen("which", count_bits(levels - 1));
            p.wire("rank", 3, format!("which + {lowest}"));
        }
    }
    p.wire("puts", 1, "put & put_rank == rank");
    p.wire("takes", 1, "take & take_rank == rank");
    p.register("was_put", 32, "was_put + puts");
    p.register("was_taken", 32, "was_taken + takes");
    p.register("known", 1, "known | puts");
    p.assume(
        "ranks",
        "there are no further levels",
        format!("(~put | put_rank >= {lowest}) & (~take | take_rank >= {lowest})"),
    );
    if !levels.is_power_of_two() {
        p.assume("there", "the level is one of them", format!("which < {levels}"));
    }
    p.assume("waits", "a record is taken where one waits", "~takes | waiting[rank]");
    p.assume(
        "room",
        "memory holds what is put there",
        "~puts | takes | was_put - was_taken != 32'hffffffff",
    );
    p.assert(
        "waiting",
        "a record waits while more were put than taken",
        "waiting[rank] == (was_put != was_taken)",
    );
    p.assert("put_place", "it is put behind all others", "put_rank != rank | put_index == was_put");
    p.assert(
        "take_place",
        "the one that was put first is taken",
        "take_rank != rank | ~waiting[rank] | take_index == was_taken",
    );
    let word = |of: &str| {
        let words = (0..words).map(|at| format!("{of}_{at}"));
        among(format!("(rank & {})", rings.heads.words() - 1), words)
    };
    p.invariant("begun", "a ring that was begun has had a record", "begun$q[rank] == known");
    p.invariant(
        "unknown",
        "nothing was taken of another one",
        "known | was_put == 0 & was_taken == 0",
    );
    p.invariant(
        "kept",
        "its first and its next place are kept",
        format!("~known | {} == was_taken & {} == was_put", word("head"), word("tail")),
    );
    p.cover("passes", "a record comes as another one goes", "puts & takes");
    p
}
