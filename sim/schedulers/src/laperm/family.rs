//! `laperm/tb-pri`, `laperm/smx-bind` and `laperm/adaptive-bind`.

use super::{Binding, LapermConfig, LapermScheduler};
use crate::composition::syntax::Part;
use crate::composition::{CompositionError, CompositionErrorKind, Known, Reader};
use crate::device_launch::LaunchModeError;
use crate::family::{Base, Build, Family, Source};
use crate::invariants::PolicyRules;
use crate::port::{DevicePorts, LaunchMode};
use crate::remembering::Remembering;
use crate::Twin;

/// Child blocks first, on their parent's SMX: `docs/laperm.md`.
pub static FAMILY: Family = Family {
    name: "laperm",
    page: "docs/laperm.md",
    known: &[
    Known {
        name: "laperm/tb-pri",
        description:
            "what blocks launch goes first, to any SMX; keys queue, levels, entries, cluster",
        paper: "LaPerm (ISCA 2016), section IV-A",
    },
    Known {
        name: "laperm/smx-bind",
        description:
            "what a block launches goes first, to the SMX (cluster) of that block; no gate but dyncta",
        paper: "LaPerm (ISCA 2016), section IV-B",
    },
    Known {
        name: "laperm/adaptive-bind",
        description: "the same; an SMX with nothing else takes what is bound to another one",
        paper: "LaPerm (ISCA 2016), section IV-C",
    },
    ],
    covering: &[
        "laperm/tb-pri",
        "laperm/smx-bind",
        "laperm/adaptive-bind",
        "laperm/adaptive-bind(queue=shifting)",
    ],
    suite: &[
        "laperm/tb-pri(levels=1,entries=2)",
        "laperm/tb-pri(levels=8,entries=1,queue=shifting)",
        "laperm/tb-pri",
        "laperm/smx-bind",
        "laperm/smx-bind(levels=2,entries=2)",
        "laperm/smx-bind(levels=8,entries=2,queue=shifting)",
        "laperm/smx-bind(cluster=2,entries=2)",
        "laperm/smx-bind+dyncta(period=64,idle=3,low=8,high=16)",
        "laperm/adaptive-bind(entries=2)",
        "laperm/adaptive-bind(levels=3,entries=4,queue=shifting)",
        "laperm/adaptive-bind(cluster=2,levels=6,entries=2)",
        "laperm/adaptive-bind",
        "laperm/tb-pri(entries=2)+claso",
        "laperm/adaptive-bind(entries=2)+claso",
    ],
    cover: &[super::cover::ALL, crate::dispatch::cover::ALL, crate::kmu::cover::ALL],
    read,
    keys: |_, key| match key {
        "nesting" => "LaPerm's priority queues say which level an SMX serves first, IKRA's chunk entries for \
            each level say it as well; ikra/steal takes nesting, laperm takes levels"
            .to_owned(),
        _ => "the keys of laperm are queue (shifting or linked), levels (1 to 8), entries (a power of two \
            from 1 to 2048) and cluster (1 to 144)"
            .to_owned(),
    },
};

fn read(reader: &Reader<'_>, part: &Part<'_>) -> Result<Source, CompositionError> {
    let bindings = [Binding::Shared, Binding::Bound, Binding::Adaptive];
    let find = |name: &str| bindings.into_iter().find(|binding| binding.name() == name);
    let mut config = LapermConfig::new(reader.variant(part, find)?);
    reader.configure(part, part.name.text, |key, value| config.set(key, value))?;
    Ok(config.into())
}

impl Base for LapermConfig {
    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn twin(&self, build: &Build<'_>) -> Result<Box<dyn Twin>, LaunchModeError> {
        let groups = build.launch == LaunchMode::Dtbl;
        let Build { smx, limits, .. } = *build;
        Ok(Remembering::boxed(LapermScheduler::new(smx, limits, *self, groups, build.gates())))
    }

    fn rules(&self) -> PolicyRules {
        PolicyRules { laperm: Some(*self), ..Default::default() }
    }

    fn device_ports(&self, _: LaunchMode) -> DevicePorts {
        DevicePorts::Priority
    }

    fn without_credits(&self) -> Option<CompositionErrorKind> {
        let bound = self.binding == Binding::Bound;
        bound.then_some(CompositionErrorKind::NoCreditsForBoundGroups)
    }
}
