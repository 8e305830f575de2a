//! The modules of the dispatcher.

use super::{
    entry, Configuration, Entry, Size, C2050, CLASO_1_0, CLASO_2_0, DYNCTA, EVEN, K20C, PAUSING,
};
use crate::dispatch::{
    BlockAhead, BlockSequence, Dispatcher, DoubledStride, FcfsControl, KernelEntries, KernelTable, LastFinisher,
    NextBlock, ResourceTable, RoundRobin, RoundRobinScheduler, SmxResources,
};
use crate::dyncta::Thresholds;
use crate::gate::GateKind::{self, Claso};
use crate::port::Limits;

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const SECTION: &str = "DTBL, sections 2.2, 2.3, 4.2";
    vec![
        entry(
            "dispatch/fcfs_control",
            "first-come first-served queue and marking bits",
            SECTION,
            configurations![
                Paper "k32" => FcfsControl::new(),
                Paper "k32_levels6" => FcfsControl::with_levels(6),
            ],
        ),
        entry(
            "dispatch/next_block",
            "the block behind another one in a grid",
            SECTION,
            configurations![Paper "any" => NextBlock::new()],
        ),
        entry(
            "dispatch/doubled_stride",
            "from a block of a grid to one twice as far on",
            SECTION,
            configurations![Paper "any" => DoubledStride::new()],
        ),
        entry(
            "dispatch/block_ahead",
            "a block some places behind another one in a grid",
            SECTION,
            configurations![Paper "any" => BlockAhead::new()],
        ),
        entry(
            "dispatch/block_sequence",
            "the next blocks of a grid",
            SECTION,
            configurations![
                Small "m1" => BlockSequence::new(1),
                Small "m4" => BlockSequence::new(4),
                Paper "m15" => BlockSequence::new(15),
                Large "m32" => BlockSequence::new(32),
                Large "m132" => BlockSequence::new(132),
            ],
        ),
        entry(
            "dispatch/kernel_entries",
            "what the Kernel Distributor stores",
            SECTION,
            configurations![
                Small "n2" => KernelEntries::new(2),
                Paper "n13" => KernelEntries::new(13),
                Large "n32" => KernelEntries::new(32),
                Wide "n132" => KernelEntries::new(132),
            ],
        ),
        entry(
            "dispatch/kernel_table",
            "the Kernel Distributor's 32 entries",
            SECTION,
            configurations![
                Small "n2" => KernelTable::new(2),
                Paper "n13" => KernelTable::new(13),
                Large "n30" => KernelTable::new(30),
            ],
        ),
        entry(
            "dispatch/smx_resources",
            "what one SMX has in use",
            SECTION,
            configurations![
                Paper "k20c" => SmxResources::new(K20C),
            ],
        ),
        entry(
            "dispatch/resource_table",
            "what each SMX has in use",
            SECTION,
            configurations![
                Small "n1" => ResourceTable::new(1, C2050),
                Paper "n13" => ResourceTable::new(13, K20C),
                Large "n30" => ResourceTable::new(30, K20C),
                Large "n132" => ResourceTable::new(132, K20C),
            ],
        ),
        entry(
            "dispatch/round_robin",
            "round robin over the SMXs",
            "LaPerm, section II-B",
            configurations![
                Small "n1" => RoundRobin::new(1),
                Small "n3" => RoundRobin::new(3),
                Paper "n13" => RoundRobin::new(13),
                Large "n32" => RoundRobin::new(32),
                Large "n33" => RoundRobin::new(33),
                Large "n132" => RoundRobin::new(132),
            ],
        ),
        entry(
            "dispatch/dispatcher",
            "the baseline dispatcher with a gate port",
            SECTION,
            configurations![
                Small "n2" => Dispatcher::new(2, C2050),
                Paper "n13" => Dispatcher::new(13, K20C),
            ],
        ),
        entry(
            "dispatch/last_finisher",
            "the SMX behind the one that finished last",
            "IKRA, sections 2.2 and 4.1",
            configurations![
                Small "n1" => LastFinisher::new(1),
                Small "n3" => LastFinisher::new(3),
                Paper "n15" => LastFinisher::new(15),
                Large "n132" => LastFinisher::new(132),
            ],
        ),
        entry(
            "dispatch/scheduler",
            "the whole of `rr` and `rr(start=last-finished)` with their gates",
            "DTBL, sections 2.2, 2.3, 4.2; IKRA, section 2.2; CLASO, section 3; DYNCTA (PACT 2013), section 4",
            configurations![
                Small "n1" => RoundRobinScheduler::new(1, C2050, false, &[]),
                Small "n4" => RoundRobinScheduler::new(4, C2050, false, &[]),
                Small "n3_restarting" => RoundRobinScheduler::new(3, C2050, true, &[]),
                Small "n4_claso" => RoundRobinScheduler::new(4, C2050, false, &[Claso(CLASO_1_0)]),
                Small "n1_dyncta" => RoundRobinScheduler::new(1, C2050, false, &[dyncta(C2050, EVEN)]),
                Small "n4_dyncta" => RoundRobinScheduler::new(4, C2050, false, &[dyncta(C2050, EVEN)]),
                Small "n4_pausing" => RoundRobinScheduler::new(4, C2050, false, &[PAUSING]),
                Small "n4_dyncta_claso" => RoundRobinScheduler::new(4, C2050, false, &[dyncta(C2050, EVEN), Claso(CLASO_1_0)]),
                Paper "n13" => RoundRobinScheduler::new(13, K20C, false, &[]),
                Paper "n15_restarting" => RoundRobinScheduler::new(15, C2050, true, &[]),
                Paper "n14_claso" => RoundRobinScheduler::new(14, C2050, false, &[Claso(CLASO_1_0)]),
                Paper "n14_dyncta" => RoundRobinScheduler::new(14, C2050, false, &[dyncta(C2050, DYNCTA)]),
                Paper "n14_dyncta_claso" => RoundRobinScheduler::new(14, C2050, false, &[dyncta(C2050, DYNCTA), Claso(CLASO_1_0)]),
                Paper "n14_pausing_claso" => RoundRobinScheduler::new(14, C2050, false, &[GateKind::Dyncta { slots: C2050.slots, thresholds: DYNCTA, pauses: true }, Claso(CLASO_1_0)]),
                Large "n30" => RoundRobinScheduler::new(30, K20C, false, &[]),
                Large "n30_claso" => RoundRobinScheduler::new(30, K20C, false, &[Claso(CLASO_2_0)]),
                Large "n30_dyncta_claso" => RoundRobinScheduler::new(30, K20C, false, &[dyncta(K20C, EVEN), Claso(CLASO_2_0)]),
                Large "n33" => RoundRobinScheduler::new(33, K20C, false, &[]),
                Large "n65_claso" => RoundRobinScheduler::new(65, K20C, false, &[Claso(CLASO_1_0)]),
                Wide "n132" => RoundRobinScheduler::new(132, K20C, false, &[]),
                Wide "n132_claso" => RoundRobinScheduler::new(132, K20C, false, &[Claso(CLASO_1_0)]),
            ],
        ),
    ]
}

const fn dyncta(limits: Limits, thresholds: Thresholds) -> GateKind {
    GateKind::Dyncta { slots: limits.slots, thresholds, pauses: false }
}
