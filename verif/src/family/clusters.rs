//! `clusters` in hardware.

use super::{parameters, Workbench};
use crate::story::{clusters, launches};
use blockyard_rtl::clusters::{ClusterCdpScheduler, ClusterScheduler, Policy};
use blockyard_sim::sched::clusters::{self as twin, ClustersConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        let policy = policy(parameters::<ClustersConfig>(source).policy);
        let (gpcs, limits, gates) = (build.plan.gpcs(), build.limits, &build.gates);
        let scheduler = ClusterScheduler::new(gpcs, limits, policy, gates);
        build.managed(scheduler, ClusterCdpScheduler::new)
    },
    traffic: |_, traffic, run| {
        traffic.launching(run.launch, run.storage.table, run.seed).clustered(&run.plan, run.seed)
    },
    story: |source, launch, story| {
        clusters::of(parameters::<ClustersConfig>(source).policy, story);
        launches::managed(launch, story);
    },
    budgets: &[
        ("clusters-k20c", "clusters", "k20c", "flat", &[]),
        ("clusters-h100", "clusters", "h100", "flat", &[]),
        ("clusters-balance-h100", "clusters(policy=balance)", "h100", "flat", &[]),
    ],
};

/// A policy of the twin, in hardware.
pub(super) fn policy(policy: twin::Policy) -> Policy {
    match policy {
        twin::Policy::Spread => Policy::Spread,
        twin::Policy::Balance => Policy::Balance,
    }
}
