//! `rr` in hardware: the baseline dispatcher, alone or behind the Kernel Management Unit.

use super::{parameters, Workbench};
use crate::story::{launches, round_robin};
use blockyard_rtl::dispatch::{RoundRobinCdpScheduler, RoundRobinScheduler};
use blockyard_rtl::dtbl::DtblScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::port::{GroupStorage, LaunchMode};
use blockyard_sim::sched::dispatch::{RoundRobinConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        let RoundRobinConfig { restarting } = *parameters(source);
        let (smx, limits, gates) = (build.smx, build.limits, &build.gates);
        match build.launch {
            LaunchMode::Dtbl if !restarting => {
                build.names_slots()?;
                let GroupStorage { table, ahead } = build.storage;
                let (table, ahead) = (table as usize, ahead as usize);
                Ok(connected(DtblScheduler::new(smx, limits, table, ahead, gates)))
            }
            _ => {
                let scheduler = RoundRobinScheduler::new(smx, limits, restarting, gates);
                build.managed(scheduler, RoundRobinCdpScheduler::new)
            }
        }
    },
    traffic: |_, traffic, run| traffic.launching(run.launch, run.storage.table, run.seed),
    story: |source, launch, story| {
        match launch {
            LaunchMode::Dtbl => launches::dtbl(story),
            _ if parameters::<RoundRobinConfig>(source).restarting => {
                round_robin::restarting(story)
            }
            _ => round_robin::flat(story),
        }
        launches::managed(launch, story);
    },
    budgets: &[
        ("rr-k20c", "rr", "k20c", "flat", &[]),
        ("rr-cdp-k20c", "rr", "k20c", "cdp", &[]),
        ("rr-dtbl-k20c", "rr", "k20c", "dtbl", &[]),
        ("rr-claso-k20c", "rr+claso", "k20c", "flat", &[]),
        ("rr-claso-cdp-k20c", "rr+claso", "k20c", "cdp", &[]),
        ("rr-claso-dtbl-k20c", "rr+claso", "k20c", "dtbl", &[]),
        ("rr-dyncta-k20c", "rr+dyncta", "k20c", "flat", &[]),
        ("rr-dyncta-claso-k20c", "rr+dyncta+claso", "k20c", "flat", &[]),
        ("rr-restarting-denovo15", "rr(start=last-finished)", "denovo15", "flat", &[]),
        ("rr-c2050", "rr", "c2050", "flat", &[]),
    ],
};
