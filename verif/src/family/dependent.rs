//! `dependent` in hardware.

use super::Workbench;
use crate::story::round_robin;
use blockyard_rtl::dependent::DependentScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::dependent::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        build.flat()?;
        Ok(connected(DependentScheduler::new(build.smx, build.limits, &build.gates)))
    },
    traffic: |_, traffic, run| traffic.dependent(run.seed),
    story: |_, _, story| round_robin::dependent(story),
    budgets: &[("dependent-k20c", "dependent", "k20c", "flat", &[])],
};
