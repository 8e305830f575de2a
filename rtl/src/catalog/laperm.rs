//! The modules of LaPerm.

use super::{entry, Configuration, Entry, Size, CLASO_2_0, EVEN, K20C};
use crate::gate::GateKind::{Claso, Dyncta};
use crate::laperm::{
    BoundManagementUnit, BoundPools, Division, LinkedBank, LinkedQueue, LinkedScheduler, Placement,
    PriorityScheduler, Selection, Selector, ShiftingBank, ShiftingQueue, ShiftingScheduler,
};

const fn division(cluster: usize, levels: u64) -> Division {
    Division { cluster, levels }
}

const ADAPTIVE: Selection = Selection { adaptive: true, gated: false };
const GATED: Selection = Selection { adaptive: true, gated: true };
const PLAIN: Selection = Selection { adaptive: false, gated: false };

const fn scheduler(
    cluster: usize,
    levels: u64,
    entries: usize,
    adaptive: bool,
) -> PriorityScheduler {
    PriorityScheduler { division: division(cluster, levels), entries, adaptive }
}

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    let mut entries = parts();
    entries.extend(schedulers());
    entries
}

fn parts() -> Vec<Entry> {
    const QUEUES: &str = "LaPerm, sections IV-A and IV-E";
    vec![
        entry(
            "laperm/linked_queue",
            "a priority queue that inserts in one cycle",
            QUEUES,
            configurations![
                Small "e1_l1" => LinkedQueue::new(1, 1),
                Small "e4_l3" => LinkedQueue::new(4, 3),
                Paper "e128_l4" => LinkedQueue::new(128, 4),
                Large "e256_l8" => LinkedQueue::new(256, 8),
            ],
        ),
        entry(
            "laperm/shifting_queue",
            "a priority queue that moves what is behind a new unit",
            QUEUES,
            configurations![
                Small "e1_l1" => ShiftingQueue::new(1, 1),
                Small "e4_l3" => ShiftingQueue::new(4, 3),
                Paper "e128_l4" => ShiftingQueue::new(128, 4),
                Large "e256_l8" => ShiftingQueue::new(256, 8),
            ],
        ),
        entry(
            "laperm/linked_bank",
            "the priority queues of a GPU, linked",
            QUEUES,
            configurations![
                Small "c2_e2_l2" => LinkedBank::new(2, 2, 2, 2),
                Paper "c13_e128_l4" => LinkedBank::new(13, 13, 128, 4),
                Wide "c33_e2_l2" => LinkedBank::new(33, 33, 2, 2),
                Wide "c132_e2_l4" => LinkedBank::new(132, 132, 2, 4),
            ],
        ),
        entry(
            "laperm/shifting_bank",
            "the priority queues of a GPU, shifting",
            QUEUES,
            configurations![
                Small "c2_e2_l2" => ShiftingBank::new(2, 2, 2, 2),
                Paper "c13_e128_l4" => ShiftingBank::new(13, 13, 128, 4),
                Wide "c33_e2_l2" => ShiftingBank::new(33, 33, 2, 2),
                Wide "c132_e2_l4" => ShiftingBank::new(132, 132, 2, 4),
            ],
        ),
        entry(
            "laperm/bound_pools",
            "device kernels that wait in memory, by SMX and level",
            "LaPerm, sections IV-C and IV-E",
            configurations![
                Small "c1_l1" => BoundPools::new(1, 1, 1),
                Small "c3_l2" => BoundPools::new(3, 3, 2),
                Paper "c13_l4" => BoundPools::new(13, 13, 4),
                Wide "c33_l4" => BoundPools::new(33, 33, 4),
                Wide "c132_l4" => BoundPools::new(132, 132, 4),
            ],
        ),
        entry(
            "laperm/management_unit",
            "the Kernel Management Unit with bound pools",
            "LaPerm, section IV-C",
            configurations![
                Small "c2_l2" => BoundManagementUnit::new(2, 2, 2),
                Paper "c13_l4" => BoundManagementUnit::new(13, 13, 4),
                Wide "c33_l4" => BoundManagementUnit::new(33, 33, 4),
                Wide "c132_l4" => BoundManagementUnit::new(132, 132, 4),
            ],
        ),
        entry(
            "laperm/placement",
            "queue and level of what a block launches",
            "LaPerm, sections IV-A and IV-B",
            configurations![
                Small "n1_l1" => Placement::new(1, division(1, 1)),
                Small "n3_cluster2_l2" => Placement::new(3, division(2, 2)),
                Paper "n13_l4" => Placement::new(13, division(1, 4)),
                Wide "n33_l4" => Placement::new(33, division(1, 4)),
                Wide "n132_cluster2_l4" => Placement::new(132, division(2, 4)),
            ],
        ),
        entry(
            "laperm/selector",
            "one SMX a cycle, three stages",
            "LaPerm, section IV-C and figure 6",
            configurations![
                Small "n1_c1" => Selector::new(1, 1, division(1, 1), PLAIN),
                Small "n3_c2" => Selector::new(3, 2, division(2, 1), GATED),
                Small "n4_c4" => Selector::new(4, 4, division(1, 4), ADAPTIVE),
                Paper "n13_c13" => Selector::new(13, 13, division(1, 4), ADAPTIVE),
                Large "n16_c16" => Selector::new(16, 16, division(1, 4), ADAPTIVE),
                Wide "n33_c33" => Selector::new(33, 33, division(1, 4), ADAPTIVE),
                Wide "n132_c132" => Selector::new(132, 132, division(1, 4), ADAPTIVE),
            ],
        ),
    ]
}

fn schedulers() -> Vec<Entry> {
    const SECTION: &str = "LaPerm, section IV";
    vec![
        entry(
            "laperm/linked_scheduler",
            "the whole of `laperm/...`, linked queues",
            SECTION,
            configurations![
                Small "n1_c1_e1_l1" => LinkedScheduler::new(1, K20C, scheduler(1, 1, 1, false), &[]),
                Small "n3_c2_e2_l2" => LinkedScheduler::new(3, K20C, scheduler(2, 2, 2, true), &[]),
                Small "n2_c2_e2_l2_dyncta_claso" => LinkedScheduler::new(2, K20C, scheduler(1, 2, 2, true), &[Dyncta { slots: 16, thresholds: EVEN, pauses: false }, Claso(CLASO_2_0)]),
                Small "n2_c2_e2_l2_claso" => LinkedScheduler::new(2, K20C, scheduler(1, 2, 2, true), &[Claso(CLASO_2_0)]),
                Paper "n13_c13_e128_l4" => LinkedScheduler::new(13, K20C, scheduler(1, 4, 128, true), &[]),
                Paper "n13_c1_e2048_l4" => LinkedScheduler::new(13, K20C, scheduler(13, 4, 2048, false), &[]),
                Wide "n33_c33_e2_l2" => LinkedScheduler::new(33, K20C, scheduler(1, 2, 2, true), &[]),
                Wide "n65_c33_e128_l4_claso" => LinkedScheduler::new(65, K20C, scheduler(2, 4, 128, true), &[Claso(CLASO_2_0)]),
                Wide "n132_c132_e128_l4" => LinkedScheduler::new(132, K20C, scheduler(1, 4, 128, true), &[]),
            ],
        ),
        entry(
            "laperm/shifting_scheduler",
            "the whole of `laperm/...`, shifting queues",
            SECTION,
            configurations![
                Small "n2_c2_e2_l2" => ShiftingScheduler::new(2, K20C, scheduler(1, 2, 2, true), &[]),
                Small "n2_c2_e2_l2_claso" => ShiftingScheduler::new(2, K20C, scheduler(1, 2, 2, true), &[Claso(CLASO_2_0)]),
                Paper "n13_c13_e128_l4" => ShiftingScheduler::new(13, K20C, scheduler(1, 4, 128, true), &[]),
                Wide "n33_c33_e2_l2" => ShiftingScheduler::new(33, K20C, scheduler(1, 2, 2, true), &[]),
                Wide "n132_c132_e128_l4" => ShiftingScheduler::new(132, K20C, scheduler(1, 4, 128, true), &[]),
            ],
        ),
    ]
}
