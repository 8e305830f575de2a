//! One grant, and nobody starves.

use super::RoundRobin;
use crate::property::Properties;

/// Any SMX that asks all the time is passed by less than once for each other SMX.
pub fn of(placement: &RoundRobin) -> Properties {
    let smxs = placement.request.val().len();
    let bits = placement.first.val().bits();
    let mut p = Properties::of("LaPerm, section II-B");
    p.assume(
        "restart_smx",
        "a restart names an SMX",
        format!("~restart[0] | restart[1 +: {bits}] < {smxs}"),
    );
    p.chosen("watched", bits);
    p.wire("asks", 1, "request >> watched");
    p.wire("gets", 1, "grant >> watched");
    p.wire(
        "distance",
        bits + 1,
        format!("watched >= first ? watched - first : watched + {smxs} - first"),
    );
    p.register("passed", bits + 1, "~asks | gets | restart[0] ? 0 : passed + (|grant)");
    p.assert("at_most_one", "one SMX receives a block", "(grant & (grant - 1'b1)) == 0");
    p.assert("a_requester", "it has room for it", "(grant & ~request) == 0");
    p.assert("someone", "where any SMX asks, one is granted", "(|grant) == (|request)");
    p.assert(
        "no_starvation",
        "who asks is granted within as many grants as there are SMXs, but for a restart",
        format!("watched >= {smxs} | passed < {smxs}"),
    );
    p.invariant("pointer", "the pointer is an SMX", format!("first < {smxs}"));
    p.invariant(
        "approach",
        "with each grant to another SMX the pointer comes nearer",
        format!("watched >= {smxs} | passed == 0 | passed + distance <= {}", smxs - 1),
    );
    p.cover("passes", "an SMX waits", "asks & ~gets");
    p
}
