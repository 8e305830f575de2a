//! A scheduler's name: `source[/variant][(key=value,...)][+gate(key=value,...)]...`.

mod error;
mod meaning;
mod syntax;

pub use error::{CompositionError, CompositionErrorKind};

use super::claso::Levels;
use super::dyncta::DynctaConfig;
use super::ikra::IkraConfig;
use super::laperm::LapermConfig;
use super::srtf::{OracleConfig, SrtfConfig};
use crate::port::{DevicePorts, LaunchMode};
use std::fmt;
use std::str::FromStr;

/// Which kernel gives the next thread block, and to which SMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// `rr`: first come, first served kernels; round robin over the SMXs.
    RoundRobin,
    /// `rr(start=last-finished)`: the same, but when a kernel ends the pointer moves behind the SMX that
    /// finished last.
    RestartingRoundRobin,
    /// `rr-gpgpusim`: one kernel after another; up to one block an SMX and cycle.
    GpgpuSim,
    /// `laperm/tb-pri`, `laperm/smx-bind`, `laperm/adaptive-bind`: what blocks launch goes first, from
    /// priority queues; one SMX after the other.
    Laperm(LapermConfig),
    /// `ikra/chunk`, `ikra/reset`, `ikra/flip`, `ikra/steal`: one kernel after another, of which every SMX has a
    /// contiguous chunk.
    Ikra(IkraConfig),
    /// `mpmax`: the oldest kernel beside which a block of its co-runners would fit.
    Mpmax,
    /// `srtf`, `srtf/adaptive`: the kernel with the least predicted remaining time.
    Srtf(SrtfConfig),
    /// `sjf`, `ljf`, `srtf/zero-sampling`: by run times that are given.
    Oracle(OracleConfig),
}

/// Whether it may go now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// `claso(pa=1,pl=0)`: credits that balance the number of blocks a core receives. Not with `laperm/smx-bind`,
    /// `ikra/steal`, [`Source::Mpmax`], [`Source::Srtf`] and [`Source::Oracle`].
    Claso(Levels),
    /// `dyncta(period=2048,idle=16,low=128,high=384)`: a limit of resident blocks for each SMX.
    Dyncta(DynctaConfig),
}

/// A scheduler: a source with its placement, and the gates that every block passes.
///
/// `FromStr` reads its name; `Display` writes the canonical one, with every parameter stated.
///
/// ```
/// # use blockyard_sim::sched::Composition;
/// let composition: Composition = "fifo+claso(pl=3)".parse()?;
/// assert_eq!(composition.to_string(), "rr+claso(pa=1,pl=3)");
/// # Ok::<(), blockyard_sim::sched::CompositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Composition {
    /// Where blocks come from and go to.
    pub source: Source,
    /// In the order in which they are asked; no kind of gate twice.
    pub gates: Vec<Gate>,
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

    /// Which ports of launches from the device the scheduler has under `mode`.
    pub fn device_ports(&self, mode: LaunchMode) -> DevicePorts {
        match self.source {
            Source::Laperm(_) => DevicePorts::Priority,
            Source::Srtf(_) => DevicePorts::Timed,
            Source::Ikra(config) if config.nesting().is_some() => DevicePorts::Nested,
            Source::RoundRobin
            | Source::RestartingRoundRobin
            | Source::GpgpuSim
            | Source::Ikra(_)
            | Source::Mpmax
            | Source::Oracle(_) => mode.into(),
        }
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
        match self.source {
            Source::RoundRobin => write!(f, "rr")?,
            Source::RestartingRoundRobin => write!(f, "rr(start=last-finished)")?,
            Source::GpgpuSim => write!(f, "rr-gpgpusim")?,
            Source::Laperm(config) => write!(f, "{config}")?,
            Source::Ikra(config) => write!(f, "{config}")?,
            Source::Mpmax => write!(f, "mpmax")?,
            Source::Srtf(config) => write!(f, "{config}")?,
            Source::Oracle(config) => write!(f, "{config}")?,
        }
        for gate in &self.gates {
            match gate {
                Gate::Claso(levels) => {
                    write!(f, "+claso(pa={},pl={})", levels.active, levels.loose)?;
                }
                Gate::Dyncta(DynctaConfig { period, idle, low, high }) => {
                    write!(f, "+dyncta(period={period},idle={idle},low={low},high={high})")?;
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
    /// Whether this is the gate of that name, without its `+` and keys.
    fn is_gate(&self, gate: &str) -> bool {
        let name = self.name.strip_prefix('+').and_then(|name| name.split('(').next());
        name == Some(gate)
    }
}

/// Every source and gate that [`Composition`] accepts, for `blockyard list schedulers`.
pub fn known() -> &'static [Known] {
    &[
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
        Known {
            name: "rr-gpgpusim",
            description: "one kernel after another; up to one block an SMX and cycle",
            paper: "GPGPU-Sim 4.2 and Accel-Sim, their built-in scheduler",
        },
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
                nesting; no gate but dyncta",
            paper: "IKRA (TACO 2020), section 4.4",
        },
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
        Known {
            name: "+claso(pa=1,pl=0)",
            description:
                "gate: credits balance the blocks a core receives; pa active and pl loose levels",
            paper: "CLASO (IJPP 2014), section 3",
        },
        Known {
            name: "+dyncta(period=2048,idle=16,low=128,high=384)",
            description:
                "gate: a limit of resident blocks an SMX follows its idle and memory-bound cycles",
            paper: "DYNCTA (PACT 2013), section 4",
        },
    ]
}

#[cfg(test)]
mod tests;
