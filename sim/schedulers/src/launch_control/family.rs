//! `launch-control`.

use crate::clusters::{Clusters, Policy};
use crate::composition::syntax::Part;
use crate::composition::{CompositionError, CompositionErrorKind, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::dispatch::Dispatcher;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::port::BlockPorts;
use crate::Twin;
use std::fmt;

/// Running blocks take blocks that have not started, `docs/launch-control.md`.
pub static FAMILY: Family = Family {
    name: "launch-control",
    page: "docs/launch-control.md",
    known: &[
        Known {
            name: "launch-control",
            description: "as rr, but a running block may take one of its grid that has not started",
            paper: PAPER,
        },
        Known {
            name: "launch-control(policy=spread)",
            description: "as clusters, but a running cluster may take one that has not started",
            paper: PAPER,
        },
        Known {
            name: "launch-control(policy=balance)",
            description: "the same, but an SMX may have several blocks of a cluster",
            paper: PAPER,
        },
    ],
    covering: &[
        "launch-control",
        "launch-control(policy=spread)",
        "launch-control(policy=balance)",
    ],
    suite: &[
        "launch-control",
        "launch-control+dyncta(period=64,idle=3,low=8,high=16)+claso",
        "launch-control(policy=spread)",
        "launch-control(policy=spread)+dyncta(period=64,idle=3,low=8,high=16)",
        "launch-control(policy=balance)",
        "launch-control(policy=balance)+dyncta(period=64,idle=3,low=8,high=16)",
    ],
    cover: &[crate::dispatch::cover::ALL, super::cover::ALL],
    read,
    keys: |name, _| {
        format!(
            "the one key of {name} is policy (spread or balance); setup and cancels of a scenario's kernel say \
            who asks"
        )
    },
};

const PAPER: &str =
    "PTX ISA, clusterlaunchcontrol (Blackwell); CUDA C++ programming guide, cluster launch control";

/// First come, first served kernels, of which running blocks may take the next block, or cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchControlConfig {
    /// Where the blocks of a cluster go; `None`: clusters are ignored.
    pub clusters: Option<Policy>,
}

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    reader.no_variant(part)?;
    let mut config = LaunchControlConfig::default();
    reader.configure(part, part.name.text, |key, value| {
        config.clusters = Some(Policy::read(key, value)?);
        Ok(())
    })?;
    Ok(config.into())
}

impl fmt::Display for LaunchControlConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.clusters {
            Some(policy) => write!(f, "launch-control(policy={policy})"),
            None => f.write_str("launch-control"),
        }
    }
}

impl Base for LaunchControlConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        match self.clusters {
            Some(policy) => {
                build.managed(Clusters::answering(build.plan, build.limits, policy, build.gates()))
            }
            None => build.managed(Dispatcher::answering(build.smx, build.limits, build.gates())),
        }
    }

    fn rules(&self) -> PolicyRules {
        let (issue, clusters) = (IssueRule::OneACycle, self.clusters);
        // Those of clusters have an order of their own.
        let order = if clusters.is_some() { BlockOrder::Any } else { BlockOrder::Increasing };
        PolicyRules { order, issue, clusters, cancels: true, ..Default::default() }
    }

    fn without_credits(&self) -> Option<CompositionErrorKind> {
        self.clusters.map(|_| CompositionErrorKind::NoCreditsForClusters)
    }

    fn block_ports(&self) -> BlockPorts {
        BlockPorts::Cancels
    }
}
