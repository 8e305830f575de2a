//! `clusters` in hardware.

use super::{parameters, Workbench};
use crate::story::clusters;
use blockyard_rtl::clusters::{ClusterScheduler, Policy};
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::clusters::{self as twin, ClustersConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        build.flat()?;
        let policy = policy(parameters::<ClustersConfig>(source).policy);
        let (gpcs, limits, gates) = (build.plan.gpcs(), build.limits, &build.gates);
        Ok(connected(ClusterScheduler::new(gpcs, limits, policy, gates)))
    },
    traffic: |_, traffic, run| traffic.clustered(&run.plan, run.seed),
    story: |source, _, story| clusters::of(parameters::<ClustersConfig>(source).policy, story),
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
