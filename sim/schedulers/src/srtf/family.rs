//! `mpmax`, `srtf`, `srtf/adaptive`, and the oracles `sjf`, `ljf` and `srtf/zero-sampling`.

use super::{
    MpmaxScheduler, Oracle, OracleConfig, OracleKind, Policy, RuntimeList, SrtfConfig,
    SrtfScheduler,
};
use crate::composition::syntax::Part;
use crate::composition::{CompositionError, CompositionErrorKind as Kind, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{BlockOrder, EntryRule, PolicyRules};
use crate::port::BlockPorts;
use crate::Twin;
use std::fmt;

/// Concurrent kernels, the shortest first: `docs/srtf.md`.
pub static FAMILY: Family = Family {
    name: "srtf",
    page: "docs/srtf.md",
    known: &[
    Known {
        name: "mpmax",
        description:
            "concurrent kernels, each leaving room for a block of its co-runners; no gate but dyncta",
        paper: "SRTF (2014), section 5.2.2",
    },
    Known {
        name: "srtf",
        description:
            "the kernel with the least predicted remaining time first; keys sample; no gate but dyncta",
        paper: "SRTF (2014), section 5.1.1",
    },
    Known {
        name: "srtf/adaptive",
        description:
            "the same; shares where that is unfair; keys sample, limit, threshold (percent)",
        paper: "SRTF (2014), section 5.1.2",
    },
    Known {
        name: "srtf/zero-sampling(runtimes=24853:416563)",
        description: "the same by given run times, without a sample (golden engine)",
        paper: "SRTF (2014), section 6.2.2",
    },
    Known {
        name: "sjf(runtimes=24853:416563)",
        description: "the kernel of the least given run time first; keys runtimes, wait (golden engine)",
        paper: "SRTF (2014), section 2",
    },
    Known {
        name: "ljf(runtimes=24853:416563)",
        description: "the kernel of the most given run time first; keys runtimes, wait (golden engine)",
        paper: "SRTF (2014), section 2",
    },
    ],
    covering: &["mpmax", "srtf", "srtf/adaptive"],
    suite: &[
        "mpmax",
        "mpmax+dyncta(period=64,idle=4095,low=4095,high=4095)",
        "srtf",
        "srtf(sample=3)",
        "srtf+dyncta(period=64,idle=3,low=8,high=16)",
        "srtf/adaptive",
        "srtf/adaptive(limit=1,threshold=0)",
        "srtf/adaptive(sample=2,limit=2,threshold=20)",
    ],
    cover: &[super::cover::ALL, crate::dispatch::cover::ALL],
    read,
    keys: |name, _| match name {
        "mpmax" => format!("`{name}` takes no keys"),
        "srtf" => "the key of srtf is sample (1 to 255); of srtf/adaptive also limit (1 to 16) and threshold \
            (0 to 1000); of srtf/zero-sampling runtimes"
            .to_owned(),
        _ => format!("the keys of {name} are runtimes (24853:416563) and wait (0 to 65535)"),
    },
};

/// The oldest kernel beside which a block of its co-runners would fit. It has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MpmaxConfig;

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    let policy = match (part.name.text, part.variant.map(|variant| variant.text)) {
        ("srtf", Some("zero-sampling")) => return oracle(reader, part, OracleKind::Remaining),
        ("srtf", Some("adaptive")) => Policy::Adaptive,
        (name, _) => {
            reader.no_variant(part)?;
            match name {
                "mpmax" => {
                    reader.no_keys(part)?;
                    return Ok(MpmaxConfig.into());
                }
                "sjf" => return oracle(reader, part, OracleKind::Shortest),
                "ljf" => return oracle(reader, part, OracleKind::Longest),
                _ => Policy::Shortest,
            }
        }
    };
    let mut config = SrtfConfig::new(policy);
    reader.configure(part, part.name.text, |key, value| config.set(key, value))?;
    Ok(config.into())
}

fn oracle(
    reader: &Reader<'_>,
    part: &Part<'_>,
    kind: OracleKind,
) -> Result<Source, CompositionError> {
    let (mut runtimes, mut wait) = (None, 0);
    reader.configure(part, part.name.text, |key, value| match key {
        "runtimes" => {
            runtimes = Some(RuntimeList::parse(value).ok_or(Some(RuntimeList::EXPECTED))?);
            Ok(())
        }
        "wait" if kind != OracleKind::Remaining => {
            let digits = value.bytes().all(|byte| byte.is_ascii_digit());
            let number = if digits { value.parse().ok() } else { None };
            wait = number.ok_or(Some("0 to 65535"))?;
            Ok(())
        }
        _ => Err(None),
    })?;
    let missing = || reader.error(Kind::MissingRuntimes(part.name.text.to_owned()), part.name);
    Ok(OracleConfig { kind, runtimes: runtimes.ok_or_else(missing)?, wait }.into())
}

/// What all of them promise: the entries are [`EntryRule::LowestOfEight`] where there is hardware.
fn rules(entries: EntryRule) -> PolicyRules {
    PolicyRules { order: BlockOrder::Increasing, entries, ..Default::default() }
}

impl fmt::Display for MpmaxConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mpmax")
    }
}

impl Base for MpmaxConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        build.only_flat(LaunchModeError::Concurrent, |build| {
            MpmaxScheduler::new(build.smx, build.limits, build.gates())
        })
    }

    fn rules(&self) -> PolicyRules {
        rules(EntryRule::LowestOfEight)
    }

    fn without_credits(&self) -> Option<Kind> {
        Some(Kind::NoCreditsForConcurrentKernels("mpmax".to_owned()))
    }
}

impl Base for SrtfConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        build.only_flat(LaunchModeError::Concurrent, |build| {
            SrtfScheduler::new(build.smx, build.limits, *self, build.gates())
        })
    }

    fn rules(&self) -> PolicyRules {
        PolicyRules { slots: true, ..rules(EntryRule::LowestOfEight) }
    }

    fn block_ports(&self) -> BlockPorts {
        BlockPorts::Timed
    }

    fn without_credits(&self) -> Option<Kind> {
        let name = match self.policy {
            Policy::Shortest => "srtf",
            Policy::Adaptive => "srtf/adaptive",
        };
        Some(Kind::NoCreditsForConcurrentKernels(name.to_owned()))
    }
}

impl Base for OracleConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        build.only_flat(LaunchModeError::Concurrent, |build| {
            Oracle::new(build.smx, build.limits, *self, build.gates())
        })
    }

    fn rules(&self) -> PolicyRules {
        rules(EntryRule::LowestFree)
    }

    fn without_credits(&self) -> Option<Kind> {
        let name = match self.kind {
            OracleKind::Shortest => "sjf",
            OracleKind::Longest => "ljf",
            OracleKind::Remaining => "srtf/zero-sampling",
        };
        Some(Kind::NoCreditsForConcurrentKernels(name.to_owned()))
    }
}
