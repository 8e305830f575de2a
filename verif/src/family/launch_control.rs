//! `launch-control` in hardware.

use super::clusters::policy;
use super::{parameters, Workbench};
use crate::story::{clusters, launches, round_robin};
use blockyard_rtl::clusters::{ClusterCdpScheduler, ClusterScheduler};
use blockyard_rtl::launch_control::{LaunchControlCdpScheduler, LaunchControlScheduler};
use blockyard_sim::sched::launch_control::{LaunchControlConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        let (limits, gates) = (build.limits, &build.gates);
        match parameters::<LaunchControlConfig>(source).clusters {
            None => {
                let scheduler = LaunchControlScheduler::new(build.smx, limits, gates);
                build.managed(scheduler, LaunchControlCdpScheduler::new)
            }
            Some(of) => {
                let gpcs = build.plan.gpcs();
                let scheduler = ClusterScheduler::answering(gpcs, limits, policy(of), gates);
                build.managed(scheduler, ClusterCdpScheduler::new)
            }
        }
    },
    traffic: |source, traffic, run| {
        let traffic =
            traffic.launching(run.launch, run.storage.table, run.seed).cancelling(run.seed);
        match parameters::<LaunchControlConfig>(source).clusters {
            None => traffic,
            Some(_) => traffic.clustered(&run.plan, run.seed),
        }
    },
    story: |source, launch, story| {
        match parameters::<LaunchControlConfig>(source).clusters {
            None => round_robin::launch_control(story),
            Some(policy) => clusters::answering(policy, story),
        }
        launches::managed(launch, story);
    },
    budgets: &[
        ("launch-control-k20c", "launch-control", "k20c", "flat", &[]),
        ("launch-control-spread-h100", "launch-control(policy=spread)", "h100", "flat", &[]),
        ("launch-control-balance-h100", "launch-control(policy=balance)", "h100", "flat", &[]),
    ],
};
