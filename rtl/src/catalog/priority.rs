//! Kernels with priorities.

use super::{entry, Configuration, Entry, Size, C2050, CLASO_1_0, K20C, THROTTLE};
use crate::gate::GateKind::Claso;
use crate::priority::PriorityScheduler;

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    vec![entry(
        "priority/scheduler",
        "the whole of `priority`",
        "CUDA C++ programming guide, stream priorities",
        configurations![
            Small "n2_levels2" => PriorityScheduler::new(2, C2050, 2, &[]),
            Small "n3_levels6_dyncta_claso" => PriorityScheduler::new(3, C2050, 6, &[THROTTLE, Claso(CLASO_1_0)]),
            Paper "n13_levels6" => PriorityScheduler::new(13, K20C, 6, &[]),
            Wide "n132_levels8" => PriorityScheduler::new(132, K20C, 8, &[]),
        ],
    )]
}
