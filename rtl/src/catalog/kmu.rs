//! The modules of the Kernel Management Unit, and the schedulers behind it.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, CLASO_2_0, K20C};
use crate::kmu::{
    CdpClasoScheduler, CdpScheduler, KernelAdmission, ManagementUnit, PendingPool, WorkQueues,
};

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
                Small "n3" => CdpScheduler::<3>::new(K20C),
                Paper "n13" => CdpScheduler::<13>::new(K20C),
            ],
        ),
        entry(
            "kmu/claso_scheduler",
            "the whole of `rr+claso --launch cdp`",
            SECTION,
            configurations![
                Small "n2_pa1_pl0" => CdpClasoScheduler::<2>::new(K20C, CLASO_1_0),
                Paper "n13_pa2_pl0" => CdpClasoScheduler::<13>::new(K20C, CLASO_2_0),
            ],
        ),
    ]
}
