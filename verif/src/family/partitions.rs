//! `partitions` in hardware.

use super::Workbench;
use crate::story::{launches, partitions};
use blockyard_rtl::mask::Mask;
use blockyard_rtl::partitions::{PartitionCdpScheduler, PartitionScheduler};
use blockyard_sim::sched::partitions::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        let masks = build.plan.partitions().iter();
        let masks: Vec<Mask> = masks.map(|smxs| Mask::new(build.smx, smxs.words())).collect();
        let scheduler = PartitionScheduler::new(&masks, build.limits, &build.gates);
        build.managed(scheduler, PartitionCdpScheduler::new)
    },
    traffic: |_, traffic, run| {
        traffic.launching(run.launch, run.storage.table, run.seed).partitioned()
    },
    story: |_, launch, story| {
        partitions::of(story);
        launches::managed(launch, story);
    },
    budgets: &[(
        "partitions-k20c",
        "partitions",
        "k20c",
        "flat",
        &["smx.partitions=[\"0-5\", \"6-12\"]"],
    )],
};
