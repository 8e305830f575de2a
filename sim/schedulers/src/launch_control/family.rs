//! `launch-control`.

use crate::composition::syntax::Part;
use crate::composition::{CompositionError, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::dispatch::Dispatcher;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::port::{DevicePorts, LaunchMode};
use crate::Twin;
use std::fmt;

/// Running blocks take blocks that have not started, `docs/launch-control.md`.
pub static FAMILY: Family = Family {
    name: "launch-control",
    page: "docs/launch-control.md",
    known: &[Known {
        name: "launch-control",
        description: "as rr, but a running block may take one of its grid that has not started",
        paper:
            "PTX ISA, clusterlaunchcontrol (Blackwell); CUDA C++ programming guide, cluster launch control",
    }],
    covering: &["launch-control"],
    suite: &[
        "launch-control",
        "launch-control+dyncta(period=64,idle=3,low=8,high=16)+claso",
    ],
    cover: &[crate::dispatch::cover::ALL, super::cover::ALL],
    read,
    keys: |name, _| format!("{name} has no keys; setup and cancels of a scenario's kernel say who asks"),
};

/// First come, first served kernels, of which running blocks may take the next block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchControlConfig;

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    reader.no_variant(part)?;
    reader.no_keys(part)?;
    Ok(LaunchControlConfig.into())
}

impl fmt::Display for LaunchControlConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("launch-control")
    }
}

impl Base for LaunchControlConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        build.only_flat(LaunchModeError::Source, |build| {
            Dispatcher::answering(build.smx, build.limits, build.gates())
        })
    }

    fn rules(&self) -> PolicyRules {
        let (order, issue) = (BlockOrder::Increasing, IssueRule::OneACycle);
        PolicyRules { order, issue, cancels: true, ..Default::default() }
    }

    fn device_ports(&self, _mode: LaunchMode) -> DevicePorts {
        DevicePorts::Cancels
    }
}
