//! Each block has one owner, and chunks go round.

use super::Walk;
use crate::property::Properties;

/// A ghost counts the blocks of a round: `own` is high at those of this domain's chunk and at no
/// others.
pub fn of(walk: &Walk) -> Properties {
    let (domains, number, chunk) = (walk.domains, walk.number, walk.chunk);
    let (from, round) = (number * chunk, domains * chunk);
    let mut p = Properties::of("CDNA 3, workgroup to XCD mapping");
    p.inner("whose_chunk", "whose.q");
    if chunk > 1 {
        p.inner("place", "position.q");
    }
    p.register("block", 14, format!("restart | step & block == {} ? 0 : block + step", round - 1));
    p.assert(
        "its_chunk",
        "of a round it owns its own chunk, and so each block has one owner",
        format!("own == (block >= {from} & block < {})", from + chunk),
    );
    p.ghost("of_round", "a round has all domains' chunks", format!("block < {round}"));
    let place = if chunk > 1 { " + place" } else { "" };
    p.invariant(
        "counted",
        "the counters say which block it is",
        format!("block == whose_chunk * {chunk}{place} & whose_chunk < {domains}"),
    );
    if chunk > 1 {
        p.invariant("in_chunk", "a place is one of the chunk", format!("place < {chunk}"));
    }
    p.cover("back", "a walk begins anew on its way", "restart & block != 0");
    // Cover points are looked for in a few dozen cycles.
    if round <= 32 {
        p.cover("round", "a round ends", format!("step & ~restart & block == {}", round - 1));
    }
    p
}
