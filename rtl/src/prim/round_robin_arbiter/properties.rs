//! One grant, the nearest.

use super::RoundRobinArbiter;
use crate::property::Properties;

/// Of any two requesters that are not granted both, the nearer one goes first.
pub fn of(arbiter: &RoundRobinArbiter) -> Properties {
    let (count, bits) = (arbiter.request.val().len(), arbiter.first.val().bits());
    let mut p = Properties::default();
    p.chosen("one", bits);
    p.chosen("other", bits);
    p.wire("start", bits, format!("first < {count} ? first : 0"));
    p.wire("asks", 1, "request >> one");
    p.wire("granted", 1, "grant >> other");
    let distance = |of: &str| format!("{of} >= start ? {of} - start : {of} + {count} - start");
    p.wire("near", bits + 1, distance("one"));
    p.wire("far", bits + 1, distance("other"));
    p.assert("at_most_one", "nobody shares a grant", "(grant & (grant - 1'b1)) == 0");
    p.assert("a_requester", "who is granted has asked", "(grant & ~request) == 0");
    p.assert("someone", "where anybody asks, somebody is granted", "(|grant) == (|request)");
    p.assert("valid", "`valid` says so", "valid == (|grant)");
    p.assert(
        "index",
        "`index` is the number of the grant",
        "valid ? (grant >> index) == 1 : index == 0",
    );
    p.assert("nearest", "nobody nearer to the pointer asks", "~(asks & granted) | far <= near");
    p.cover("others_wait", "two ask", "(request & ~grant) != 0");
    p
}
