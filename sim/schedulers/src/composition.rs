//! A scheduler's name: `source[/variant][(key=value,...)][+gate(key=value,...)]...`.

mod error;
mod meaning;
mod reader;
pub(crate) mod syntax;

pub use crate::family::Source;
pub use error::{CompositionError, CompositionErrorKind};
pub(crate) use reader::Reader;

use super::claso::{self, Levels};
use super::dyncta::{DynctaConfig, Throttle};
use super::AdmissionGate;
use crate::family::FAMILIES;
use crate::port::{LaunchMode, SchedulerPorts, SmxLimits};
use std::fmt;
use std::str::FromStr;

/// Whether it may go now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// `claso(pa=1,pl=0)`: credits that balance the number of blocks a core receives; see
    /// [`crate::family::Base::without_credits`].
    Claso(Levels),
    /// `dyncta(period=2048,idle=16,low=128,high=384,pause=0)`: a limit of resident blocks for each
    /// SMX; with `pause=1` those beyond it are paused.
    Dyncta(DynctaConfig),
}

/// A scheduler: a source with its placement, and the gates that every block passes.
///
/// `FromStr` reads its name; `Display` writes the canonical one, with every parameter stated, but
/// for those that turn something on and are off.
///
/// ```
/// # use blockyard_schedulers::Composition;
/// let composition: Composition = "fifo+claso(pl=3)".parse()?;
/// assert_eq!(composition.to_string(), "rr+claso(pa=1,pl=3)");
/// # Ok::<(), blockyard_schedulers::CompositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Composition {
    /// Where blocks come from and go to.
    pub source: Source,
    /// In the order in which they are asked; no kind of gate twice.
    pub gates: Vec<Gate>,
}

impl Gate {
    /// The twin of the gate over `smx` SMXs that each hold what `limits` says.
    pub(crate) fn twin(&self, smx: usize, limits: SmxLimits) -> Box<dyn AdmissionGate> {
        match *self {
            Self::Claso(levels) => Box::new(claso::Gate::new(smx, levels)),
            Self::Dyncta(config) => Box::new(Throttle::new(smx, limits.thread_block_slots, config)),
        }
    }
}

impl Composition {
    /// Every how many cycles the SMXs have to send what they counted
    /// ([`crate::port::Inputs::samples`]); `None` when no gate samples anything.
    pub fn sample_period(&self) -> Option<u16> {
        self.gates.iter().find_map(|gate| match gate {
            Gate::Dyncta(config) => Some(config.period),
            Gate::Claso(_) => None,
        })
    }

    /// Which ports the scheduler has under `mode` beside those that all have.
    pub fn ports(&self, mode: LaunchMode) -> SchedulerPorts {
        let base = self.source.base();
        SchedulerPorts { device: base.device_ports(mode), blocks: base.block_ports() }
    }
}

impl Composition {
    /// Its shortest name: the canonical one without the keys that have their defaults.
    pub fn brief(&self) -> String {
        let mut name = self.to_string();
        let parts = syntax::parts(&name).expect("a canonical name is a name");
        let arguments = parts.iter().flat_map(|part| &part.arguments);
        let spans: Vec<_> =
            arguments.map(|(key, value)| key.at..value.at + value.text.len()).collect();
        for span in spans.into_iter().rev() {
            let first = name[..span.start].ends_with('(');
            let last = name[span.end..].starts_with(')');
            let with_separator = match (first, last) {
                (true, true) => span.start - 1..span.end + 1,
                (_, false) => span.start..span.end + 1,
                (false, true) => span.start - 1..span.end,
            };
            let mut shorter = name.clone();
            shorter.replace_range(with_separator, "");
            if shorter.parse().as_ref() == Ok(self) {
                name = shorter;
            }
        }
        name
    }
}

impl FromStr for Composition {
    type Err = CompositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        meaning::composition(text, &syntax::parts(text)?)
    }
}

impl fmt::Display for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        for gate in &self.gates {
            match gate {
                Gate::Claso(levels) => {
                    write!(f, "+claso(pa={},pl={})", levels.active, levels.loose)?;
                }
                Gate::Dyncta(DynctaConfig { period, idle, low, high, pause }) => {
                    let pause = if *pause { ",pause=1" } else { "" };
                    write!(f, "+dyncta(period={period},idle={idle},low={low},high={high}{pause})")?;
                }
            }
        }
        Ok(())
    }
}

/// A name that may stand in a scheduler string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// As it is written; a gate begins with `+` and shows its keys with their defaults.
    pub name: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
    /// The paper that it comes from.
    pub paper: &'static str,
}

impl Known {
    /// A source's name without variant and keys.
    pub(crate) fn stem(&self) -> &'static str {
        self.name.split(['/', '(']).next().unwrap_or_default()
    }

    /// Whether this is the gate of that name, without its `+` and keys.
    fn is_gate(&self, gate: &str) -> bool {
        let name = self.name.strip_prefix('+').and_then(|name| name.split('(').next());
        name == Some(gate)
    }
}

/// The gates.
const GATES: [Known; 2] = [
    Known {
        name: "+claso(pa=1,pl=0)",
        description:
            "gate: credits balance the blocks a core receives; pa active and pl loose levels",
        paper: "CLASO (IJPP 2014), section 3",
    },
    Known {
        name: "+dyncta(period=2048,idle=16,low=128,high=384,pause=0)",
        description:
            "gate: a limit of resident blocks an SMX follows its idle and memory-bound cycles; 1 pauses those beyond",
        paper: "DYNCTA (PACT 2013), section 4",
    },
];

/// The cover points of the gates.
pub(crate) static COVER: &[crate::cover::Points] = &[claso::cover::ALL, super::dyncta::cover::ALL];

/// Every source and gate that [`Composition`] accepts, for `blockyard list schedulers`.
pub fn known() -> impl Iterator<Item = Known> {
    let sources = FAMILIES.iter().flat_map(|family| family.known);
    sources.chain(&GATES).copied()
}

#[cfg(test)]
mod tests;
