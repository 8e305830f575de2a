//! What was found of one property.

use blockyard_rtl::property::Kind;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// How a property ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "result")]
pub enum Outcome {
    /// It holds for all time.
    Proved,
    /// It holds in so many cycles from the reset on.
    Bounded {
        /// The cycles, that of the reset included.
        depth: usize,
    },
    /// It does not hold.
    Refuted {
        /// Cycles of the counter-example, that of the reset included.
        cycles: usize,
        /// The folder with it.
        trace: PathBuf,
    },
    /// A cover point is reached in this cycle, that of the reset being 0.
    Reached {
        /// The cycle.
        cycle: usize,
    },
    /// A cover point is not reached: what is assumed may leave no room.
    Unreached,
    /// Neither proved nor refuted.
    Undecided {
        /// Why.
        why: String,
    },
}

/// A row of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name in the module.
    pub property: String,
    /// `assert`, `invariant` or `cover`.
    #[serde(serialize_with = "kind_name")]
    pub kind: Kind,
    /// As in the catalog.
    pub module: String,
    /// The module's parameters.
    pub size: String,
    /// What decided.
    pub engine: String,
    /// Wall time of all properties that were decided together.
    pub seconds: f64,
    /// What came out.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Row {
    /// Whether it is as it should be: neither refuted nor a cover point out of reach. What is not decided is no failure.
    pub fn is_fine(&self) -> bool {
        !matches!(self.outcome, Outcome::Refuted { .. } | Outcome::Unreached)
    }

    /// Whether it is proved, for all time or to a depth, or reached.
    pub fn is_decided(&self) -> bool {
        self.is_fine() && !matches!(self.outcome, Outcome::Undecided { .. })
    }
}

/// A kind, in a word.
pub fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Assert => "assert",
        Kind::Invariant => "invariant",
        Kind::Assume => "assume",
        Kind::Cover => "cover",
    }
}

fn kind_name<S: serde::Serializer>(kind: &Kind, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(word(*kind))
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Proved => write!(f, "proved for all time"),
            Outcome::Bounded { depth } => write!(f, "holds for {depth} cycles"),
            Outcome::Refuted { cycles, trace } => {
                write!(f, "REFUTED in {cycles} cycles: {}", trace.display())
            }
            Outcome::Reached { cycle } => write!(f, "reached in cycle {cycle}"),
            Outcome::Unreached => write!(f, "NOT REACHED"),
            Outcome::Undecided { why } => write!(f, "not decided: {why}"),
        }
    }
}
