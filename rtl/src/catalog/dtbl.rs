//! The modules of DTBL.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, CLASO_2_0, EVEN, K20C};
use crate::dtbl::{
    BlockControl, Coalescer, DtblScheduler, EndedBlocks, GroupDispatcher, GroupFcfsControl, GroupFetch,
    GroupLists, GroupSequence, GroupTable, HeldGroups, RingCounts, SlotControl,
};
use crate::gate::GateKind::{Claso, Dyncta};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const SECTION: &str = "DTBL, section 4.2";
    vec![
        entry(
            "dtbl/fcfs_control",
            "first-come first-served queue, marking bits, first bits",
            SECTION,
            configurations![
                Paper "k32" => GroupFcfsControl::new(),
            ],
        ),
        entry(
            "dtbl/coalescer",
            "search for the kernel that groups are coalesced to",
            "DTBL, sections 4.2 and 4.3",
            configurations![
                Paper "k32" => Coalescer::new(),
            ],
        ),
        entry(
            "dtbl/group_table",
            "the Aggregated Group Table",
            "DTBL, sections 4.2, 4.3, 5.2 D",
            configurations![
                Small "size1" => GroupTable::new(1),
                Small "size8" => GroupTable::new(8),
                Small "size512" => GroupTable::new(512),
                Paper "size1024" => GroupTable::new(1024),
                Large "size2048" => GroupTable::new(2048),
            ],
        ),
        entry(
            "dtbl/ended_blocks",
            "blocks of groups that wait to be counted",
            "DTBL, section 4.2",
            configurations![
                Small "n1_slots1" => EndedBlocks::new(1, 1),
                Small "n3_slots5" => EndedBlocks::new(3, 5),
                Paper "n13_slots16" => EndedBlocks::new(13, 16),
                Wide "n33_slots32" => EndedBlocks::new(33, 32),
                Wide "n132_slots16" => EndedBlocks::new(132, 16),
            ],
        ),
        entry(
            "dtbl/group_lists",
            "NAGEI and LAGEI of each kernel",
            SECTION,
            configurations![
                Paper "k32" => GroupLists::new(),
            ],
        ),
        entry(
            "dtbl/group_sequence",
            "the group that is being distributed (SSCR)",
            SECTION,
            configurations![
                Paper "w32" => GroupSequence::new(),
            ],
        ),
        entry(
            "dtbl/group_fetch",
            "groups in memory, asked for ahead of their turn",
            SECTION,
            configurations![
                Small "a2" => GroupFetch::new(2),
                Paper "a32" => GroupFetch::new(32),
            ],
        ),
        entry(
            "dtbl/held_groups",
            "groups in memory that were asked for ahead",
            SECTION,
            configurations![
                Small "a1" => HeldGroups::new(1),
                Small "a5" => HeldGroups::new(5),
                Paper "a32" => HeldGroups::new(32),
                Large "a64" => HeldGroups::new(64),
            ],
        ),
        entry(
            "dtbl/ring_counts",
            "how many groups of each kernel memory has, and how many were asked for",
            SECTION,
            configurations![
                Paper "k32" => RingCounts::new(),
            ],
        ),
        entry(
            "dtbl/slot_control",
            "thread block control registers of one SMX",
            SECTION,
            configurations![
                Small "slots1" => SlotControl::new(1),
                Small "slots4" => SlotControl::new(4),
                Paper "slots16" => SlotControl::new(16),
                Large "slots32" => SlotControl::new(32),
            ],
        ),
        entry(
            "dtbl/block_control",
            "thread block control registers (TBCR)",
            SECTION,
            configurations![
                Small "n2_slots4" => BlockControl::new(2, 4),
                Paper "n13_slots16" => BlockControl::new(13, 16),
                Wide "n33_slots16" => BlockControl::new(33, 16),
                Wide "n132_slots16" => BlockControl::new(132, 16),
            ],
        ),
        entry(
            "dtbl/dispatcher",
            "the SMX scheduler with aggregated groups and a gate port",
            SECTION,
            configurations![
                Small "n2_size4" => GroupDispatcher::new(2, K20C, 4, 2),
                Paper "n13_size1024" => GroupDispatcher::new(13, K20C, 1024, 32),
            ],
        ),
        entry(
            "dtbl/scheduler",
            "the whole of `rr --launch dtbl`",
            SECTION,
            configurations![
                Small "n1_size1" => DtblScheduler::new(1, K20C, 1, 1, &[]),
                Small "n3_size8" => DtblScheduler::new(3, K20C, 8, 2, &[]),
                Small "n2_size8_claso" => DtblScheduler::new(2, K20C, 8, 5, &[Claso(CLASO_1_0)]),
                Small "n2_size8_dyncta_claso" => DtblScheduler::new(2, K20C, 8, 5, &[Dyncta { slots: 16, thresholds: EVEN, pauses: false }, Claso(CLASO_1_0)]),
                Small "n3_size8_by_room" => DtblScheduler::by_room(3, K20C, 8, 2, &[]),
                Small "n2_size8_by_room_claso" => DtblScheduler::by_room(2, K20C, 8, 5, &[Claso(CLASO_1_0)]),
                Paper "n13_size1024" => DtblScheduler::new(13, K20C, 1024, 32, &[]),
                Paper "n13_size1024_claso" => DtblScheduler::new(13, K20C, 1024, 32, &[Claso(CLASO_2_0)]),
                Wide "n33_size1024" => DtblScheduler::new(33, K20C, 1024, 32, &[]),
                Wide "n65_size1024_claso" => DtblScheduler::new(65, K20C, 1024, 32, &[Claso(CLASO_2_0)]),
                Wide "n132_size1024" => DtblScheduler::new(132, K20C, 1024, 32, &[]),
            ],
        ),
    ]
}
