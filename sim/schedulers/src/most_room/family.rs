//! `most-room`.

use super::scheduler::scheduler;
use crate::composition::Known;
use crate::device_launch::LaunchModeError;
use crate::dtbl;
use crate::family::{Base, Build, Family};
use crate::invariants::{BlockOrder, IssueRule, PolicyRules};
use crate::kmu::KmuScheduler;
use crate::port::LaunchMode;
use crate::remembering::Remembering;
use crate::Twin;
use std::fmt;

/// Placement by what an SMX has left, `docs/most-room.md`, with launches from the device as on
/// `docs/dtbl.md`.
pub static FAMILY: Family = Family {
    name: "most-room",
    page: "docs/most-room.md",
    known: &[Known {
        name: "most-room",
        description:
            "as rr, but a block goes to the SMX on which most blocks of its kind still fit",
        paper: "Gilman et al. (SIGMETRICS PER 2020), of Pascal, Volta and Turing",
    }],
    covering: &["most-room"],
    suite: &["most-room", "most-room+claso", "most-room+dyncta(period=64,idle=3,low=8,high=16)"],
    cover: &[crate::dispatch::cover::ALL, crate::kmu::cover::ALL, crate::dtbl::cover::ALL],
    read: |reader, part| {
        reader.no_variant(part)?;
        reader.no_keys(part)?;
        Ok(MostRoomConfig.into())
    },
    keys: |name, _| format!("`{name}` takes no keys"),
};

/// It has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MostRoomConfig;

impl fmt::Display for MostRoomConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FAMILY.name)
    }
}

impl Base for MostRoomConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        let Build { smx, limits, .. } = *build;
        match build.launch {
            LaunchMode::Dtbl => {
                let storage = build.group_storage()?;
                let twin = dtbl::Dispatcher::by_room(smx, limits, storage, build.gates());
                Ok(Remembering::boxed(KmuScheduler::new(twin)))
            }
            _ => build.managed(scheduler(smx, limits, build.gates())),
        }
    }

    fn rules(&self) -> PolicyRules {
        let (order, issue) = (BlockOrder::Increasing, IssueRule::OneACycle);
        PolicyRules { order, issue, busy: true, most_room: true, ..Default::default() }
    }
}
