//! LaPerm in hardware: one for every launch mode, but for the size of its queues.

use super::{parameters, Workbench};
use crate::story::laperm;
use blockyard_rtl::laperm::{Division, LinkedScheduler, PriorityScheduler, ShiftingScheduler};
use blockyard_rtl::schedulers::connected;
use blockyard_sim::port::LaunchMode;
use blockyard_sim::sched::laperm::{Binding, LapermConfig, QueueKind, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        build.names_slots()?;
        let config: &LapermConfig = parameters(source);
        let (smx, limits, gates) = (build.smx, build.limits, &build.gates);
        let parameters = PriorityScheduler {
            division: Division { cluster: config.cluster_size(smx), levels: config.levels.into() },
            entries: config.queue_entries(smx, build.launch == LaunchMode::Dtbl),
            adaptive: config.binding == Binding::Adaptive,
        };
        Ok(match config.queue {
            QueueKind::Linked => connected(LinkedScheduler::new(smx, limits, parameters, gates)),
            QueueKind::Shifting => {
                connected(ShiftingScheduler::new(smx, limits, parameters, gates))
            }
        })
    },
    traffic: |_, traffic, run| traffic.prioritized(run.launch, run.seed),
    story: |source, _, story| {
        let config: &LapermConfig = parameters(source);
        laperm::laperm(story, config.binding == Binding::Adaptive);
    },
};
