//! The modules of the Kernel Management Unit, and the schedulers behind it.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, CLASO_2_0, EVEN, K20C};
use crate::gate::GateKind::{Claso, Dyncta};
use crate::kmu::{CdpScheduler, KernelAdmission, ManagementUnit, PendingPool, WorkQueues};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const SECTION: &str = "DTBL, sections 2.2 and 2.4";
    vec![
        entry(
            "kmu/work_queues",
            "which hardware work queues may be inspected",
            SECTION,
            configurations![
                Paper "q32" => WorkQueues::new(),
            ],
        ),
        entry(
            "kmu/pending_pool",
            "a pool of kernels that wait in memory",
            SECTION,
            configurations![
                Paper "w32" => PendingPool::new(),
            ],
        ),
        entry(
            "kmu/admission",
            "which kernel gets the next entry of the Kernel Distributor",
            SECTION,
            configurations![
                Paper "k32" => KernelAdmission::new(),
            ],
        ),
        entry(
            "kmu/management_unit",
            "the Kernel Management Unit",
            SECTION,
            configurations![
                Paper "k32" => ManagementUnit::new(),
            ],
        ),
        entry(
            "kmu/scheduler",
            "the whole of `rr --launch cdp`",
            SECTION,
            configurations![
                Small "n3" => CdpScheduler::new(3, K20C, &[]),
                Small "n2_claso" => CdpScheduler::new(2, K20C, &[Claso(CLASO_1_0)]),
                Small "n2_dyncta" => CdpScheduler::new(2, K20C, &[Dyncta { slots: 16, thresholds: EVEN, pauses: false }]),
                Small "n3_by_room" => CdpScheduler::by_room(3, K20C, &[]),
                Small "n2_by_room_claso" => CdpScheduler::by_room(2, K20C, &[Claso(CLASO_1_0)]),
                Paper "n13" => CdpScheduler::new(13, K20C, &[]),
                Paper "n13_claso" => CdpScheduler::new(13, K20C, &[Claso(CLASO_2_0)]),
                Wide "n33" => CdpScheduler::new(33, K20C, &[]),
                Wide "n65_claso" => CdpScheduler::new(65, K20C, &[Claso(CLASO_2_0)]),
                Wide "n132" => CdpScheduler::new(132, K20C, &[]),
            ],
        ),
    ]
}
