//! Records leave in the order in which they came, each from its place.

use super::PendingPool;
use crate::property::Properties;

/// Places are counted in ghosts of 32 bits, so that their wrap is proved as well.
pub fn of(_: &PendingPool) -> Properties {
    let mut p = Properties::of("DTBL, section 2.2");
    p.register("pushed", 32, "pushed + push");
    p.register("popped", 32, "popped + pop");
    p.assume("pops", "a record is taken where there is one", "~pop | any");
    p.assume(
        "room",
        "memory holds what is put there",
        "~push | pop | pushed - popped != 32'hffffffff",
    );
    p.assert(
        "any",
        "there is a record while more were put than taken, or one comes",
        "any == (push | pushed != popped)",
    );
    p.assert("first", "it lies behind all that were taken", "first == popped");
    p.invariant("tail", "the next one comes behind all that were put", "tail$q == pushed");
    p.cover(
        "passes",
        "a record comes to an empty pool and is taken",
        "push & pop & pushed == popped",
    );
    p
}
