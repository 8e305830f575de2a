//! Whole or absent, and an SMX for each block.

use super::super::whole::{members, whole};
use super::Spread;
use crate::property::{all, bit, count, Properties};

/// See [`whole`].
pub fn of(spread: &Spread) -> Properties {
    let smxs = spread.ready.val().len();
    let plan = &spread.plan;
    let mut p = Properties::of("CUDA C++ programming guide, thread block clusters");
    let bits = |of: &str, gpc: &str| {
        count((0..smxs).map(|smx| format!("(({of} & {gpc}) >> {smx}) & 1'b1")))
    };
    let gpcs = members(plan);
    let suffices: Vec<String> =
        gpcs.iter().map(|gpc| format!("{} >= size", bits("ready", gpc))).collect();
    whole(&mut p, plan, &suffices);
    p.inner("members", "waiting.q");
    p.assert("own_smx", "each block of a cluster has an SMX of its own", "(grant & served) == 0");
    p.assert(
        "vacant_first",
        "a cluster opens on vacant SMXs if they are enough",
        all(gpcs.iter().map(|gpc| {
            let enough = format!("{} >= size", bits("ready & vacant", gpc));
            format!("placed != 0 | (grant & {gpc}) == 0 | ~({enough}) | (grant & ~vacant) == 0")
        })),
    );
    p.assert(
        "goes_on",
        "an open cluster goes on if all other SMXs of its GPC are ready",
        all(gpcs.iter().map(|gpc| {
            format!("placed == 0 | (served & {gpc}) == 0 | ({gpc} & ~served & ~ready) != 0 | ready == 0 | goes")
        })),
    );
    p.invariant("unserved", "members that wait are not served", "(members & served) == 0");
    p.invariant("none_open", "none wait without an open cluster", "placed != 0 | members == 0");
    p.invariant(
        "of_home",
        "members are of the cluster's GPC",
        all(gpcs.iter().map(|gpc| format!("(served & {gpc}) == 0 | (members & ~{gpc}) == 0"))),
    );
    let waiting = count((0..smxs).map(|smx| bit("members", smx, smxs)));
    p.invariant(
        "enough",
        "there is a member for each block that is left",
        format!("placed == 0 | {waiting} + placed >= wanted"),
    );
    p
}
