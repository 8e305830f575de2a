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
    budgets: &[
        ("laperm-tb-pri-dtbl-k20c", "laperm/tb-pri", "k20c", "dtbl", &[]),
        ("laperm-tb-pri-claso-dtbl-k20c", "laperm/tb-pri+claso", "k20c", "dtbl", &[]),
        ("laperm-smx-bind-dtbl-k20c", "laperm/smx-bind", "k20c", "dtbl", &[]),
        ("laperm-adaptive-bind-k20c", "laperm/adaptive-bind", "k20c", "flat", &[]),
        ("laperm-adaptive-bind-cdp-k20c", "laperm/adaptive-bind", "k20c", "cdp", &[]),
        ("laperm-adaptive-bind-dtbl-k20c", "laperm/adaptive-bind", "k20c", "dtbl", &[]),
        (
            "laperm-adaptive-bind-shifting-dtbl-k20c",
            "laperm/adaptive-bind",
            "k20c",
            "dtbl",
            &["laperm.queue=shifting"],
        ),
        ("laperm-adaptive-bind-claso-dtbl-k20c", "laperm/adaptive-bind+claso", "k20c", "dtbl", &[]),
    ],
};
