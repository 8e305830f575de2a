//! `most-room` in hardware.

use super::Workbench;
use crate::story::round_robin;
use blockyard_rtl::most_room::MostRoomScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::most_room::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        build.flat()?;
        Ok(connected(MostRoomScheduler::new(build.smx, build.limits, &build.gates)))
    },
    traffic: |_, traffic, _| traffic,
    story: |_, _, story| round_robin::most_room(story),
    budgets: &[("most-room-k20c", "most-room", "k20c", "flat", &[])],
};
