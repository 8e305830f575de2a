//! `rr-gpgpusim` in hardware.

use super::Workbench;
use crate::story::round_robin;
use blockyard_rtl::gpgpusim::GpgpuSimScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::gpgpusim::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        build.flat()?;
        Ok(connected(GpgpuSimScheduler::new(build.smx, build.limits, &build.gates)))
    },
    traffic: |_, traffic, _| traffic,
    story: |_, _, story| round_robin::gpgpusim(story),
    budgets: &[("rr-gpgpusim-k20c", "rr-gpgpusim", "k20c", "flat", &[])],
};
