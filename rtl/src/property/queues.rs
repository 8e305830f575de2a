//! What several queues of marked entries promise.

use super::{all, count, Properties};

/// Queues of 32 words each of which is an entry, in a module with the ports `mark`, `unmark`,
/// `head_valid`, `head` and `marked`.
pub(crate) struct Queues<'a> {
    /// Their instances.
    pub names: &'a [String],
    /// How many entries whoever drives the module uses.
    pub entries: usize,
    /// In which of them the entry of `mark` belongs, 3 bits.
    pub belongs: &'a str,
}

/// Any two entries are watched, `former` and `other`: each is in the queue where it belongs from
/// its mark on until it is the head that is unmarked, and none of a queue goes before an older one.
/// `former_held` and `other_held` are whether they are queued, `former_home` and `other_home`
/// where.
pub(crate) fn first_come(p: &mut Properties, queues: &Queues) {
    let Queues { names, entries, belongs } = *queues;
    p.wire("belongs", 3, belongs);
    p.assume("entries", "no more entries are used", format!("~mark[0] | mark[1 +: 5] < {entries}"));
    p.assume("once", "none is marked twice", "~mark[0] | ((marked >> mark[1 +: 5]) & 1'b1) == 0");
    for name in ["former", "other"] {
        p.chosen(name, 5);
        p.wire(format!("{name}_comes"), 1, format!("mark[0] & mark[1 +: 5] == {name}"));
        p.wire(format!("{name}_goes"), 1, format!("unmark & head_valid & head == {name}"));
        p.register(format!("{name}_held"), 1, format!("{name}_comes | {name}_held & ~{name}_goes"));
        p.register(format!("{name}_home"), 3, format!("{name}_comes ? belongs : {name}_home"));
    }
    p.register(
        "older",
        1,
        "former_comes ? 1'b0 : other_comes ? former_held & ~former_goes : older & former_held & ~former_goes",
    );
    p.ghost("two", "none is older than itself", "~older | former != other");
    p.assert(
        "kept",
        "an entry is marked until it goes",
        "((marked >> former) & 1'b1) == former_held",
    );
    p.assert("a_marked_one", "the head is marked", "~head_valid | ((marked >> head) & 1'b1)");
    p.assert(
        "order",
        "nothing overtakes in a queue",
        "~(older & other_held & former_home == other_home) | ~(head_valid & head == other)",
    );

    // The state, in terms of the ghosts.
    let places: Vec<(usize, usize)> =
        (0..names.len()).flat_map(|queue| (0..entries).map(move |at| (queue, at))).collect();
    for (queue, name) in names.iter().enumerate() {
        p.inner(format!("state_{queue}"), format!("{name}.state.q"));
        p.wire(format!("length_{queue}"), 9, format!("state_{queue}[8 +: 9]"));
        for at in 0..32 {
            p.inner(format!("word_{queue}_{at}"), format!("{name}.words.memory[{at}]"));
        }
        for at in 0..entries {
            let place = format!("(state_{queue}[0 +: 5] + {at}) & 31");
            let words = (0..32).map(|word| format!("word_{queue}_{word}"));
            p.wire(format!("queued_{queue}_{at}"), 5, super::among(place, words));
        }
    }
    let used =
        |(queue, at): (usize, usize), claim: String| format!("length_{queue} <= {at} | ({claim})");
    let word = |(queue, at): (usize, usize)| format!("queued_{queue}_{at}");
    let lengths = (0..names.len()).map(|queue| format!("length_{queue}"));
    let marks = count((0..entries).map(|entry| format!("marked[{entry}]")));
    p.invariant(
        "lengths",
        "the queues hold the marked entries",
        format!("{} == {marks} & (marked >> {entries}) == 0", count(lengths)),
    );
    p.invariant(
        "queued",
        "and no other",
        all(places.iter().map(|place| {
            let word = word(*place);
            used(*place, format!("{word} < {entries} & ((marked >> {word}) & 1'b1)"))
        })),
    );
    let pairs = places.iter().enumerate().flat_map(|(at, place)| {
        places[..at].iter().map(|before| (*before, *place)).collect::<Vec<_>>()
    });
    let pairs: Vec<_> = pairs.collect();
    p.invariant(
        "one_queue",
        "an entry is in one queue, once",
        all(pairs.iter().map(|(before, place)| {
            used(*before, used(*place, format!("{} != {}", word(*before), word(*place))))
        })),
    );
    p.invariant(
        "at_home",
        "which is where it belongs",
        all(places.iter().flat_map(|place| {
            ["former", "other"].map(|name| {
                let elsewhere = format!("{} != {name} | {name}_home == {}", word(*place), place.0);
                used(*place, elsewhere)
            })
        })),
    );
    p.invariant("held", "the other one, too", "((marked >> other) & 1'b1) == other_held");
    p.invariant(
        "in_order",
        "older ones are nearer to the head",
        all(pairs.iter().filter(|(before, place)| before.0 == place.0).map(|(before, place)| {
            let turned = format!("{} != other | {} != former", word(*before), word(*place));
            used(*place, format!("~older | {turned}"))
        })),
    );
}
