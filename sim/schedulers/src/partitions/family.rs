//! `partitions`.

use crate::composition::syntax::Part;
use crate::composition::{CompositionError, CompositionErrorKind, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::dispatch::Dispatcher;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::Twin;
use std::fmt;

/// Kernels on a part of the SMXs, `docs/partitions.md`.
pub static FAMILY: Family = Family {
    name: "partitions",
    page: "docs/partitions.md",
    known: &[Known {
        name: "partitions",
        description: "as rr, but on the SMXs of a kernel's partition; no gate but dyncta",
        paper: "NVIDIA MPS and MIG; CUDA C++ programming guide, green contexts",
    }],
    covering: &["partitions"],
    suite: &["partitions", "partitions+dyncta(period=64,idle=3,low=8,high=16)"],
    cover: &[crate::dispatch::cover::ALL, super::cover::ALL],
    read,
    keys: |name, _| format!("{name} has no keys; smx.partitions of the GPU says which SMXs"),
};

/// First come, first served kernels of each partition, one partition after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartitionsConfig;

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    reader.no_variant(part)?;
    reader.no_keys(part)?;
    Ok(PartitionsConfig.into())
}

impl fmt::Display for PartitionsConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("partitions")
    }
}

impl Base for PartitionsConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        build.managed(Dispatcher::partitioned(build.plan, build.limits, build.gates()))
    }

    fn rules(&self) -> PolicyRules {
        let (order, issue) = (BlockOrder::Increasing, IssueRule::OneACycle);
        PolicyRules { order, issue, partitions: true, ..Default::default() }
    }

    fn without_credits(&self) -> Option<CompositionErrorKind> {
        Some(CompositionErrorKind::NoCreditsForPartitions)
    }
}
