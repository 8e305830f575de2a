//! What either policy promises: a cluster is whole or absent, and on one GPC.

use super::plan::smxs;
use crate::mask::Mask;
use crate::prim::ranges;
use crate::property::{all, Properties};

/// The SMXs of each GPC of `plan`, in Verilog.
pub(super) fn members(plan: &[usize]) -> Vec<String> {
    let word = |range: std::ops::Range<usize>| {
        let mask = Mask::gather(smxs(plan), |smx| range.contains(&smx));
        let bits = (0..mask.len()).rev().map(|smx| if mask.get_bit(smx) { '1' } else { '0' });
        format!("{}'b{}", mask.len(), bits.collect::<String>())
    };
    ranges(plan).map(word).collect()
}

/// `placed` blocks of the open cluster of `wanted` have gone to `served`; `suffices` says of each
/// GPC whether it has room for a cluster.
pub(super) fn whole(p: &mut Properties, plan: &[usize], suffices: &[String]) {
    let (smxs, gpcs) = (smxs(plan), members(plan));
    p.wire("goes", 1, "|grant");
    p.register("placed", 5, "goes ? closes ? 0 : placed + 1 : placed");
    p.register("wanted", 5, "goes & placed == 0 ? size : wanted");
    p.register("served", smxs, "goes ? closes ? 0 : served | grant : served");
    p.assume("sizes", "a cluster has 1 to 16 blocks", "~(|ready) | size >= 1 & size <= 16");
    p.assume(
        "stays",
        "while a cluster is open its blocks are those that are asked for",
        "~(|ready) | (placed == 0 | size == wanted) & closes == (placed + 1 == size)",
    );
    p.assert("at_most_one", "one SMX receives a block", "(grant & (grant - 1'b1)) == 0");
    p.assert("a_requester", "it has room for it", "(grant & ~ready) == 0");
    p.assert(
        "one_gpc",
        "until it closes, a cluster's blocks go to one GPC",
        all(gpcs.iter().map(|gpc| format!("(served & {gpc}) == 0 | (grant & ~{gpc}) == 0"))),
    );
    p.assert(
        "whole",
        "a cluster opens on a GPC that has room for all of it",
        all(gpcs
            .iter()
            .zip(suffices)
            .map(|(gpc, suffices)| format!("placed != 0 | (grant & {gpc}) == 0 | ({suffices})"))),
    );
    p.assert(
        "opens",
        "and it does where one has",
        format!(
            "placed != 0 | ready == 0 | goes | ~({})",
            crate::property::any(suffices.iter().cloned())
        ),
    );
    p.inner("open_gpc", "home.home.q");
    p.invariant(
        "home",
        "the GPC of the open cluster is known, and no other",
        all(gpcs.iter().enumerate().map(|(at, gpc)| {
            let open = crate::property::bit("open_gpc", at, gpcs.len());
            format!("{open} == ((served & {gpc}) != 0)")
        })),
    );
    p.invariant("one_home", "one GPC has an open cluster", "(open_gpc & (open_gpc - 1'b1)) == 0");
    p.ghost("open", "one is open that has gone in part", "(placed == 0) == (served == 0)");
    p.invariant("few", "it is not complete", "placed == 0 | placed < wanted & wanted <= 16");
    p.cover("waits", "an open cluster waits", "placed != 0 & ~goes & ready != 0");
}
