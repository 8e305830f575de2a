//! The modules of CLASO.

use super::{entry, Configuration, Entry, Size, C2050, CLASO_1_0, CLASO_2_0, K20C};
use crate::claso::{Allocator, Consumer, Gate, GlobalCredits, Levels, RoundRobinClasoScheduler};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const SECTION: &str = "CLASO, section 3 and Algorithm 1";
    vec![
        entry(
            "claso/allocator",
            "credits that a kernel gets",
            SECTION,
            configurations![
                Small "n4_pa1_pl0" => Allocator::new(4, CLASO_1_0),
                Paper "n14_pa1_pl0" => Allocator::new(14, CLASO_1_0),
                Paper "n14_pa2_pl0" => Allocator::new(14, CLASO_2_0),
                Large "n30_pa4_pl2" => Allocator::new(30, Levels { active: 4, loose: 2 }),
            ],
        ),
        entry(
            "claso/consumer",
            "local credits of one core",
            SECTION,
            configurations![
                Paper "pa1_pl0" => Consumer::new(CLASO_1_0),
                Large "pa4_pl2" => Consumer::new(Levels { active: 4, loose: 2 }),
            ],
        ),
        entry(
            "claso/global_credits",
            "credits that the cores share",
            SECTION,
            configurations![
                Paper "k32" => GlobalCredits::new(),
            ],
        ),
        entry(
            "claso/gate",
            "admission gate over a dispatcher",
            SECTION,
            configurations![
                Small "n1_pa1_pl0" => Gate::<1>::new(CLASO_1_0),
                Small "n4_pa1_pl0" => Gate::<4>::new(CLASO_1_0),
                Paper "n14_pa1_pl0" => Gate::<14>::new(CLASO_1_0),
                Large "n30_pa2_pl0" => Gate::<30>::new(CLASO_2_0),
            ],
        ),
        entry(
            "claso/scheduler",
            "rr+claso: CLASO over the baseline dispatcher",
            SECTION,
            configurations![
                Small "n4_pa1_pl0" => RoundRobinClasoScheduler::<4>::new(C2050, CLASO_1_0),
                Paper "n14_pa1_pl0" => RoundRobinClasoScheduler::<14>::new(C2050, CLASO_1_0),
                Large "n30_pa2_pl0" => RoundRobinClasoScheduler::<30>::new(K20C, CLASO_2_0),
            ],
        ),
    ]
}
