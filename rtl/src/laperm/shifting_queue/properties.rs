//! The same order as in the linked queue, a cycle a unit later.

use super::ShiftingQueue;
use crate::property::{all, among, count, Properties};

/// Entries beyond which nothing is stated: claims grow with their square.
const MOST: usize = 8;

/// The units as a ghost list, by decreasing level and first come, first served within a level, into
/// which a new one comes after as many cycles as units are behind it (rules 4 and 5 of
/// `docs/laperm.md`).
pub fn of(queue: &ShiftingQueue) -> Properties {
    let mut p = Properties::of("LaPerm, section IV-E");
    let (entries, levels) = (queue.memory.entries(), queue.levels);
    if entries > MOST {
        return p;
    }
    let places = || 0..entries;
    // One entry has a place in each bank.
    let ring = entries.max(2);
    let words = || (0..ring).map(|place| format!("word_{place}"));
    for place in 0..ring {
        p.inner(format!("word_{place}"), format!("memory.{}", queue.memory.word(place)));
    }
    p.inner("first_is_odd", "memory.first_is_odd.q");
    p.inner("lifted", "memory.lifted.q");
    p.inner("from", "memory.from.q");
    p.inner("hidden", "memory.hidden.q");
    p.inner("kept", "memory.kept.q");
    p.assume("inserts", "a unit is inserted when it is ready", "~insert | ready");
    p.assume("moves", "only a head goes on or leaves", "~(step | remove) | head_valid");
    p.assume(
        "level",
        "its level is one that there is",
        format!("~insert | insert_level >= 1 & insert_level <= {levels}"),
    );
    let lower = places().map(|at| format!("{at} < listed & level_{at} < insert_level"));
    p.wire("lower", 12, count(lower));
    p.wire("begins", 1, "insert & lower != 0");
    p.wire("arrives", 1, "insert & lower == 0 | coming & cycles == 1");
    p.wire("new_level", 4, "coming ? coming_level : insert_level");
    p.wire("new_unit", 100, "coming ? coming_unit : insert_entry");
    p.wire("stay", 12, "listed - remove");
    let upper = places().map(|at| format!("{at} < stay & staying_level_{at} >= new_level"));
    p.wire("upper", 12, count(upper));
    p.register("listed", 12, "stay + arrives");
    p.register("coming", 1, "begins | coming & cycles != 1");
    p.register("coming_level", 4, "begins ? insert_level : coming_level");
    p.register("coming_unit", 100, "begins ? insert_entry : coming_unit");
    p.register("cycles", 12, "begins ? lower : coming ? cycles - 1 : cycles");
    for (what, bits) in [("level", 4), ("unit", 100)] {
        for at in places() {
            let after = (at + 1).min(entries - 1);
            let staying = format!("remove ? {what}_{after} : {what}_{at}");
            p.wire(format!("staying_{what}_{at}"), bits, staying);
            let pushed = match at {
                0 => format!("new_{what}"),
                _ => format!("upper == {at} ? new_{what} : staying_{what}_{}", at - 1),
            };
            p.register(
                format!("{what}_{at}"),
                bits,
                format!("arrives & upper <= {at} ? {pushed} : staying_{what}_{at}"),
            );
        }
    }

    p.assert("count", "the count is that of the units", "count == listed + coming");
    p.assert(
        "ready",
        "it is ready while an entry is free and no unit is on its way",
        format!("ready == (~coming & listed != {entries})"),
    );
    p.assert("valid", "there is a head while there is a unit", "head_valid == (listed != 0)");
    p.assert(
        "head",
        "the head is the first of the highest level",
        "listed == 0 | head[100 +: 4] == level_0 & head[0 +: 100] == unit_0",
    );
    let sorted = (1..entries).map(|at| format!("{at} >= listed | level_{at} <= level_{}", at - 1));
    p.ghost("sorted", "levels decrease", all(sorted));
    p.invariant(
        "bounds",
        "no more units than entries",
        format!("listed + coming <= {entries} & listed <= {entries}"),
    );
    let there =
        places().map(|at| format!("{at} >= listed | level_{at} >= 1 & level_{at} <= {levels}"));
    p.invariant("levels", "each level is one that there is", all(there));
    for level in 1..=levels {
        let at_least = places().map(|at| format!("{at} < listed & level_{at} >= {level}"));
        p.invariant(
            format!("index_{level}"),
            "index pointers count the units of a level and of those above",
            format!("upto${}$q == {}", 8 - level, count(at_least)),
        );
    }
    let index = ring.trailing_zeros() as usize;
    for at in places() {
        p.wire(format!("place_{at}"), index, format!("base$q + {at} + (busy$q & {at} >= hole$q)"));
        let word = among(format!("place_{at}"), words());
        p.invariant(
            format!("kept_{at}"),
            "a unit is in its place, or one further while the hole is before it, unless it moves",
            format!("{at} >= listed | lifted & hole$q == {at} | {word} == unit_{at}"),
        );
    }
    p.wire("first_place", 11, "base$q + (busy$q & hole$q == 0)");
    p.wire("second_place", 11, "first_place + 11'h1");
    p.wire("behind_from", 11, "from + 11'h1");
    let left = among(format!("(from & {})", ring - 1), words());
    let moving = among("hole$q", places().map(|at| format!("unit_{at}")));
    p.invariant(
        "moving",
        "what moves is the unit behind the hole, and still where it was",
        format!(
            "~lifted | busy$q & hole$q < listed & from == ((base$q + hole$q) & 11'h7ff) \
             & {left} == {moving}"
        ),
    );
    // Of one word each bank has no other.
    if ring > 2 {
        let low = ring / 2 - 1;
        p.inner("even_at", "memory.even.at.q");
        p.inner("odd_at", "memory.odd.at.q");
        p.wire("even_word", 10, "lifted & ~from[0] ? from[10:1] : second_place[10:1]");
        p.wire("odd_word", 10, "lifted & from[0] ? from[10:1] : first_place[10:1]");
        p.invariant(
            "read",
            "each bank has the first unit or the second one, or what moves out of it",
            format!(
                "(even_at & {low}) == (even_word & {low}) & (odd_at & {low}) == (odd_word & {low})"
            ),
        );
    }
    p.invariant(
        "first",
        "the first unit is kept while its bank has another one",
        "first_is_odd == first_place[0] \
         & hidden == (lifted & (from[0] == first_place[0] | first_place == behind_from)) \
         & (~hidden | listed == 0 | kept == unit_0)",
    );
    p.wire(
        "above",
        12,
        count(places().map(|at| format!("{at} < listed & level_{at} >= coming_level"))),
    );
    p.invariant(
        "on_its_way",
        "what is on its way is the unit that came",
        format!(
            "busy$q == coming & (~coming | cycles == left$q + 1 & cycles <= {entries} \
             & coming_level >= 1 & coming_level <= {levels} & pending_rank$q == 4'd8 - coming_level \
             & pending$q == coming_unit)"
        ),
    );
    p.invariant(
        "hole",
        "the hole is as far from its place as cycles are left",
        "~coming | hole$q <= listed & (above != 0 ? hole$q == above + left$q : hole$q <= left$q)",
    );
    p.cover("overtakes", "a unit comes before another one", "coming & cycles == 1 & remove");
    p
}
