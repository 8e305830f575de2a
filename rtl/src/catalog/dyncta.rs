//! The modules of DYNCTA.

use super::{entry, Configuration, Entry, Size, C2050, CLASO_1_0, CLASO_2_0, DYNCTA, K20C};
use crate::dyncta::{
    Limit, RoundRobinDynctaClasoScheduler, RoundRobinDynctaScheduler, Thresholds, Throttle,
};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const SECTION: &str = "DYNCTA (PACT 2013), section 4";
    /// Thresholds that random counts of 12 bits fall on both sides of.
    const EVEN: Thresholds = Thresholds { idle: 3072, low: 1365, high: 2730 };
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
                Small "n1_s8" => Throttle::<1>::new(8, EVEN),
                Small "n4_s2" => Throttle::<4>::new(2, EVEN),
                Paper "n14_s8" => Throttle::<14>::new(8, DYNCTA),
                Large "n32_s63" => Throttle::<32>::new(63, EVEN),
            ],
        ),
        entry(
            "dyncta/scheduler",
            "rr+dyncta: DYNCTA over the baseline dispatcher",
            SECTION,
            configurations![
                Small "n1" => RoundRobinDynctaScheduler::<1>::new(C2050, EVEN),
                Small "n4" => RoundRobinDynctaScheduler::<4>::new(C2050, EVEN),
                Paper "n14" => RoundRobinDynctaScheduler::<14>::new(C2050, DYNCTA),
                Large "n30" => RoundRobinDynctaScheduler::<30>::new(K20C, EVEN),
                Large "n32" => RoundRobinDynctaScheduler::<32>::new(K20C, EVEN),
            ],
        ),
        entry(
            "dyncta/claso_scheduler",
            "rr+dyncta+claso: both gates over the baseline dispatcher",
            "DYNCTA (PACT 2013), section 4; CLASO, section 4",
            configurations![
                Small "n1" => RoundRobinDynctaClasoScheduler::<1>::new(C2050, EVEN, CLASO_1_0),
                Small "n4" => RoundRobinDynctaClasoScheduler::<4>::new(C2050, EVEN, CLASO_1_0),
                Paper "n14" => RoundRobinDynctaClasoScheduler::<14>::new(C2050, DYNCTA, CLASO_1_0),
                Large "n30" => RoundRobinDynctaClasoScheduler::<30>::new(K20C, EVEN, CLASO_2_0),
            ],
        ),
    ]
}
