//! Order, and no loss.

use super::Fifo;
use crate::prelude::*;
use crate::property::{among, Properties};

/// Any one word is watched from its push on: it shows when all before it have gone, and not before.
pub fn of<T: Value, const A: usize>(fifo: &Fifo<T, A>) -> Properties {
    let (bits, depth) = (fifo.data.val().width(), fifo.words.words());
    let mut p = Properties::default();
    (0..depth).for_each(|at| p.inner(format!("word_{at}"), format!("words.memory[{at}]")));
    p.free("mark", 1);
    p.register("stored", 9, "stored + pushes - pops");
    p.register("waits", 1, "marks | waits & ~leaves");
    p.register("ahead", 9, "marks ? stored - pops : ahead - (waits & pops)");
    p.register("watched", bits, "marks ? data : watched");
    p.wire("marks", 1, "mark & pushes & ~waits");
    p.wire("leaves", 1, "waits & pops & ahead == 0");
    p.wire("at", A, format!("(place[0 +: {A}] + ahead[0 +: {A}]) & {}", depth - 1));
    let place = among("at", (0..depth).map(|at| format!("word_{at}")));

    p.assert("empty", "it is empty when all that was pushed is popped", "empty == (stored == 0)");
    p.assert("full", "it is full with all its words", format!("full == (stored == {depth})"));
    p.assert("bound", "it never stores more", format!("stored <= {depth}"));
    p.assert(
        "order",
        "a word shows when all that were pushed before it are popped",
        "~(waits & ahead == 0) | (~empty & head == watched)",
    );
    p.assert("no_loss", "a word stays until it is popped", "~waits | ahead < stored");
    p.invariant("count", "the count is that of the words", "count == stored");
    p.invariant("kept", "a word is kept in its place", format!("~waits | {place} == watched"));
    p.cover("fills", "it fills", "full");
    p
}
