//! `rr-gpgpusim`.

use super::GpgpuSim;
use crate::composition::Known;
use crate::device_launch::LaunchModeError;
use crate::family::{Base, Build, Family};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::Twin;
use std::fmt;

/// GPGPU-Sim's block issue, `docs/gpgpusim.md`.
pub static FAMILY: Family = Family {
    name: "rr-gpgpusim",
    page: "docs/gpgpusim.md",
    known: &[Known {
        name: "rr-gpgpusim",
        description: "one kernel after another; up to one block an SMX and cycle",
        paper: "GPGPU-Sim 4.2 and Accel-Sim, their built-in scheduler",
    }],
    covering: &["rr-gpgpusim"],
    suite: &[
        "rr-gpgpusim",
        "rr-gpgpusim+claso",
        "rr-gpgpusim+dyncta(period=64,idle=3,low=8,high=8)",
    ],
    cover: &[super::cover::ALL, crate::dispatch::cover::ALL],
    read: |reader, part| {
        reader.no_variant(part)?;
        reader.no_keys(part)?;
        Ok(GpgpuSimConfig.into())
    },
    keys: |name, _| format!("`{name}` takes no keys"),
};

/// One kernel after another; up to one block an SMX and cycle. It has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpgpuSimConfig;

impl fmt::Display for GpgpuSimConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FAMILY.name)
    }
}

impl Base for GpgpuSimConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        build.managed(GpgpuSim::new(build.smx, build.limits, build.gates()))
    }

    fn rules(&self) -> PolicyRules {
        let (order, issue) = (BlockOrder::Increasing, IssueRule::OneAnSmx);
        PolicyRules { order, issue, ..Default::default() }
    }
}
