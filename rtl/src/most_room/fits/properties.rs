//! The least of what fits.

use super::Fits;
use crate::property::{any, Properties};

/// What fits, of slots and of each resource.
const WHAT: [&str; 4] =
    ["slots_fit", "threads$quotient", "registers$quotient", "shared_memory$quotient"];

/// The count is one of them, and none is less.
pub fn of(_: &Fits) -> Properties {
    let mut p = Properties::default();
    p.wire("slots_fit", 6, "slots[5:0]");
    for (name, what) in ["slots", "threads", "registers", "shared_memory"].iter().zip(WHAT) {
        p.assert(
            format!("within_{name}"),
            "no more blocks fit than there is of this",
            format!("count <= {what}"),
        );
    }
    let one = WHAT.map(|what| format!("count == {what}"));
    p.assert("as_many", "as many fit as there is of some of it", any(one));
    p.cover(
        "least",
        "registers are what is least",
        "count == registers$quotient & count < slots_fit",
    );
    p
}
