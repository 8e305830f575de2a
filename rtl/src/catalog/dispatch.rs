//! The modules of the dispatcher.

use super::{entry, Configuration, Entry, Size, C2050, K20C};
use crate::dispatch::{
    BlockSequence, Dispatcher, FcfsControl, KernelEntries, KernelTable, OpenGate, Residents,
    ResourceTable, RestartingScheduler, RoundRobin, RoundRobinScheduler, SmxResources,
};

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
            ],
        ),
        entry(
            "dispatch/open_gate",
            "the place of an admission gate where there is none",
            SECTION,
            configurations![
                Small "n2" => OpenGate::<2>::new(),
            ],
        ),
        entry(
            "dispatch/block_sequence",
            "the next blocks of a grid",
            SECTION,
            configurations![
                Small "m1" => BlockSequence::<1>::new(),
                Small "m4" => BlockSequence::<4>::new(),
                Paper "m15" => BlockSequence::<15>::new(),
                Large "m32" => BlockSequence::<32>::new(),
            ],
        ),
        entry(
            "dispatch/kernel_entries",
            "what the Kernel Distributor stores",
            SECTION,
            configurations![
                Small "n2" => KernelEntries::<2>::new(),
                Paper "n13" => KernelEntries::<13>::new(),
                Large "n32" => KernelEntries::<32>::new(),
            ],
        ),
        entry(
            "dispatch/residents",
            "resident blocks of each SMX, against a limit",
            "",
            configurations![
                Small "n1" => Residents::<1>::new(),
                Small "n4" => Residents::<4>::new(),
                Paper "n14" => Residents::<14>::new(),
                Large "n32" => Residents::<32>::new(),
            ],
        ),
        entry(
            "dispatch/kernel_table",
            "the Kernel Distributor's 32 entries",
            SECTION,
            configurations![
                Small "n2" => KernelTable::<2>::new(),
                Paper "n13" => KernelTable::<13>::new(),
                Large "n30" => KernelTable::<30>::new(),
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
                Small "n1" => ResourceTable::<1>::new(C2050),
                Paper "n13" => ResourceTable::<13>::new(K20C),
                Large "n30" => ResourceTable::<30>::new(K20C),
            ],
        ),
        entry(
            "dispatch/round_robin",
            "round robin over the SMXs",
            "LaPerm, section II-B",
            configurations![
                Small "n1" => RoundRobin::<1>::new(),
                Small "n3" => RoundRobin::<3>::new(),
                Paper "n13" => RoundRobin::<13>::new(),
                Large "n32" => RoundRobin::<32>::new(),
            ],
        ),
        entry(
            "dispatch/dispatcher",
            "the baseline dispatcher with a gate port",
            SECTION,
            configurations![
                Small "n2" => Dispatcher::<2>::new(C2050),
                Paper "n13" => Dispatcher::<13>::new(K20C),
            ],
        ),
        entry(
            "dispatch/scheduler",
            "rr: the baseline dispatcher",
            SECTION,
            configurations![
                Small "n1" => RoundRobinScheduler::<1>::new(C2050),
                Small "n4" => RoundRobinScheduler::<4>::new(C2050),
                Paper "n13" => RoundRobinScheduler::<13>::new(K20C),
                Large "n30" => RoundRobinScheduler::<30>::new(K20C),
            ],
        ),
        entry(
            "dispatch/restarting_scheduler",
            "rr(start=last-finished): the baseline of IKRA",
            "IKRA, section 2.2",
            configurations![
                Small "n3" => RestartingScheduler::<3>::new(C2050),
                Paper "n15" => RestartingScheduler::<15>::new(C2050),
            ],
        ),
    ]
}
