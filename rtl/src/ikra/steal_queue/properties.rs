//! Each block once, in order.

use super::StealQueue;
use crate::property::{among, Properties};

/// The ring against a list that has the far end of a forward kernel last (rules 8, 12 and 13 of
/// `docs/ikra.md`).
pub fn of(queue: &StealQueue) -> Properties {
    let entries = queue.low.words();
    let index = entries.trailing_zeros();
    let mut p = Properties::of("IKRA, section 4.4");
    for (end, memory) in [("low", &queue.low), ("high", &queue.high)] {
        let array = format!("{end}.{}", memory.array());
        (0..entries).for_each(|at| p.inner(format!("{end}_{at}"), format!("{array}[{at}]")));
        // What an SRAM was asked for is in its output alone.
        if memory.is_register_file() {
            p.inner(format!("{end}_at"), format!("{end}.at.q"));
        }
    }
    p.wire("inserted", 1, format!("insert & listed != {entries}"));
    p.wire("pulled", 1, "steal & ~forward");
    p.register("turned", 1, "begins");
    p.register("begun", 1, "1'b1");
    p.register("direction", 1, "forward");
    p.register("listed", 6, "begins ? (clear ? 0 : listed) : listed - steal + inserted");
    p.register("gone", 6, "begins ? 0 : gone + take + inserted");
    for at in 0..entries {
        let above = (at + 1).min(entries - 1);
        let pulled = format!("(pulled ? list_{above} : list_{at})");
        let pushed = match at {
            0 => "insert_block".to_owned(),
            _ => format!("list_{}", at - 1),
        };
        let next = format!(
            "inserted ? (forward ? (listed == {at} ? insert_block : list_{at}) : {pushed}) : {pulled}"
        );
        p.register(format!("list_{at}"), 63, next);
    }
    p.assume(
        "turns",
        "the direction changes with a kernel",
        "~begun | turned | forward == direction",
    );
    p.assume("takes", "only what is left is run or stolen", "~(take | steal) | available");
    p.assume("last_once", "the last one is not both", "~(take & steal & last)");
    p.assume("inserts", "what is stolen comes when nothing is left", "~(insert & available)");
    p.assume(
        "begins_alone",
        "nothing moves while a kernel begins",
        "~begins | ~(take | steal | insert)",
    );

    let list = |index: &str| among(index, (0..entries).map(|at| format!("list_{at}")));
    p.wire("near", 6, "forward ? gone : listed - 1 - gone");
    p.wire("far", 6, "forward ? listed - 1 : 0");
    p.assert("available", "a block is left until all have run", "available == (gone != listed)");
    p.assert("next", "blocks run in order", format!("~available | next_block == {}", list("near")));
    p.assert(
        "stolen",
        "thieves take the far end",
        format!("~available | far_block == {}", list("far")),
    );
    p.assert("last", "`last` is the only one left", "last == (gone + 1 == listed)");
    p.assert("full", "it is full with all its entries", format!("full == (listed == {entries})"));
    p.assert(
        "filled",
        "`filled` says when",
        format!("filled == (inserted & listed + 1 == {entries})"),
    );
    p.invariant("bounds", "none runs twice", format!("listed <= {entries} & gone <= listed"));
    p.ghost("new", "nothing has run of a kernel that begins", "~turned | gone == 0");
    p.ghost("empty", "nothing is there at first", "begun | listed == 0 & gone == 0");
    p.wire("lowest", 5, "bottom$q + (direction ? gone : 0)");
    p.wire("highest", 5, "bottom$q + listed - 1 - (direction ? 0 : gone)");
    for (end, memory, place) in [("low", &queue.low, "lowest"), ("high", &queue.high, "highest")] {
        if memory.is_register_file() {
            p.invariant(
                format!("{end}_end"),
                "both ends of what is left were asked for",
                format!("gone == listed | {end}_at == {place}"),
            );
        }
    }
    p.invariant("counts", "the counts are those of the list", "held$q == listed & ran$q == gone");
    for at in 0..entries {
        p.wire(format!("place_{at}"), index as usize, format!("bottom$q + {at}"));
        for end in ["low", "high"] {
            let words = (0..entries).map(|at| format!("{end}_{at}"));
            let word = among(format!("place_{at}"), words);
            p.invariant(
                format!("{end}_kept_{at}"),
                "a block is kept in its place",
                format!("{at} >= listed | {word} == list_{at}"),
            );
        }
    }
    p.cover("two_ends", "blocks run and are stolen", "take & steal");
    p
}
