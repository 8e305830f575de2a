//! The modules of DYNCTA.

use super::{entry, Configuration, Entry, Size, DYNCTA, EVEN};
use crate::dyncta::{Limit, Throttle};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const SECTION: &str = "DYNCTA (PACT 2013), section 4";
    vec![
        entry(
            "dyncta/limit",
            "how many blocks one SMX may hold",
            SECTION,
            configurations![
                Small "s1" => Limit::new(1, EVEN),
                Small "s4" => Limit::new(4, EVEN),
                Paper "s8" => Limit::new(8, DYNCTA),
                Large "s63" => Limit::new(63, EVEN),
            ],
        ),
        entry(
            "dyncta/throttle",
            "admission gate over a dispatcher",
            SECTION,
            configurations![
                Small "n1_s8" => Throttle::new(1, 8, EVEN),
                Small "n4_s2" => Throttle::new(4, 2, EVEN),
                Small "n3_s8_pausing" => Throttle::pausing(3, 8, EVEN),
                Paper "n14_s8_pausing" => Throttle::pausing(14, 8, DYNCTA),
                Paper "n14_s8" => Throttle::new(14, 8, DYNCTA),
                Large "n32_s63" => Throttle::new(32, 63, EVEN),
                Large "n132_s32" => Throttle::new(132, 32, EVEN),
            ],
        ),
    ]
}
