//! What section 6.1 states in numbers, and the same from our rows.

use super::{Row, SCHEDULERS};
use serde::Serialize;

/// A figure of the paper beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statement {
    /// Of what.
    pub what: String,
    /// The paper's figure.
    pub paper: f64,
    /// Ours.
    pub here: f64,
    /// The unit of both.
    pub unit: &'static str,
}

/// What a figure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Time,
    Energy,
    WarmFlits,
    Memory,
    L1,
    L2,
}

/// A number of the text: changes and shares in percent.
pub(super) struct Stated {
    pub(super) workload: &'static str,
    pub(super) what: What,
    pub(super) scheduler: &'static str,
    /// What a change is relative to.
    pub(super) base: Option<&'static str>,
    pub(super) paper: f64,
}

const fn stated(
    workload: &'static str,
    what: What,
    scheduler: &'static str,
    base: Option<&'static str>,
    paper: f64,
) -> Stated {
    Stated { workload, what, scheduler, base, paper }
}

const RR: &str = SCHEDULERS[0];
const RESET: &str = SCHEDULERS[2];
const FLIP: &str = SCHEDULERS[3];
const STEAL: &str = SCHEDULERS[4];

/// All of them, under DeNovo.
pub(super) const STATED: [Stated; 15] = [
    stated("small", What::Time, RESET, Some(RR), -68.0),
    stated("small", What::Energy, RESET, Some(RR), -61.0),
    stated("small", What::WarmFlits, RESET, None, 0.0),
    stated("small", What::Time, FLIP, Some(RESET), 0.0),
    stated("small", What::Time, STEAL, Some(RESET), 0.0),
    stated("medium", What::Time, FLIP, Some(RESET), -31.0),
    stated("medium", What::Energy, FLIP, Some(RESET), -31.0),
    stated("large", What::Memory, RESET, None, 100.0),
    stated("large", What::Memory, FLIP, None, 54.0),
    stated("large", What::L1, FLIP, None, 17.0),
    stated("large", What::L2, FLIP, None, 29.0),
    stated("large", What::Time, FLIP, Some(RESET), -23.0),
    stated("large", What::Energy, FLIP, Some(RESET), -20.0),
    stated("work-stealing", What::Time, STEAL, Some(RR), -26.0),
    stated("work-stealing", What::Energy, STEAL, Some(FLIP), 0.0),
];

impl What {
    fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Energy => "energy",
            Self::WarmFlits => "flits once warm",
            Self::Memory => "served by memory",
            Self::L1 => "served by the own L1",
            Self::L2 => "served by the L2",
        }
    }

    /// Its value in a row; shares in percent.
    pub(super) fn of(self, row: &Row) -> f64 {
        match self {
            Self::Time => row.cycles as f64,
            Self::Energy => row.energy_nj,
            Self::WarmFlits => row.warm_flits as f64,
            Self::Memory => 100.0 * row.served.memory,
            Self::L1 => 100.0 * row.served.l1,
            Self::L2 => 100.0 * row.served.l2,
        }
    }
}

/// The row under DeNovo.
pub(super) fn under_denovo<'a>(rows: &'a [Row], workload: &str, scheduler: &str) -> &'a Row {
    let is = |row: &&Row| {
        (row.protocol.as_str(), &*row.workload, &*row.scheduler) == ("denovo", workload, scheduler)
    };
    rows.iter().find(is).expect("every microbenchmark runs under every scheduler")
}

/// All of them, beside ours.
pub(super) fn statements(rows: &[Row]) -> Vec<Statement> {
    let name = |scheduler: &str| {
        scheduler.split('(').next().unwrap_or_default().trim_start_matches("ikra/").to_owned()
    };
    let statement = |stated: &Stated| {
        let Stated { workload, what, scheduler, base, paper } = *stated;
        let value = |scheduler| what.of(under_denovo(rows, workload, scheduler));
        let mut text = format!("{workload}: {}, {}", what.name(), name(scheduler));
        let mut here = value(scheduler);
        if let Some(base) = base {
            text += &format!(" by {}", name(base));
            here = 100.0 * (here / value(base) - 1.0);
        }
        let unit = if what == What::WarmFlits { "flits" } else { "%" };
        Statement { what: text, paper, here, unit }
    };
    STATED.iter().map(statement).collect()
}
