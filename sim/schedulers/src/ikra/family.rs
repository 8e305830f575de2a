//! `ikra/chunk`, `ikra/reset`, `ikra/flip` and `ikra/steal`.

use super::{IkraConfig, IkraScheduler, NestedScheduler, OwnWork, StealConfig};
use crate::composition::syntax::Part;
use crate::composition::{CompositionError, CompositionErrorKind as Kind, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::{EntryRule, IssueRule, PolicyRules};
use crate::port::{DevicePorts, LaunchMode};
use crate::remembering::Remembering;
use crate::Twin;

/// The same block on the same SMX, kernel after kernel: `docs/ikra.md`.
pub static FAMILY: Family = Family {
    name: "ikra",
    page: "docs/ikra.md",
    known: &[
    Known {
        name: "ikra/chunk",
        description:
            "one kernel after another; a chunk for each SMX, from the one after the last finisher",
        paper: "IKRA (TACO 2020), section 4.1",
    },
    Known {
        name: "ikra/reset",
        description: "the same, chunks from SMX 0: the same block on the same SMX",
        paper: "IKRA (TACO 2020), section 4.2",
    },
    Known {
        name: "ikra/flip",
        description: "the same, forward and backward in turn",
        paper: "IKRA (TACO 2020), section 4.3",
    },
    Known {
        name: "ikra/steal",
        description:
            "the same; an idle SMX steals, and keeps what it stole; keys queue, latency, full, relations, \
            thief, nesting; no gate but dyncta",
        paper: "IKRA (TACO 2020), section 4.4",
    },
    ],
    covering: &[
        "ikra/chunk",
        "ikra/reset",
        "ikra/flip",
        "ikra/steal",
        "ikra/steal(queue=2,latency=3,full=stop)",
        "ikra/steal(relations=on)",
        "ikra/steal(thief=dispatched)",
        "ikra/steal(nesting=2)",
        "ikra/steal(nesting=4)",
    ],
    suite: &[
        "ikra/chunk",
        "ikra/reset",
        "ikra/flip",
        "ikra/flip+claso",
        "ikra/chunk+dyncta(period=64,idle=4095,low=0,high=1)",
        "ikra/steal",
        "ikra/steal+dyncta(period=64,idle=3,low=8,high=16)",
        "ikra/steal(queue=2,latency=1)",
        "ikra/steal(queue=2,latency=16)",
        "ikra/steal(queue=2,latency=0,full=stop)",
        "ikra/steal(queue=4,latency=5,full=stop)",
        "ikra/steal(relations=on)",
        "ikra/steal(queue=2,latency=3,relations=on)",
        "ikra/steal(thief=dispatched)",
        "ikra/steal(queue=2,latency=5,thief=dispatched)",
        "ikra/steal(queue=4,full=stop,thief=dispatched)",
        "ikra/steal(relations=on,thief=dispatched)",
        "ikra/steal(nesting=2)",
        "ikra/steal(nesting=4)",
        "ikra/steal(queue=2,nesting=2)",
        "ikra/steal(queue=2,nesting=4)",
        "ikra/steal(nesting=2)+dyncta(period=64,idle=3,low=8,high=16)",
    ],
    cover: &[super::cover::ALL, crate::dispatch::cover::ALL, crate::kmu::cover::ALL],
    read,
    keys: |name, _| match name {
        "ikra/steal" => "the keys of ikra/steal are queue (2, 4, 8, 16 or 32), latency (0 to 31), full \
            (reinitialise or stop), relations (on or off), thief (executed or dispatched) and nesting (2 or 4)"
            .to_owned(),
        _ => format!("`{name}` takes no keys"),
    },
};

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    let mut config = reader.variant(part, IkraConfig::named)?;
    let name = format!("ikra/{}", config.variant());
    reader.configure(part, &name, |key, value| config.set(key, value))?;
    let IkraConfig::Steal(steal) = &mut config else { return Ok(config.into()) };
    // What is not written excludes nothing.
    let excluded = steal.excluded_by_nesting();
    match part.arguments.iter().find(|(key, _)| excluded == Some(key.text)) {
        None => {
            if steal.nesting.is_some() {
                steal.thief = OwnWork::Dispatched;
            }
            Ok(config.into())
        }
        Some((key, value)) => {
            let (key, text) = (key.text.to_owned(), value.text.to_owned());
            Err(reader.error(Kind::ExcludedByNesting { key, value: text }, *value))
        }
    }
}

impl Base for IkraConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        let Build { smx, limits, launch, composition, .. } = *build;
        let Self::Steal(StealConfig { queue, nesting: Some(nesting), .. }) = *self else {
            return build.only_flat(LaunchModeError::OneAtATime, |build| {
                IkraScheduler::new(smx, limits, *self, build.gates())
            });
        };
        if launch == LaunchMode::Dtbl {
            return Err(LaunchModeError::NestedGroups(composition.clone()));
        }
        Ok(Remembering::boxed(NestedScheduler::new(smx, limits, nesting, queue, build.gates())))
    }

    fn rules(&self) -> PolicyRules {
        let (issue, entries) = match self.nesting() {
            Some(_) => (IssueRule::Any, EntryRule::LowestFree),
            None => (IssueRule::OldestAlone, EntryRule::Ring),
        };
        PolicyRules { issue, entries, ikra: Some(*self), ..Default::default() }
    }

    fn device_ports(&self, mode: LaunchMode) -> DevicePorts {
        match self.nesting() {
            Some(_) => DevicePorts::Nested,
            None => mode.into(),
        }
    }

    fn without_credits(&self) -> Option<Kind> {
        matches!(self, Self::Steal(_)).then_some(Kind::NoCreditsForStolenBlocks)
    }
}
