//! `partitions` in hardware.

use super::Workbench;
use crate::story::partitions;
use blockyard_rtl::mask::Mask;
use blockyard_rtl::partitions::PartitionScheduler;
use blockyard_rtl::schedulers::connected;
use blockyard_sim::sched::partitions::FAMILY;

/// See the module.
pub static WORKBENCH: Workbench = Workbench {
    family: &FAMILY,
    module: |_, build| {
        build.flat()?;
        let masks = build.plan.partitions().iter();
        let masks: Vec<Mask> = masks.map(|smxs| Mask::new(build.smx, smxs.words())).collect();
        Ok(connected(PartitionScheduler::new(&masks, build.limits, &build.gates)))
    },
    traffic: |_, traffic, _| traffic.partitioned(),
    story: |_, _, story| partitions::of(story),
    budgets: &[(
        "partitions-k20c",
        "partitions",
        "k20c",
        "flat",
        &["smx.partitions=[\"0-5\", \"6-12\"]"],
    )],
};
