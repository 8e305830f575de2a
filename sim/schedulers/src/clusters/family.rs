//! `clusters`.

use super::Clusters;
use crate::composition::syntax::Part;
use crate::composition::{CompositionError, CompositionErrorKind, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{IssueRule, PolicyRules};
use crate::Twin;
use std::fmt;

/// Clusters of thread blocks, `docs/clusters.md`.
pub static FAMILY: Family = Family {
    name: "clusters",
    page: "docs/clusters.md",
    known: &[
        Known {
            name: "clusters",
            description:
                "clusters of blocks, each whole in a GPC, a block an SMX; no gate but dyncta",
            paper: "CUDA C++ programming guide, thread block clusters (Hopper)",
        },
        Known {
            name: "clusters(policy=balance)",
            description: "the same, but an SMX may have several blocks of a cluster",
            paper: "CUDA C++ programming guide, thread block clusters (Hopper)",
        },
    ],
    covering: &["clusters", "clusters(policy=balance)"],
    suite: &[
        "clusters",
        "clusters+dyncta(period=64,idle=3,low=8,high=16,pause=1)",
        "clusters(policy=balance)",
        "clusters(policy=balance)+dyncta(period=64,idle=3,low=8,high=16)",
    ],
    cover: &[crate::dispatch::cover::ALL],
    read,
    keys: |name, _| format!("the one key of {name} is policy (spread or balance)"),
};

/// How the blocks of a cluster are distributed over the SMXs of a GPC; CUDA has a name for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Each on an SMX of its own (rule 7; `cudaClusterSchedulingPolicySpread`).
    #[default]
    Spread,
    /// Where there is most room (rule 8; `cudaClusterSchedulingPolicyLoadBalancing`).
    Balance,
}

impl Policy {
    /// That of a key with its value; an error as [`Reader::configure`] wants it.
    pub(crate) fn read(key: &str, value: &str) -> Result<Self, Option<&'static str>> {
        match (key, value) {
            ("policy", "spread") => Ok(Self::Spread),
            ("policy", "balance") => Ok(Self::Balance),
            ("policy", _) => Err(Some("spread or balance")),
            _ => Err(None),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spread => "spread",
            Self::Balance => "balance",
        })
    }
}

/// First come, first served kernels, whose blocks go in whole clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClustersConfig {
    /// Where the blocks of a cluster go.
    pub policy: Policy,
}

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    reader.no_variant(part)?;
    let mut config = ClustersConfig::default();
    reader.configure(part, part.name.text, |key, value| {
        config.policy = Policy::read(key, value)?;
        Ok(())
    })?;
    Ok(config.into())
}

impl fmt::Display for ClustersConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clusters(policy={})", self.policy)
    }
}

impl Base for ClustersConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        build.managed(Clusters::new(build.plan, build.limits, self.policy, build.gates()))
    }

    fn rules(&self) -> PolicyRules {
        let (issue, clusters) = (IssueRule::OneACycle, Some(self.policy));
        PolicyRules { issue, clusters, ..Default::default() }
    }

    fn without_credits(&self) -> Option<CompositionErrorKind> {
        Some(CompositionErrorKind::NoCreditsForClusters)
    }
}
