//! `rr`, `fifo` and `rr(start=last-finished)`.

use super::Dispatcher;
use crate::composition::syntax::Part;
use crate::composition::{CompositionError, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::dtbl;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::port::LaunchMode;
use crate::remembering::Remembering;
use crate::Twin;
use std::fmt;

/// The baseline, `docs/baseline.md`, with launches from the device as on `docs/dtbl.md`.
pub static FAMILY: Family = Family {
    name: "rr",
    page: "docs/baseline.md",
    known: &[
        Known {
            name: "rr",
            description:
                "kernels first come, first served; blocks round robin over the SMXs with room",
            paper: "DTBL (ISCA 2015), sections 2.2 to 4.2; LaPerm (ISCA 2016), section II-B",
        },
        Known {
            name: "fifo",
            description: "another name for rr",
            paper: "DTBL (ISCA 2015), sections 2.2 to 4.2; LaPerm (ISCA 2016), section II-B",
        },
        Known {
            name: "rr(start=last-finished)",
            description: "the same, each kernel from the SMX after the one that finished last",
            paper: "IKRA (TACO 2020), section 2.2, its baseline",
        },
    ],
    covering: &["rr", "rr(start=last-finished)"],
    suite: &[
        "rr",
        "rr+claso",
        "rr+claso(pa=2,pl=1)",
        "rr+claso(pa=9,pl=9)",
        "rr+dyncta(period=64,idle=3,low=8,high=16,pause=1)",
        "rr+dyncta+claso",
        "rr(start=last-finished)",
        "rr(start=last-finished)+claso(pa=65535,pl=65535)",
    ],
    cover: &[super::cover::ALL, crate::kmu::cover::ALL, crate::dtbl::cover::ALL],
    read,
    keys: |name, _| format!("the one key of {name} is start (last-finished)"),
};

/// First come, first served kernels; round robin over the SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundRobinConfig {
    /// When a kernel ends, the pointer moves behind the SMX that finished last.
    pub restarting: bool,
}

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    reader.no_variant(part)?;
    let mut config = RoundRobinConfig::default();
    reader.configure(part, part.name.text, |key, value| match (key, value) {
        ("start", "last-finished") => {
            config.restarting = true;
            Ok(())
        }
        ("start", _) => Err(Some("last-finished")),
        _ => Err(None),
    })?;
    Ok(config.into())
}

impl fmt::Display for RoundRobinConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.restarting { "rr(start=last-finished)" } else { "rr" })
    }
}

impl Base for RoundRobinConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        let Build { smx, limits, .. } = *build;
        match build.launch {
            LaunchMode::Dtbl if !self.restarting => {
                let storage = build.group_storage()?;
                let twin = dtbl::scheduler::scheduler(smx, limits, storage, build.gates());
                Ok(Remembering::boxed(twin))
            }
            _ if self.restarting => {
                build.managed(Dispatcher::restarting(smx, limits, build.gates()))
            }
            _ => build.managed(Dispatcher::new(smx, limits, build.gates())),
        }
    }

    fn rules(&self) -> PolicyRules {
        let (order, issue) = (BlockOrder::Increasing, IssueRule::OneACycle);
        PolicyRules { order, issue, busy: true, ..Default::default() }
    }
}
