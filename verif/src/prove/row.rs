//! What was found of one property.

use crate::replay::ReplayError;
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
    Undecided(Undecided),
}

/// Why something is neither proved nor refuted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Undecided {
    /// In a word.
    pub cause: Cause,
    /// In a sentence, with what was found nevertheless.
    pub why: String,
}

/// What stood in the way of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The step of the induction fails: an invariant is missing, or the promise does not hold.
    Induction,
    /// Another promise is refuted, on which the proof of this one would stand.
    Refuted,
}

impl Undecided {
    /// What a tool says that ended at a limit.
    ///
    /// # Errors
    /// Any other error, as it is.
    pub fn at_limit(error: ReplayError) -> Result<Self, ReplayError> {
        let cause = match error {
            ReplayError::Timeout { .. } => Cause::Time,
            ReplayError::Memory { .. } => Cause::Memory,
            error => return Err(error),
        };
        Ok(Self { cause, why: error.to_string() })
    }
}

/// A row of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name in the module.
    pub property: String,
    /// `assert`, `invariant`, `ghost` or `cover`.
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
    /// Whether it is as it should be: neither refuted nor a cover point out of reach. What is not
    /// decided is no failure.
    pub fn is_fine(&self) -> bool {
        !matches!(self.outcome, Outcome::Refuted { .. } | Outcome::Unreached)
    }

    /// Whether it is proved, for all time or to a depth, or reached.
    pub fn is_decided(&self) -> bool {
        self.is_fine() && !matches!(self.outcome, Outcome::Undecided(_))
    }
}

/// A kind, in a word.
pub fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Assert => "assert",
        Kind::Invariant => "invariant",
        Kind::Ghost => "ghost",
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
            Outcome::Undecided(undecided) => undecided.fmt(f),
        }
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not decided ({}): {}", self.cause.word(), self.why)
    }
}

impl Cause {
    fn word(self) -> &'static str {
        match self {
            Cause::Time => "time",
            Cause::Memory => "memory",
            Cause::Induction => "induction",
            Cause::Refuted => "refuted",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undecided(error: ReplayError) -> Row {
        let why = Undecided::at_limit(error).expect("it is a limit");
        Row {
            property: "order".to_owned(),
            kind: Kind::Assert,
            module: "prim/fifo".to_owned(),
            size: "4 words".to_owned(),
            engine: "pdr".to_owned(),
            seconds: 1.0,
            outcome: Outcome::Undecided(why),
        }
    }

    #[test]
    fn a_limit_is_neither_a_pass_nor_a_failure_and_says_which() {
        let time = undecided(ReplayError::Timeout { tool: "yosys".to_owned(), seconds: 7 });
        assert_eq!(
            time.outcome.to_string(),
            "not decided (time): yosys did not end within 7 seconds"
        );
        let memory = undecided(ReplayError::Memory { tool: "yosys".to_owned(), mebibytes: 9 });
        let text = "not decided (memory): yosys broke down with 9 MiB of memory";
        assert_eq!(memory.outcome.to_string(), text);
        for row in [time, memory] {
            assert!(row.is_fine() && !row.is_decided());
        }
    }

    #[test]
    fn another_error_is_no_limit() {
        let error = ReplayError::Rejected { tool: "yosys", log: "no such module".to_owned() };
        assert!(matches!(Undecided::at_limit(error), Err(ReplayError::Rejected { .. })));
    }

    #[test]
    fn json_has_the_cause_as_a_word() {
        let row = undecided(ReplayError::Memory { tool: "yosys".to_owned(), mebibytes: 9 });
        let json = serde_json::to_value(&row).expect("it is written");
        assert_eq!((&json["result"], &json["cause"]), (&"undecided".into(), &"memory".into()));
        assert_eq!(json["kind"], "assert");
    }
}
