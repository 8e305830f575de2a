//! Those with most, and all of them.

use super::Most;
use crate::property::{among, Properties};
use crate::word::id_bits;

/// Any two SMXs that ask.
pub fn of(most: &Most) -> Properties {
    let (smxs, bits) = (most.smxs, id_bits(most.smxs));
    let mut p = Properties::default();
    for name in ["one", "other"] {
        p.chosen(name, bits);
        p.wire(format!("{name}_asks"), 1, format!("request >> {name}"));
        p.wire(format!("{name}_has"), 6, among(name, (0..smxs).map(|smx| format!("count${smx}"))));
        p.wire(format!("{name}_leads"), 1, format!("most >> {name}"));
    }
    p.assert("a_requester", "who has most asks", "(most & ~request) == 0");
    p.assert("someone", "where any asks, some have most", "(|most) == (|request)");
    p.assert(
        "largest",
        "nobody who asks has more",
        "~(one_asks & other_leads) | one_has <= other_has",
    );
    p.assert(
        "all_of_them",
        "who asks and has as much is among them",
        "~(one_asks & other_leads & one_has == other_has) | one_leads",
    );
    p.cover("several", "two have most", "one != other & one_leads & other_leads");
    p
}
