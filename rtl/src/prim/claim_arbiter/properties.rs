//! Each thing to one claimant.

use super::ClaimArbiter;
use crate::prim::verilog::bit;
use crate::property::Properties;

/// Of any thing: who claims it, and who gets it.
pub fn of(arbiter: &ClaimArbiter) -> Properties {
    let (count, bits) = (arbiter.target.len(), arbiter.target[0].val().bits());
    let mut p = Properties::default();
    p.chosen("thing", bits);
    let claims = (0..count)
        .rev()
        .map(|claimant| format!("claims{} & target${claimant} == thing", bit(count, claimant)));
    p.wire("claimers", count, format!("{{{}}}", claims.collect::<Vec<_>>().join(", ")));
    p.wire("there", 1, format!("thing < {count} & (open >> thing)"));
    p.wire("given", 1, "taken >> thing");
    p.wire("lowest", count, "claimers & (~claimers + 1'b1)");
    p.assert(
        "the_lowest",
        "of those who claim an open thing the lowest gets it, and nobody else",
        "(grant & claimers) == ({LAST{there}} & lowest)".replace("LAST", &count.to_string()),
    );
    p.assert(
        "refused",
        "who claims what is not open is refused",
        "(refuse & claimers) == ({LAST{~there}} & claimers)".replace("LAST", &count.to_string()),
    );
    p.assert("taken", "a thing is taken when somebody gets it", "given == (there & (|claimers))");
    p.assert("a_claimant", "who claims nothing gets nothing", "((grant | refuse) & ~claims) == 0");
    p.cover("contested", "two claim one open thing", "there & (claimers & ~lowest) != 0");
    p
}
