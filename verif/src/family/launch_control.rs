//! `launch-control` in hardware.

use super::clusters::policy;
use super::{parameters, Workbench};
use crate::story::{clusters, round_robin};
use blockyard_rtl::clusters::ClusterScheduler;
use blockyard_rtl::launch_control::LaunchControlScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::launch_control::{LaunchControlConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        build.flat()?;
        let (limits, gates) = (build.limits, &build.gates);
        Ok(match parameters::<LaunchControlConfig>(source).clusters {
            None => connected(LaunchControlScheduler::new(build.smx, limits, gates)),
            Some(of) => {
                connected(ClusterScheduler::answering(build.plan.gpcs(), limits, policy(of), gates))
            }
        })
    },
    traffic: |source, traffic, run| {
        let traffic = traffic.cancelling(run.seed);
        match parameters::<LaunchControlConfig>(source).clusters {
            None => traffic,
            Some(_) => traffic.clustered(&run.plan, run.seed),
        }
    },
    story: |source, _, story| match parameters::<LaunchControlConfig>(source).clusters {
        None => round_robin::launch_control(story),
        Some(policy) => clusters::answering(policy, story),
    },
    budgets: &[
        ("launch-control-k20c", "launch-control", "k20c", "flat", &[]),
        ("launch-control-spread-h100", "launch-control(policy=spread)", "h100", "flat", &[]),
        ("launch-control-balance-h100", "launch-control(policy=balance)", "h100", "flat", &[]),
    ],
};
