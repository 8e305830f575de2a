//! The modules of the example.

use super::{entry, Configuration, Entry, Size, C2050, CLASO_1_0, THROTTLE};
use crate::gate::GateKind::Claso;
use crate::oldest_first::{OldestFirstScheduler, Order};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            "oldest_first/order",
            "which SMX has waited longest",
            "",
            configurations![
                Small "n1" => Order::new(1),
                Small "n3" => Order::new(3),
                Paper "n15" => Order::new(15),
                Large "n65" => Order::new(65),
                Wide "n132" => Order::new(132),
            ],
        ),
        entry(
            "oldest_first/scheduler",
            "the whole of `oldest-first`",
            "",
            configurations![
                Small "n3" => OldestFirstScheduler::new(3, C2050, &[]),
                Small "n3_dyncta_claso" => OldestFirstScheduler::new(3, C2050, &[THROTTLE, Claso(CLASO_1_0)]),
                Paper "n15" => OldestFirstScheduler::new(15, C2050, &[]),
                Wide "n33" => OldestFirstScheduler::new(33, C2050, &[]),
                Wide "n132" => OldestFirstScheduler::new(132, C2050, &[]),
            ],
        ),
    ]
}
