//! `most-room` in hardware.

use super::Workbench;
use crate::story::{launches, round_robin};
use blockyard_rtl::dtbl::DtblScheduler;
use blockyard_rtl::most_room::{MostRoomCdpScheduler, MostRoomScheduler};
use blockyard_rtl::schedulers::connected;
use blockyard_sim::port::{GroupStorage, LaunchMode};
use blockyard_sim::sched::most_room::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        let (smx, limits, gates) = (build.smx, build.limits, &build.gates);
        match build.launch {
            LaunchMode::Dtbl => {
                build.names_slots()?;
                let GroupStorage { table, ahead } = build.storage;
                let (table, ahead) = (table as usize, ahead as usize);
                Ok(connected(DtblScheduler::by_room(smx, limits, table, ahead, gates)))
            }
            _ => {
                let scheduler = MostRoomScheduler::new(smx, limits, gates);
                build.managed(scheduler, MostRoomCdpScheduler::new)
            }
        }
    },
    traffic: |_, traffic, run| traffic.launching(run.launch, run.storage.table, run.seed),
    story: |_, launch, story| {
        match launch {
            LaunchMode::Dtbl => launches::dtbl(story),
            _ => round_robin::flat(story),
        }
        launches::managed(launch, story);
        round_robin::most_room(story);
    },
    budgets: &[
        ("most-room-k20c", "most-room", "k20c", "flat", &[]),
        ("most-room-dtbl-k20c", "most-room", "k20c", "dtbl", &[]),
    ],
};
