//! `dependent` in hardware.

use super::Workbench;
use crate::story::{launches, round_robin};
use blockyard_rtl::dependent::{DependentCdpScheduler, DependentScheduler};
use blockyard_sim::sched::dependent::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        let scheduler = DependentScheduler::new(build.smx, build.limits, &build.gates);
        build.managed(scheduler, DependentCdpScheduler::new)
    },
    traffic: |_, traffic, run| {
        traffic.launching(run.launch, run.storage.table, run.seed).dependent(run.seed)
    },
    story: |_, launch, story| {
        round_robin::dependent(story);
        launches::managed(launch, story);
    },
    budgets: &[("dependent-k20c", "dependent", "k20c", "flat", &[])],
};
