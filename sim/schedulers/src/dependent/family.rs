//! `dependent`.

use crate::composition::syntax::Part;
use crate::composition::{CompositionError, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::dispatch::Dispatcher;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::port::BlockPorts;
use crate::Twin;
use std::fmt;

/// Kernels that begin before their predecessors have ended, `docs/dependent.md`.
pub static FAMILY: Family = Family {
    name: "dependent",
    page: "docs/dependent.md",
    known: &[Known {
        name: "dependent",
        description: "as rr, but a dependent kernel may begin once its predecessor has triggered",
        paper: "CUDA C++ programming guide, programmatic dependent launch (Hopper)",
    }],
    covering: &["dependent"],
    suite: &["dependent", "dependent+claso", "dependent+dyncta(period=64,idle=3,low=8,high=16)"],
    cover: &[crate::dispatch::cover::ALL, super::cover::ALL],
    read,
    keys: |name, _| format!("{name} has no keys"),
};

/// First come, first served kernels, of which those that follow one wait until all its blocks have
/// triggered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DependentConfig;

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    reader.no_variant(part)?;
    reader.no_keys(part)?;
    Ok(DependentConfig.into())
}

impl fmt::Display for DependentConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("dependent")
    }
}

impl Base for DependentConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        build.managed(Dispatcher::dependent(build.smx, build.limits, build.gates()))
    }

    fn rules(&self) -> PolicyRules {
        let (order, issue) = (BlockOrder::Increasing, IssueRule::OneACycle);
        PolicyRules { order, issue, busy: true, triggers: true, ..Default::default() }
    }

    fn block_ports(&self) -> BlockPorts {
        BlockPorts::Triggers
    }
}
