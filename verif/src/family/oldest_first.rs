//! `oldest-first` in hardware.

use super::Workbench;
use crate::story::round_robin;
use blockyard_rtl::oldest_first::OldestFirstScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::oldest_first::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        build.flat()?;
        Ok(connected(OldestFirstScheduler::new(build.smx, build.limits, &build.gates)))
    },
    traffic: |_, traffic, _| traffic,
    story: |_, _, story| round_robin::flat(story),
    budgets: &[("oldest-first-k20c", "oldest-first", "k20c", "flat", &[])],
};
