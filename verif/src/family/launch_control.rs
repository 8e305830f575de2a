//! `launch-control` in hardware.

use super::Workbench;
use crate::story::round_robin;
use blockyard_rtl::launch_control::LaunchControlScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::launch_control::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        build.flat()?;
        Ok(connected(LaunchControlScheduler::new(build.smx, build.limits, &build.gates)))
    },
    traffic: |_, traffic, run| traffic.cancelling(run.seed),
    story: |_, _, story| round_robin::launch_control(story),
    budgets: &[("launch-control-k20c", "launch-control", "k20c", "flat", &[])],
};
