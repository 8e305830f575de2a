//! `priority`.

use super::LevelControl;
use crate::composition::syntax::Part;
use crate::composition::{CompositionError, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::dispatch::Dispatcher;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::Twin;
use std::fmt;

/// Kernels by priority, `docs/priority.md`.
pub static FAMILY: Family = Family {
    name: "priority",
    page: "docs/priority.md",
    known: &[Known {
        name: "priority",
        description: "as rr, but blocks of the most urgent kernel go first; key levels",
        paper: "CUDA C++ programming guide, stream priorities",
    }],
    covering: &["priority", "priority(levels=2)"],
    suite: &[
        "priority",
        "priority+claso",
        "priority(levels=2)",
        "priority(levels=8)+dyncta(period=64,idle=3,low=8,high=16)",
        "priority(levels=2)+dyncta+claso",
    ],
    cover: &[crate::dispatch::cover::ALL],
    read,
    keys: |name, _| format!("the one key of {name} is levels (2 to 8)"),
};

/// Kernels of the most urgent priority first, first come, first served within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriorityConfig {
    /// L: priorities that are told apart, 2 to 8; larger ones count as `L - 1`.
    pub levels: u8,
}

impl Default for PriorityConfig {
    /// As many as CUDA has.
    fn default() -> Self {
        Self { levels: 6 }
    }
}

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    reader.no_variant(part)?;
    let mut config = PriorityConfig::default();
    reader.configure(part, part.name.text, |key, value| {
        if key != "levels" {
            return Err(None);
        }
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        let levels = if digits { value.parse().ok() } else { None };
        let levels =
            levels.filter(|&levels| (2..=LevelControl::MOST_LEVELS).contains(&usize::from(levels)));
        config.levels = levels.ok_or(Some("2 to 8"))?;
        Ok(())
    })?;
    Ok(config.into())
}

impl fmt::Display for PriorityConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "priority(levels={})", self.levels)
    }
}

impl Base for PriorityConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        let Build { smx, limits, .. } = *build;
        build.managed(Dispatcher::by_priority(smx, limits, self.levels.into(), build.gates()))
    }

    fn rules(&self) -> PolicyRules {
        let (order, issue) = (BlockOrder::Increasing, IssueRule::OneACycle);
        PolicyRules { order, issue, busy: true, priority: Some(*self), ..Default::default() }
    }
}
