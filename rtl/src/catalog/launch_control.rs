//! Modules of `launch-control`.

use super::{entry, Configuration, Entry, Size, C2050, CLASO_1_0, K20C, THROTTLE};
use crate::gate::GateKind::Claso;
use crate::launch_control::LaunchControlScheduler;

/// See the module.
pub(super) fn entries() -> Vec<Entry> {
    vec![entry(
        "launch_control/scheduler",
        "the whole of `launch-control`",
        "PTX ISA, clusterlaunchcontrol.try_cancel; CUDA C++ programming guide, cluster launch control",
        configurations![
            Small "n1" => LaunchControlScheduler::new(1, C2050, &[]),
            Small "n3" => LaunchControlScheduler::new(3, C2050, &[]),
            Small "n3_dyncta_claso" => LaunchControlScheduler::new(3, C2050, &[THROTTLE, Claso(CLASO_1_0)]),
            Paper "n13" => LaunchControlScheduler::new(13, K20C, &[]),
            Wide "n132" => LaunchControlScheduler::new(132, K20C, &[]),
        ],
    )]
}
