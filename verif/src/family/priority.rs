//! `priority` in hardware.

use super::{parameters, Workbench};
use crate::story::{launches, round_robin};
use blockyard_rtl::priority::{PriorityCdpScheduler, PriorityScheduler};
use blockyard_sim::sched::priority::{PriorityConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        let levels = parameters::<PriorityConfig>(source).levels.into();
        let scheduler = PriorityScheduler::new(build.smx, build.limits, levels, &build.gates);
        build.managed(scheduler, PriorityCdpScheduler::new)
    },
    traffic: |_, traffic, run| traffic.launching(run.launch, run.storage.table, run.seed).urgent(),
    story: |_, launch, story| {
        round_robin::priority(story);
        launches::managed(launch, story);
    },
    budgets: &[("priority-k20c", "priority", "k20c", "flat", &[])],
};
