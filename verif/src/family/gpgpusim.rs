//! `rr-gpgpusim` in hardware.

use super::Workbench;
use crate::story::{launches, round_robin};
use blockyard_rtl::gpgpusim::{GpgpuSimCdpScheduler, GpgpuSimScheduler};
use blockyard_sim::sched::gpgpusim::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        let scheduler = GpgpuSimScheduler::new(build.smx, build.limits, &build.gates);
        build.managed(scheduler, GpgpuSimCdpScheduler::new)
    },
    traffic: |_, traffic, run| traffic.launching(run.launch, run.storage.table, run.seed),
    story: |_, launch, story| {
        round_robin::gpgpusim(story);
        launches::managed(launch, story);
    },
    budgets: &[("rr-gpgpusim-k20c", "rr-gpgpusim", "k20c", "flat", &[])],
};
