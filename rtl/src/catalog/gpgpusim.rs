//! The modules of GPGPU-Sim's block issue.

use super::{entry, Configuration, Entry, Size, C2050, CLASO_1_0, K20C, THROTTLE};
use crate::gate::GateKind::Claso;
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
                Small "n1" => Placement::new(1),
                Small "n4" => Placement::new(4),
                Paper "n13" => Placement::new(13),
                Paper "n15" => Placement::new(15),
                Large "n32" => Placement::new(32),
                Wide "n33" => Placement::new(33),
                Wide "n132" => Placement::new(132),
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
                Wide "n132" => CapTable::new(132),
            ],
        ),
        entry(
            "gpgpusim/scheduler",
            "rr-gpgpusim: GPGPU-Sim's way of issuing blocks",
            SECTION,
            configurations![
                Small "n1" => GpgpuSimScheduler::new(1, C2050, &[]),
                Small "n4" => GpgpuSimScheduler::new(4, C2050, &[]),
                Small "n4_claso" => GpgpuSimScheduler::new(4, C2050, &[Claso(CLASO_1_0)]),
                Small "n3_dyncta_claso" => GpgpuSimScheduler::new(3, C2050, &[THROTTLE, Claso(CLASO_1_0)]),
                Paper "n13" => GpgpuSimScheduler::new(13, K20C, &[]),
                Paper "n14" => GpgpuSimScheduler::new(14, C2050, &[]),
                Paper "n15" => GpgpuSimScheduler::new(15, C2050, &[]),
                Large "n30" => GpgpuSimScheduler::new(30, K20C, &[]),
                Large "n32" => GpgpuSimScheduler::new(32, K20C, &[]),
                Wide "n33" => GpgpuSimScheduler::new(33, K20C, &[]),
                Wide "n65_claso" => GpgpuSimScheduler::new(65, K20C, &[Claso(CLASO_1_0)]),
                Wide "n132" => GpgpuSimScheduler::new(132, K20C, &[]),
            ],
        ),
    ]
}
