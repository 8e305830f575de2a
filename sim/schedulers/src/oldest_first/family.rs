//! `oldest-first`.

use super::Order;
use crate::composition::Known;
use crate::device_launch::LaunchModeError;
use crate::dispatch::Dispatcher;
use crate::family::{Base, Build, Family};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::Twin;
use std::fmt;

/// The example of `docs/adding-a-scheduler.md`, `docs/oldest-first.md`.
pub static FAMILY: Family = Family {
    name: "oldest-first",
    page: "docs/oldest-first.md",
    known: &[Known {
        name: "oldest-first",
        description: "as rr, but a block goes to the SMX that has waited longest for one",
        paper: "an example",
    }],
    covering: &["oldest-first"],
    suite: &["oldest-first", "oldest-first+claso"],
    cover: &[crate::dispatch::cover::ALL],
    read: |reader, part| {
        reader.no_variant(part)?;
        reader.no_keys(part)?;
        Ok(OldestFirstConfig.into())
    },
    keys: |name, _| format!("`{name}` takes no keys"),
};

/// It has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OldestFirstConfig;

impl fmt::Display for OldestFirstConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FAMILY.name)
    }
}

impl Base for OldestFirstConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        let mut gates = build.gates();
        gates.push(Box::new(Order::new(build.smx)));
        build.managed(Dispatcher::new(build.smx, build.limits, gates))
    }

    fn rules(&self) -> PolicyRules {
        let (order, issue) = (BlockOrder::Increasing, IssueRule::OneACycle);
        PolicyRules { order, issue, busy: true, ..Default::default() }
    }
}
