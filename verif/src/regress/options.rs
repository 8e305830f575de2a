//! What a run is asked for.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::{Shard, StopFlag};
use crate::cluster::On;

/// Shards that a cluster runs, if nobody says how many.
pub const DEFAULT_TASKS: u32 = 100;

/// How to run a suite. [`RegressOptions::new`] gives the defaults of the command line.
#[derive(Clone, Debug)]
pub struct RegressOptions {
    /// The seed of the run, from which every case derives its own.
    pub seed: u64,
    /// Cases that run at once; `None` for one on each core.
    pub jobs: Option<NonZeroUsize>,
    /// The share of the suite to run.
    pub shard: Shard,
    /// Run only the case with this id or full id or, if there is none, the cases whose full id
    /// contains this text.
    pub filter: Option<String>,
    /// Go on with the journal in [`Self::out`] instead of starting anew.
    pub resume: bool,
    /// Also write a JUnit report to this file.
    pub junit: Option<PathBuf>,
    /// Count which situations the cases meet.
    pub coverage: bool,
    /// The folder of the run; made if it does not exist.
    pub out: PathBuf,
    /// What tells one build of the tool from another. `--resume` refuses a journal that another
    /// build has written: its results may not hold for this one.
    pub version: String,
    /// Who runs the cases.
    pub on: On,
    /// Shards that a cluster runs as tasks.
    pub tasks: u32,
    /// Ends the run early when raised.
    pub stop: StopFlag,
}

impl RegressOptions {
    /// The defaults: seed 1, all cores, the whole suite, started anew in `out`.
    pub fn new(out: impl Into<PathBuf>) -> Self {
        Self {
            seed: 1,
            jobs: None,
            shard: Shard::WHOLE,
            filter: None,
            resume: false,
            junit: None,
            coverage: false,
            out: out.into(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            on: On::Local,
            tasks: DEFAULT_TASKS,
            stop: StopFlag::new(),
        }
    }
}
