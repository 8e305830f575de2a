//! None of the others is larger than the largest.

use super::Reserve;
use crate::property::{all, among, Properties};

/// Where the needs begin, and how wide they are: threads, registers, shared memory.
const NEEDS: [(usize, usize); 3] = [(0, 12), (12, 17), (29, 17)];

/// Any one of the others.
pub fn of(_: &Reserve) -> Properties {
    let mut p = Properties::of("SRTF, section 5.2.2");
    p.chosen("which", 3);
    p.wire("its_needs", 46, among("which", (0..8).map(|at| format!("needs${at}"))));
    p.wire("is_other", 1, "others >> which");
    let not_less = NEEDS
        .map(|(from, bits)| format!("largest[{from} +: {bits}] >= its_needs[{from} +: {bits}]"));
    p.assert("most", "none of the others needs more", format!("~is_other | {}", all(not_less)));
    p.cover(
        "less",
        "one of the others needs less",
        "is_other & largest[0 +: 12] > its_needs[0 +: 12]",
    );
    p
}
