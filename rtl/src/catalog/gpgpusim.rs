//! The modules of GPGPU-Sim's block issue.

use super::{entry, Configuration, Entry, Size, C2050, K20C};
use crate::gpgpusim::{CapTable, GpgpuSimScheduler, Placement};

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const SECTION: &str = "GPGPU-Sim 4.2";
    vec![
        entry(
            "gpgpusim/placement",
            "up to one block an SMX, in turn",
            SECTION,
            configurations![
                Small "n1" => Placement::<1>::new(),
                Small "n4" => Placement::<4>::new(),
                Paper "n13" => Placement::<13>::new(),
                Paper "n15" => Placement::<15>::new(),
                Large "n32" => Placement::<32>::new(),
            ],
        ),
        entry(
            "gpgpusim/cap_table",
            "blocks of a kernel that one SMX may hold",
            SECTION,
            configurations![
                Small "n1" => CapTable::new(1),
                Small "n4" => CapTable::new(4),
                Paper "n15" => CapTable::new(15),
                Large "n32" => CapTable::new(32),
            ],
        ),
        entry(
            "gpgpusim/scheduler",
            "rr-gpgpusim: GPGPU-Sim's way of issuing blocks",
            SECTION,
            configurations![
                Small "n1" => GpgpuSimScheduler::<1>::new(C2050),
                Small "n4" => GpgpuSimScheduler::<4>::new(C2050),
                Paper "n13" => GpgpuSimScheduler::<13>::new(K20C),
                Paper "n14" => GpgpuSimScheduler::<14>::new(C2050),
                Paper "n15" => GpgpuSimScheduler::<15>::new(C2050),
                Large "n30" => GpgpuSimScheduler::<30>::new(K20C),
                Large "n32" => GpgpuSimScheduler::<32>::new(K20C),
            ],
        ),
    ]
}
