//! The modules of CLASO.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, CLASO_2_0};
use crate::claso::{Allocator, Consumer, Gate, GlobalCredits, Levels};

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
                Large "n132_pa1_pl0" => Allocator::new(132, CLASO_1_0),
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
                Paper "k32" => GlobalCredits::new(4),
            ],
        ),
        entry(
            "claso/gate",
            "admission gate over a dispatcher",
            SECTION,
            configurations![
                Small "n1_pa1_pl0" => Gate::new(1, CLASO_1_0),
                Small "n4_pa1_pl0" => Gate::new(4, CLASO_1_0),
                Paper "n14_pa1_pl0" => Gate::new(14, CLASO_1_0),
                Large "n30_pa2_pl0" => Gate::new(30, CLASO_2_0),
                Large "n132_pa1_pl0" => Gate::new(132, CLASO_1_0),
            ],
        ),
    ]
}
