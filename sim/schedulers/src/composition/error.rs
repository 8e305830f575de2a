//! Why a scheduler's name was refused, and where.

use super::{known, Known};
use crate::family;
use blockyard_contract::key::asked;
use miette::{Diagnostic, SourceSpan};

/// A string that names no scheduler.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[error("{kind}")]
#[diagnostic(code(blockyard::scheduler))]
pub struct CompositionError {
    /// What is wrong.
    pub kind: Box<CompositionErrorKind>,
    /// The whole string.
    #[source_code]
    pub text: String,
    /// The part of it that is wrong, in bytes; empty where something is missing.
    #[label("here")]
    pub span: SourceSpan,
    /// What is known instead.
    #[help]
    pub help: String,
}

/// What can be wrong with a scheduler's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionErrorKind {
    /// There is no name at all.
    #[error("the scheduler is an empty string")]
    Empty,
    /// A name should begin here.
    #[error("the name of a {0} is missing")]
    MissingName(&'static str),
    /// No source has that name.
    #[error("unknown scheduler `{0}`")]
    UnknownScheduler(String),
    /// The source or gate has no such variant.
    #[error("`{name}` has no variant `{variant}`")]
    UnknownVariant {
        /// The source or gate.
        name: String,
        /// What follows its slash.
        variant: String,
    },
    /// The source only comes in variants.
    #[error("`{0}` needs a variant")]
    MissingVariant(String),
    /// No gate has that name.
    #[error("unknown gate `{0}`")]
    UnknownGate(String),
    /// A gate stands where a source belongs.
    #[error("`{0}` is a gate, not a scheduler")]
    GateAsScheduler(String),
    /// The source or gate has no such key.
    #[error("`{name}` has no key `{key}`")]
    UnknownKey {
        /// The source or gate.
        name: String,
        /// The key.
        key: String,
    },
    /// The same key stands twice in one pair of parentheses.
    #[error("`{0}` is given twice")]
    RepeatedKey(String),
    /// A key without `=`.
    #[error("`{0}` has no value")]
    MissingValue(String),
    /// The value is not one that the key takes.
    #[error("`{key}` cannot be `{value}`: expected {expected}")]
    BadValue {
        /// The key.
        key: String,
        /// What follows its equals sign.
        value: String,
        /// What may follow it.
        expected: &'static str,
    },
    /// The lower of two thresholds is the higher one.
    #[error("`low` is {low}, which is more than `high`, {high}")]
    LowAboveHigh {
        /// Given or default.
        low: u16,
        /// Given or default.
        high: u16,
    },
    /// A key of `ikra/steal` has a value that cannot be together with levels of kernels.
    #[error("`nesting` and `{key}={value}` cannot be together")]
    ExcludedByNesting {
        /// The other key.
        key: String,
        /// What follows its equals sign.
        value: String,
    },
    /// A list of keys is not closed.
    #[error("a closing parenthesis is missing")]
    MissingParenthesis,
    /// The same gate stands twice.
    #[error("the gate `{0}` is there twice")]
    RepeatedGate(String),
    /// Credits for blocks that move from one SMX to another.
    #[error("`ikra/steal` does not take the gate `claso`")]
    NoCreditsForStolenBlocks,
    /// Credits where SMXs may want blocks of different kernels.
    #[error("`{0}` does not take the gate `claso`")]
    NoCreditsForConcurrentKernels(String),
    /// Credits for the one way of binding that leaves a block no other SMX.
    #[error("`laperm/smx-bind` does not take the gate `claso`")]
    NoCreditsForBoundGroups,
    /// Credits of single blocks where several go together.
    #[error("a scheduler of clusters does not take the gate `claso`")]
    NoCreditsForClusters,
    /// Credits of SMXs that a kernel may not use.
    #[error("`partitions` does not take the gate `claso`")]
    NoCreditsForPartitions,
    /// Credits of SMXs of which each domain has some.
    #[error("`domains` does not take the gate `claso`")]
    NoCreditsForDomains,
    /// The size of chunks where there are none.
    #[error("`policy=contiguous` and `chunk` cannot be together")]
    ChunkOfContiguous,
    /// An oracle that was told nothing.
    #[error("`{0}` needs the run times of the kernels")]
    MissingRuntimes(String),
    /// Something that belongs to nothing.
    #[error("`{0}` does not belong here")]
    TrailingGarbage(String),
}

impl CompositionError {
    /// The error at `length` bytes of `text` from `at` on, with the help that suits its kind.
    pub(super) fn new(kind: CompositionErrorKind, text: &str, at: usize, length: usize) -> Self {
        let help = kind.help();
        Self { kind: Box::new(kind), text: text.to_owned(), span: (at, length).into(), help }
    }
}

impl CompositionErrorKind {
    fn help(&self) -> String {
        match self {
            Self::GateAsScheduler(name) => match known().find(|known| known.is_gate(name)) {
                Some(gate) => format!("`{name}` is a gate: rr{}", gate.name),
                None => everything(),
            },
            Self::NoCreditsForStolenBlocks => {
                "a credit would have to be kept for a block that is on its way to its thief; ikra/chunk, \
                ikra/reset and ikra/flip take claso, ikra/steal takes dyncta"
                    .to_owned()
            }
            Self::NoCreditsForConcurrentKernels(_) => {
                "credits bind a kernel's blocks to SMXs, but under mpmax and srtf each SMX chooses a kernel of \
                its own: two SMXs could wait for each other for ever, each without a credit of the kernel that \
                it chose; they and the oracles take dyncta"
                    .to_owned()
            }
            Self::NoCreditsForBoundGroups => {
                "a bound group could starve: no other SMX may take what its own has no credits for; \
                laperm/adaptive-bind and laperm/tb-pri take claso, laperm/smx-bind takes dyncta"
                    .to_owned()
            }
            Self::NoCreditsForClusters => {
                "credits are of single blocks, and a cluster would need one on each of its SMXs at once; \
                clusters and launch-control(policy=...) take dyncta, launch-control takes claso"
                    .to_owned()
            }
            Self::NoCreditsForPartitions => {
                "credits are dealt out over all SMXs: those of one partition would not suffice for a kernel's \
                blocks; partitions takes dyncta"
                    .to_owned()
            }
            Self::NoCreditsForDomains => {
                "credits are dealt out over all SMXs: those of a domain would not suffice for its share of a \
                kernel's blocks; domains takes dyncta"
                    .to_owned()
            }
            Self::ChunkOfContiguous => {
                "each domain has one range of a kernel's blocks; chunk is of policy=interleave".to_owned()
            }
            Self::MissingRuntimes(_) => {
                "in cycles, in order of launch: `runtimes=24853:416563`; a run of each kernel alone tells them"
                    .to_owned()
            }
            Self::MissingVariant(_) => everything(),
            Self::LowAboveHigh { .. } => {
                "an SMX gets more blocks below `low` and fewer from `high` on".to_owned()
            }
            Self::ExcludedByNesting { .. } => "with levels of kernels messages take no longer than a register \
                (latency=0), a full queue leads to new chunks (full=reinitialise), relations are off, and \
                thieves do not wait for their own blocks (thief=dispatched), since one that waits for \
                its children would keep its SMX from stealing for good"
                .to_owned(),
            Self::MissingParenthesis
            | Self::MissingValue(_)
            | Self::MissingName(_)
            | Self::TrailingGarbage(_) => format!(
                "a scheduler is source[/variant][(key=value,...)][+gate(key=value,...)]...; {}",
                everything()
            ),
            Self::RepeatedGate(_) => "each gate may be added once".to_owned(),
            Self::RepeatedKey(_) => "each key may be given once".to_owned(),
            Self::UnknownKey { name, .. } if name == "claso" => {
                "the keys of claso are pa (1 to 65535) and pl (0 to 65535)".to_owned()
            }
            Self::UnknownKey { name, .. } if name == "dyncta" => "the keys of dyncta are period \
                (1 to 4095), idle, low and high (0 to 4095)"
                .to_owned(),
            Self::UnknownKey { name, key } => {
                let stem = name.split('/').next().unwrap_or_default();
                let family = family::of(stem).expect("only what has keys has unknown ones");
                (family.keys)(name, key)
            }
            Self::BadValue { .. } => "a default is taken where the key is left out".to_owned(),
            Self::UnknownScheduler(name) => {
                asked(name, sources().map(|known| bare(known.name)), &everything())
            }
            Self::UnknownVariant { name, variant } => {
                let own = sources().filter(|known| known.stem() == name);
                let variants = own.filter_map(|known| bare(known.name).split_once('/'));
                asked(variant, variants.map(|(_, variant)| variant), &everything())
            }
            Self::UnknownGate(name) => {
                let gates = known().filter_map(|known| known.name.strip_prefix('+'));
                asked(name, gates.map(bare), &everything())
            }
            Self::Empty => everything(),
        }
    }
}

/// What is no gate.
fn sources() -> impl Iterator<Item = Known> {
    known().filter(|known| !known.name.starts_with('+'))
}

/// A name without its keys.
fn bare(name: &'static str) -> &'static str {
    name.split('(').next().unwrap_or_default()
}

/// All names, as a sentence.
fn everything() -> String {
    let is_gate = |name: &&str| name.starts_with('+');
    let names = || known().map(|known| known.name);
    let sources: Vec<_> = names().filter(|name| !is_gate(name)).collect();
    let gates: Vec<_> = names().filter(is_gate).collect();
    format!("known schedulers: {}; known gates: {}", sources.join(", "), gates.join(", "))
}
