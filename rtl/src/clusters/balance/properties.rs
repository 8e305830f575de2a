//! Whole or absent, and where most fits.

use super::super::whole::{members, whole};
use super::Balance;
use crate::property::{all, among, count, Properties};
use crate::word::id_bits;

/// See [`whole`].
pub fn of(balance: &Balance) -> Properties {
    let (smxs, bits) = (balance.smxs, id_bits(balance.smxs));
    let plan = &balance.plan;
    let mut p = Properties::of("CUDA C++ programming guide, thread block clusters");
    let gpcs = members(plan);
    let room = |gpc: &String| {
        let each =
            (0..smxs).map(|smx| format!("((ready & {gpc}) >> {smx}) & 1'b1 ? count${smx} : 0"));
        format!("{} >= size", count(each))
    };
    let suffices: Vec<String> = gpcs.iter().map(room).collect();
    whole(&mut p, plan, &suffices);
    for name in ["one", "other"] {
        p.chosen(name, bits);
        p.wire(format!("{name}_has"), 6, among(name, (0..smxs).map(|smx| format!("count${smx}"))));
    }
    p.assert(
        "most",
        "no SMX of the GPC has room for more",
        all(gpcs.iter().map(|gpc| {
            format!(
                "~(((ready & {gpc}) >> one) & 1'b1) | ~(((grant & {gpc}) >> other) & 1'b1) | one_has <= other_has"
            )
        })),
    );
    p.assert(
        "goes_on",
        "an open cluster goes on if any SMX of its GPC is ready",
        all(gpcs.iter().map(|gpc| format!("(served & {gpc}) == 0 | (ready & {gpc}) == 0 | goes"))),
    );
    p
}
