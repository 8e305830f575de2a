//! `domains`.

use super::{DomainsScheduler, Walk};
use crate::admission::Gates;
use crate::composition::syntax::Part;
use crate::composition::{CompositionError, CompositionErrorKind, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::PolicyRules;
use crate::Twin;
use std::fmt;

/// Dispatch in two levels, `docs/domains.md`.
pub static FAMILY: Family = Family {
    name: "domains",
    page: "docs/domains.md",
    known: &[
        Known {
            name: "domains",
            description:
                "a dispatcher in each domain of SMXs; chunks of blocks in turn; no gate but dyncta",
            paper: "AMD CDNA 3 documentation, workgroups of a kernel on the XCDs of an MI300X",
        },
        Known {
            name: "domains(policy=contiguous)",
            description: "the same, a contiguous range of a kernel's blocks for each domain",
            paper: "MCM-GPU (ISCA 2017), section 5.2",
        },
    ],
    covering: &["domains", "domains(chunk=3)", "domains(policy=contiguous)"],
    suite: &[
        "domains(chunk=3)+dyncta(period=64,idle=3,low=8,high=16,pause=1)",
        "domains(policy=contiguous)",
    ],
    cover: &[crate::dispatch::cover::ALL, super::cover::ALL],
    read,
    keys: |name, _| {
        format!(
            "the keys of {name} are policy (interleave or contiguous) and chunk (1 to 1024); smx.domains of \
            the GPU says how many SMXs each has"
        )
    },
};

/// Which blocks are for which domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainsConfig {
    /// Chunks go to the domains in turn.
    Interleave {
        /// Blocks of a chunk, 1 to [`Walk::MOST_BLOCKS`].
        chunk: u16,
    },
    /// Each domain has a contiguous share.
    Contiguous,
}

impl Default for DomainsConfig {
    /// Block by block.
    fn default() -> Self {
        Self::Interleave { chunk: 1 }
    }
}

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    reader.no_variant(part)?;
    let (mut contiguous, mut chunk) = (false, 1);
    reader.configure(part, part.name.text, |key, value| {
        match (key, value) {
            ("policy", "interleave" | "contiguous") => contiguous = value == "contiguous",
            ("policy", _) => return Err(Some("interleave or contiguous")),
            ("chunk", _) => {
                let digits = value.bytes().all(|byte| byte.is_ascii_digit());
                let blocks = if digits { value.parse().ok() } else { None };
                let blocks = blocks.filter(|blocks| (1..=Walk::MOST_BLOCKS).contains(blocks));
                chunk = blocks.ok_or(Some("1 to 1024"))?;
            }
            _ => return Err(None),
        }
        Ok(())
    })?;
    if !contiguous {
        return Ok(DomainsConfig::Interleave { chunk }.into());
    }
    match part.arguments.iter().find(|(key, _)| key.text == "chunk") {
        Some((key, _)) => Err(reader.error(CompositionErrorKind::ChunkOfContiguous, *key)),
        None => Ok(DomainsConfig::Contiguous.into()),
    }
}

impl fmt::Display for DomainsConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interleave { chunk } => write!(f, "domains(policy=interleave,chunk={chunk})"),
            Self::Contiguous => f.write_str("domains(policy=contiguous)"),
        }
    }
}

impl Base for DomainsConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        let gates = |smx| Gates::new(build.gates_of(smx));
        build.managed(DomainsScheduler::new(build.plan, build.limits, *self, gates))
    }

    fn rules(&self) -> PolicyRules {
        PolicyRules { domains: Some(*self), ..Default::default() }
    }

    fn without_credits(&self) -> Option<CompositionErrorKind> {
        Some(CompositionErrorKind::NoCreditsForDomains)
    }
}
