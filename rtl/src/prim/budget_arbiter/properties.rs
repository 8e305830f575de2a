//! As many grants as the budget allows, the nearest.

use super::BudgetArbiter;
use crate::prim::verilog::bit;
use crate::property::{count, Properties};

/// How many, and of any two requesters which one.
pub fn of(arbiter: &BudgetArbiter) -> Properties {
    let (requesters, bits) = (arbiter.request.val().len(), arbiter.first.val().bits());
    let of = |mask: &str| count((0..requesters).map(|at| format!("{mask}{}", bit(requesters, at))));
    let mut p = Properties::default();
    p.chosen("one", bits);
    p.chosen("other", bits);
    p.wire("pointer", bits, format!("first < {requesters} ? first : 0"));
    p.wire("waits", 1, "(request & ~grant) >> one");
    p.wire("granted", 1, "grant >> other");
    let distance =
        |of: &str| format!("{of} >= pointer ? {of} - pointer : {of} + {requesters} - pointer");
    p.wire("near", bits + 1, distance("one"));
    p.wire("far", bits + 1, distance("other"));
    p.wire("asking", 32, of("request"));
    p.wire("granting", 32, of("grant"));
    p.assert("a_requester", "who is granted has asked", "(grant & ~request) == 0");
    p.assert(
        "as_many",
        "all who ask, or as many as the budget allows",
        "granting == (asking < budget ? asking : budget)",
    );
    p.assert(
        "nearest",
        "who waits is farther from the pointer",
        "~(waits & granted) | far <= near",
    );
    p.cover("some_wait", "some are granted and others wait", "(|grant) & grant != request");
    p
}
