//! Studies: many runs that differ along axes, compared in one table.
//!
//! ```text
//!   study.toml --[read]--> Study --[points]--> points --[plan]--> runs, each once
//!                                                                  |
//!   [search] chooses among them, or all --------------------> [backend] --> rows --> [journal], [table]
//! ```
//!
//! [`conduct()`] does all of it. A row is in the journal before it is anywhere else, so that
//! nothing is lost and nothing is run twice, wherever it runs.

pub mod axis;
pub mod backend;
pub mod baseline;
pub mod compare;
pub mod conduct;
pub mod constraint;
pub mod figures;
pub mod folder;
pub mod header;
pub mod inputs;
pub mod interval;
pub mod journal;
pub mod ledger;
pub mod perform;
pub mod plan;
pub mod points;
pub mod pool;
pub mod read;
pub mod row;
pub mod search;
pub mod table;

pub use conduct::{conduct, Ended, Options};
pub use folder::load;
pub use header::Header;
pub use row::Row;

use axis::Axis;
use constraint::Constraint;
use read::Source;
use search::Search;
use std::path::PathBuf;

/// Most runs that a study makes without being asked for more.
pub const MAX_RUNS: u64 = 100_000;

/// A study, as a file or the command line describes it.
#[derive(Clone, Debug)]
pub struct Study {
    /// What it is called, if it says so.
    pub name: Option<String>,
    /// Where it was read from.
    pub source: Source,
    /// What paths are relative to.
    pub paths: PathBuf,
    /// What the runs' speed-up is relative to, by axis.
    pub baseline: Vec<(String, String)>,
    /// Its axes, in order.
    pub axes: Vec<Axis>,
    /// Which points belong to it.
    pub constraints: Vec<Constraint>,
    /// How points are chosen, unless all are run.
    pub search: Option<Search>,
    /// Cycles after which a run counts as stuck.
    pub max_cycles: Option<u64>,
    /// Whether what blocks share is looked for.
    pub footprint: bool,
    /// Whether the bits that the scheduler's hardware stores are a figure.
    pub storage: bool,
    /// Whether when and where each block ran is kept.
    pub blocks: bool,
    /// The figures that plots over numbers show; IPC or cycles if there are none.
    pub figures: Vec<String>,
    /// Most runs, if it says so.
    pub max_runs: Option<u64>,
}

impl Study {
    /// The axis of this name.
    pub fn axis(&self, name: &str) -> Option<&Axis> {
        self.axes.iter().find(|axis| axis.name == name)
    }
}
