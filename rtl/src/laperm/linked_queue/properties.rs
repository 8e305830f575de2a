//! Every entry on one list, first come, first served.

use super::LinkedQueue;
use crate::property::{all, among, any, Properties};

/// Entries beyond which nothing is stated: claims grow with their square.
const MOST: usize = 8;

/// The ring of free places and the levels as ghost lists of places: they partition the places in
/// use, links follow the levels, and the head is the first of the highest one.
pub fn of(queue: &LinkedQueue) -> Properties {
    let mut p = Properties::of("LaPerm, sections IV-A and IV-E");
    let (entries, levels) = (queue.memory.words(), queue.levels);
    if entries > MOST {
        return p;
    }
    for place in 0..entries {
        p.inner(format!("unit_{place}"), format!("memory.{}[{place}]", queue.memory.array()));
        p.inner(format!("link_{place}"), format!("links.{}[{place}]", queue.links.array()));
        p.inner(format!("ring_{place}"), format!("ring.{}[{place}]", queue.ring.array()));
    }
    p.inner("fetched", "memory.at.q");
    p.inner("followed", "links.at.q");
    p.inner("offered", "ring.at.q");
    // A level's pointers are at the low bits of its rank, 8 less the level.
    let row = levels.next_power_of_two();
    for level in 1..=levels {
        let at = (8 - level) % row;
        p.inner(format!("first_{level}"), format!("firsts.memory[{at}]"));
        p.inner(format!("last_{level}"), format!("lasts.memory[{at}]"));
    }
    p.assume("inserts", "a unit is inserted when an entry is free", "~insert | ready");
    p.assume("moves", "only a head goes on or leaves", "~(step | remove) | head_valid");
    p.assume(
        "level",
        "its level is one that there is",
        format!("~insert | insert_level >= 1 & insert_level <= {levels}"),
    );
    p.wire("head_level", 4, "head[100 +: 4]");
    p.wire("reuses", 1, "insert & frees != 0");
    p.wire("frees_left", 12, "frees - reuses");
    p.register("frees", 12, "frees_left + remove");
    let lists: Vec<String> = (1..=levels).rev().map(|level| level.to_string()).collect();
    for level in &lists {
        p.wire(format!("comes_{level}"), 1, format!("insert & insert_level == {level}"));
        p.wire(format!("goes_{level}"), 1, format!("remove & head_level == {level}"));
        p.wire(format!("left_{level}"), 12, format!("units_{level} - goes_{level}"));
        p.register(format!("units_{level}"), 12, format!("left_{level} + comes_{level}"));
        for at in 0..entries {
            let after = (at + 1).min(entries - 1);
            p.register(
                format!("list_{level}_{at}"),
                11,
                format!(
                    "comes_{level} & left_{level} == {at} ? place \
                     : goes_{level} ? list_{level}_{after} : list_{level}_{at}"
                ),
            );
        }
    }
    let gone = lists.iter().map(|level| format!("goes_{level} ? list_{level}_0 : "));
    p.wire("gone", 11, gone.collect::<String>() + "11'h0");
    for at in 0..entries {
        let after = (at + 1).min(entries - 1);
        p.register(
            format!("list_0_{at}"),
            11,
            format!("remove & frees_left == {at} ? gone : reuses ? list_0_{after} : list_0_{at}"),
        );
    }
    // The ring of free places is list 0.
    p.wire("units_0", 12, "frees");
    let every: Vec<String> = lists.iter().cloned().chain(["0".to_owned()]).collect();
    let sum = |of: &[String]| {
        of.iter().map(|list| format!("units_{list}")).collect::<Vec<_>>().join(" + ")
    };
    let waiting = sum(&lists);

    p.assert("count", "the count is that of the units", format!("count == {waiting}"));
    p.assert(
        "ready",
        "it is ready while an entry is free",
        format!("ready == ({waiting} != {entries})"),
    );
    p.assert(
        "valid",
        "there is a head while there is a unit",
        format!("head_valid == ({waiting} != 0)"),
    );
    let highest = lists.iter().map(|level| format!("units_{level} != 0 ? {level} : "));
    p.assert(
        "highest",
        "the head is of the highest level",
        format!("~head_valid | head_level == ({}0)", highest.collect::<String>()),
    );
    p.assert(
        "partition",
        "levels and ring hold the places in use",
        format!("{} == used$q & used$q <= {entries} & held$q == {waiting}", sum(&every)),
    );
    let mut spots = Vec::new();
    for list in &every {
        spots.extend((0..entries).map(|at| (list.clone(), at)));
    }
    let listed = |(list, at): &(String, usize)| format!("{at} < units_{list}");
    let place = |(list, at): &(String, usize)| format!("list_{list}_{at}");
    let places = spots.iter().map(|spot| format!("~({}) | {} < used$q", listed(spot), place(spot)));
    p.invariant("used", "each place is one in use", all(places));
    let mut differ = Vec::new();
    for (number, one) in spots.iter().enumerate() {
        for other in &spots[..number] {
            differ.push(format!(
                "~({} & {}) | {} != {}",
                listed(one),
                listed(other),
                place(one),
                place(other)
            ));
        }
    }
    p.assert("once", "no place is on two lists, or twice on one", all(differ));
    for list in &lists {
        let links = (0..entries - 1).map(|at| {
            let link = among(
                format!("list_{list}_{at}"),
                (0..entries).map(|place| format!("link_{place}")),
            );
            format!("{} >= units_{list} | {link} == list_{list}_{}", at + 1, at + 1)
        });
        p.invariant(format!("links_{list}"), "links lead from each place to the next", all(links));
        p.invariant(
            format!("first_{list}_known"),
            "the first place is known",
            format!("units_{list} == 0 | first_{list} == list_{list}_0"),
        );
        let higher = lists.iter().take_while(|level| *level != list);
        let lower = any(higher.map(|level| format!("units_{level} != 0")).chain(["0".to_owned()]));
        p.invariant(
            format!("fetched_{list}"),
            "the words of the head are fetched",
            format!(
                "units_{list} == 0 | {lower} | fetched == list_{list}_0 & followed == list_{list}_0"
            ),
        );
    }
    let low = entries - 1;
    let free = (0..entries).map(|at| {
        let ring = among(
            format!("((oldest$q + {at}) & {low})"),
            (0..entries).map(|place| format!("ring_{place}")),
        );
        format!("{at} >= frees | {ring} == list_0_{at}")
    });
    p.invariant("ring", "free places are in the ring, the oldest first", all(free));
    p.invariant(
        "offered",
        "the oldest free place is fetched",
        format!("(offered & {low}) == (oldest$q & {low})"),
    );
    for level in &lists {
        let ends = (0..entries)
            .map(|at| format!("units_{level} != {} | last_{level} == list_{level}_{at}", at + 1));
        p.invariant(format!("last_{level}_known"), "the last place is known", all(ends));
        let rank = 8 - level.parse::<usize>().unwrap_or(0);
        p.invariant(
            format!("waits_{level}"),
            "a level with units is marked",
            format!("waiting$q[{rank}] == (units_{level} != 0)"),
        );
    }
    let unmarked = (0..8 - levels).map(|rank| format!("~waiting$q[{rank}]"));
    p.invariant("no_other_level", "no other one is", all(unmarked));

    // Any unit is watched from its insertion on.
    p.free("mark", 1);
    p.wire("marks", 1, "mark & insert & ~watching");
    p.register("watched", 100, "marks ? insert_entry : watched");
    p.register("watched_level", 4, "marks ? insert_level : watched_level");
    p.wire(
        "passed",
        1,
        any(lists.iter().map(|level| format!("watched_level == {level} & goes_{level}"))),
    );
    let behind = lists.iter().map(|level| format!("insert_level == {level} ? left_{level} : "));
    p.register(
        "ahead",
        12,
        format!("marks ? ({}12'h0) : ahead - (watching & passed)", behind.collect::<String>()),
    );
    p.register("watching", 1, "marks | watching & ~(passed & ahead == 0)");
    let on = |level: &str| {
        let spot = among("ahead", (0..entries).map(|at| format!("list_{level}_{at}")));
        let unit = among(spot, (0..entries).map(|place| format!("unit_{place}")));
        format!("watched_level != {level} | ahead < units_{level} & {unit} == watched")
    };
    p.assert(
        "kept",
        "a unit stays as it is in its place of its list",
        format!("~watching | {}", all(lists.iter().map(|level| on(level)))),
    );
    p.ghost(
        "levels",
        "its level is one that there is",
        format!("~watching | watched_level >= 1 & watched_level <= {levels}"),
    );
    p.assert(
        "fcfs",
        "within a level, first come, first served",
        "~(watching & ahead == 0 & head_level == watched_level) | head[0 +: 100] == watched",
    );
    p.cover("reuse", "a place is used again", "reuses & count != 0");
    p
}
