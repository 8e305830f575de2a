//! What is asked for is what was written.

use super::AheadMemory;
use crate::prelude::*;
use crate::property::{among, Properties};

/// Words beyond which nothing is stated: each is looked at.
const MOST: usize = 16;

/// Any one word is watched from a write on.
pub fn of<T: Value, const A: usize>(memory: &AheadMemory<T, A>) -> Properties {
    let (bits, words) = (memory.data.val().width(), memory.words());
    let mut p = Properties::default();
    if words > MOST {
        return p;
    }
    (0..words).for_each(|at| p.inner(format!("word_{at}"), format!("{}[{at}]", memory.array())));
    let low = |address: &str| format!("({address} & {})", words - 1);
    p.free("mark", 1);
    p.wire("marks", 1, "mark & write_enable & ~watching");
    p.register("watching", 1, "watching | marks");
    p.register("place", A, format!("marks ? {} : place", low("write_address")));
    p.wire("again", 1, format!("watching & write_enable & {} == place", low("write_address")));
    p.register("value", bits, "marks | again ? write_data : value");
    p.register("asked", A, low("next_address"));
    p.register("asks", 1, "1'b1");
    let word = among("place", (0..words).map(|at| format!("word_{at}")));
    p.assert(
        "shows",
        "the word that was asked for shows as it was written last, in the cycle before at the latest",
        "~(watching & asks & asked == place) | data == value",
    );
    p.invariant(
        "kept",
        "a word stays as it is in its place",
        format!("~watching | {word} == value"),
    );
    if memory.is_register_file() {
        p.inner("held", "at.q");
        p.invariant(
            "at",
            "the address is that of the cycle before",
            format!("{} == asked", low("held")),
        );
    }
    p.ghost("there", "its place is one that there is", format!("~watching | place < {words}"));
    p.cover(
        "meets",
        "a word is written as it is asked for",
        "watching & again & asks & data != value",
    );
    p
}
