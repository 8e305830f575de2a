//! `priority` in hardware.

use super::{parameters, Workbench};
use crate::story::round_robin;
use blockyard_rtl::priority::PriorityScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::priority::{PriorityConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        build.flat()?;
        let levels = parameters::<PriorityConfig>(source).levels.into();
        Ok(connected(PriorityScheduler::new(build.smx, build.limits, levels, &build.gates)))
    },
    traffic: |_, traffic, _| traffic.urgent(),
    story: |_, _, story| round_robin::priority(story),
    budgets: &[("priority-k20c", "priority", "k20c", "flat", &[])],
};
