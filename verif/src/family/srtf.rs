//! MPMax and SRTF in hardware; the oracles have none.

use super::Workbench;
use crate::engine::RtlError;
use crate::story::kernels;
use blockyard_rtl::schedulers::connected;
use blockyard_rtl::srtf::{AdaptiveScheduler, MpmaxScheduler, Shortest, ShortestScheduler};
use blockyard_sim::sched::srtf::{MpmaxConfig, Policy, SrtfConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        let (smx, limits, gates) = (build.smx, build.limits, &build.gates);
        if source.get::<MpmaxConfig>().is_some() {
            build.flat()?;
            return Ok(connected(MpmaxScheduler::new(smx, limits, gates)));
        }
        let Some(config) = source.get::<SrtfConfig>() else {
            return Err(RtlError::Oracle(build.composition.to_string()));
        };
        build.names_slots()?;
        build.flat()?;
        let parameters = Shortest {
            sample: config.sample.into(),
            limit: config.limit.into(),
            threshold: config.threshold_in_256ths().into(),
        };
        Ok(match config.policy {
            Policy::Shortest => connected(ShortestScheduler::new(smx, limits, parameters, gates)),
            Policy::Adaptive => connected(AdaptiveScheduler::new(smx, limits, parameters, gates)),
        })
    },
    traffic: |source, traffic, _| match source.get::<SrtfConfig>() {
        Some(_) => traffic.timed(),
        None => traffic,
    },
    story: |source, _, story| match source.get::<MpmaxConfig>() {
        Some(_) => kernels::mpmax(story),
        None => kernels::srtf(story),
    },
    budgets: &[
        ("mpmax-gtx480", "mpmax", "gtx480", "flat", &[]),
        ("srtf-gtx480", "srtf", "gtx480", "flat", &[]),
        ("srtf-adaptive-gtx480", "srtf/adaptive", "gtx480", "flat", &[]),
    ],
};
