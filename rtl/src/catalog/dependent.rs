//! Modules of `dependent`.

use super::{entry, Configuration, Entry, Size, C2050, CLASO_1_0, K20C, THROTTLE};
use crate::dependent::{DependentScheduler, Waiting};
use crate::gate::GateKind::Claso;

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    const GUIDE: &str = "CUDA C++ programming guide, programmatic dependent launch";
    vec![
        entry(
            "dependent/waiting",
            "which kernels wait for their predecessor",
            GUIDE,
            configurations![
                Small "n1" => Waiting::new(1),
                Small "n3" => Waiting::new(3),
                Paper "n13" => Waiting::new(13),
                Wide "n132" => Waiting::new(132),
            ],
        ),
        entry(
            "dependent/scheduler",
            "the whole of `dependent`",
            GUIDE,
            configurations![
                Small "n1" => DependentScheduler::new(1, C2050, &[]),
                Small "n3" => DependentScheduler::new(3, C2050, &[]),
                Small "n3_dyncta_claso" => DependentScheduler::new(3, C2050, &[THROTTLE, Claso(CLASO_1_0)]),
                Paper "n13" => DependentScheduler::new(13, K20C, &[]),
                Wide "n132" => DependentScheduler::new(132, K20C, &[]),
            ],
        ),
    ]
}
