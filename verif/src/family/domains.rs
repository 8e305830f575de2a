//! `domains` in hardware.

use super::{parameters, Workbench};
use crate::story::{domains, launches};
use blockyard_rtl::domains::{DomainCdpScheduler, DomainScheduler, Policy};
use blockyard_sim::sched::domains::{DomainsConfig, FAMILY};

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |source, build| {
        let policy = match *parameters::<DomainsConfig>(source) {
            DomainsConfig::Interleave { chunk } => Policy::Interleave(chunk.into()),
            DomainsConfig::Contiguous => Policy::Contiguous,
        };
        let (domains, limits, gates) = (build.plan.domains(), build.limits, &build.gates);
        let scheduler = DomainScheduler::new(domains, limits, policy, gates);
        build.managed(scheduler, DomainCdpScheduler::new)
    },
    traffic: |_, traffic, run| traffic.launching(run.launch, run.storage.table, run.seed),
    story: |source, launch, story| {
        match parameters::<DomainsConfig>(source) {
            DomainsConfig::Interleave { .. } => domains::interleaved(story),
            DomainsConfig::Contiguous => domains::contiguous(story),
        }
        launches::managed(launch, story);
    },
    budgets: &[
        ("domains-k20c", "domains", "k20c", "flat", &["smx.domains=[6, 7]"]),
        ("domains-h100", "domains", "h100", "flat", &["smx.domains=[66, 66]"]),
        (
            "domains-contiguous-k20c",
            "domains(policy=contiguous)",
            "k20c",
            "flat",
            &["smx.domains=[6, 7]"],
        ),
    ],
};
