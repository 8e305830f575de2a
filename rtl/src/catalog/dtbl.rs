//! The modules of DTBL.

use super::{entry, Configuration, Entry, Size, CLASO_1_0, CLASO_2_0, K20C};
use crate::dtbl::{
    BlockControl, Coalescer, DtblClasoScheduler, DtblScheduler, GroupDispatcher, GroupFcfsControl,
    GroupLists, GroupSequence, GroupTable, SlotControl,
};

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
                Small "n1_size1" => GroupTable::<1>::new(1),
                Small "n2_size8" => GroupTable::<2>::new(8),
                Small "n13_size512" => GroupTable::<13>::new(512),
                Paper "n13_size1024" => GroupTable::<13>::new(1024),
                Large "n1_size2048" => GroupTable::<1>::new(2048),
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
                Small "n2_slots4" => BlockControl::<2>::new(4),
                Paper "n13_slots16" => BlockControl::<13>::new(16),
            ],
        ),
        entry(
            "dtbl/dispatcher",
            "the SMX scheduler with aggregated groups and a gate port",
            SECTION,
            configurations![
                Small "n2_size4" => GroupDispatcher::<2>::new(K20C, 4),
                Paper "n13_size1024" => GroupDispatcher::<13>::new(K20C, 1024),
            ],
        ),
        entry(
            "dtbl/scheduler",
            "the whole of `rr --launch dtbl`",
            SECTION,
            configurations![
                Small "n1_size1" => DtblScheduler::<1>::new(K20C, 1),
                Small "n3_size8" => DtblScheduler::<3>::new(K20C, 8),
                Paper "n13_size1024" => DtblScheduler::<13>::new(K20C, 1024),
            ],
        ),
        entry(
            "dtbl/claso_scheduler",
            "the whole of `rr+claso --launch dtbl`",
            SECTION,
            configurations![
                Small "n2_size8_pa1_pl0" => DtblClasoScheduler::<2>::new(K20C, 8, CLASO_1_0),
                Paper "n13_size1024_pa2_pl0" => DtblClasoScheduler::<13>::new(K20C, 1024, CLASO_2_0),
            ],
        ),
    ]
}
