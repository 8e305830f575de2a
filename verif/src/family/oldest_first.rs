//! `oldest-first` in hardware.

use super::Workbench;
use crate::story::{launches, round_robin};
use blockyard_rtl::oldest_first::{OldestFirstCdpScheduler, OldestFirstScheduler};
use blockyard_sim::sched::oldest_first::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        let scheduler = OldestFirstScheduler::new(build.smx, build.limits, &build.gates);
        build.managed(scheduler, OldestFirstCdpScheduler::new)
    },
    traffic: |_, traffic, run| traffic.launching(run.launch, run.storage.table, run.seed),
    story: |_, launch, story| {
        round_robin::flat(story);
        launches::managed(launch, story);
    },
    budgets: &[("oldest-first-k20c", "oldest-first", "k20c", "flat", &[])],
};
