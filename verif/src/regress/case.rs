//! A case of a suite, what it is given and what it gives back.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::StopFlag;

/// The body of a case. It runs on a worker thread and owns that thread until it returns.
pub type CaseFn = dyn Fn(&CaseContext<'_>) -> Outcome + Send + Sync;

/// A named list of cases.
pub struct Suite {
    /// The name that the command line takes, such as `lockstep`.
    pub name: String,
    /// One line for `blockyard list suites`.
    pub description: String,
    /// The cases, in the order in which reports list them; made when they are first looked at. No
    /// two have the same id.
    pub cases: LazyLock<Vec<Case>, Box<dyn FnOnce() -> Vec<Case> + Send>>,
}

impl Suite {
    /// A suite from its name, its line and what makes its cases.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        cases: impl FnOnce() -> Vec<Case> + Send + 'static,
    ) -> Self {
        let cases: Box<dyn FnOnce() -> Vec<Case> + Send> = Box::new(cases);
        Self { name: name.into(), description: description.into(), cases: LazyLock::new(cases) }
    }
}

/// One test that runs alone and repeats alone.
pub struct Case {
    /// The id without the seed, such as `lockstep/rr/n13`; unique in its suite.
    pub id: String,
    /// Relative cost. Heavy cases start first, and shards are balanced by weight.
    pub weight: u32,
    /// Clock cycles that it is to simulate; 0 where only the run can tell.
    pub cycles: u64,
    /// The body. A panic in it is a failure of this case alone.
    pub run: Box<CaseFn>,
}

impl Case {
    /// A case from its id, relative cost and body.
    pub fn new(
        id: impl Into<String>,
        weight: u32,
        run: impl Fn(&CaseContext<'_>) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        Self { id: id.into(), weight, cycles: 0, run: Box::new(run) }
    }

    /// It with the number of cycles that it is to simulate.
    pub fn taking(self, cycles: u64) -> Self {
        Self { cycles, ..self }
    }
}

/// What a case is given.
pub struct CaseContext<'a> {
    /// The only source of randomness of the case; see [`super::case_seed`].
    pub seed: u64,
    /// Where the case may leave artefacts. It does not exist until [`Self::make_out`] is called.
    pub out: PathBuf,
    /// Where cases keep what others can use as well. It does not exist until one makes it.
    pub shared: PathBuf,
    /// The command that repeats the case.
    pub command: String,
    /// Clock cycles that it has simulated so far, which it may keep here: a panic counts them.
    pub cycles: Cell<u64>,
    /// Raised when the run is to end early. A long case should look at it now and then and return
    /// [`Outcome::not_run`]; so should a case whose external tool was killed by the same Ctrl-C.
    pub stop: &'a StopFlag,
}

impl CaseContext<'_> {
    /// Makes the folder for artefacts and gives its path.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn make_out(&self) -> io::Result<&Path> {
        std::fs::create_dir_all(&self.out)?;
        Ok(&self.out)
    }
}

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that it checks holds.
    Passed,
    /// Something that it checks does not hold.
    Failed {
        /// What and where. The first line is the cause by which failures are grouped, so numbers
        /// that differ from seed to seed belong on later lines.
        message: String,
        /// One command that repeats the failure; `None` for the `blockyard regress` command that
        /// repeats the case.
        repeat_command: Option<String>,
        /// Files that help to find the reason, such as a waveform window.
        artefacts: Vec<PathBuf>,
    },
    /// It cannot run here; the text says what is missing. Counts as finished.
    Skipped(String),
    /// It gave up, or never started, because the run was stopped. Counts as not finished: it is
    /// not journaled, and `--resume` runs it.
    NotRun,
}

/// What a case gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub verdict: Verdict,
    /// Clock cycles that it simulated, 0 if it simulates none.
    pub cycles: u64,
}

impl Outcome {
    /// A pass after so many cycles.
    pub fn passed(cycles: u64) -> Self {
        Self { verdict: Verdict::Passed, cycles }
    }

    /// A failure after so many cycles, without artefacts, repeated by the regress command.
    pub fn failed(message: impl Into<String>, cycles: u64) -> Self {
        Self {
            verdict: Verdict::Failed {
                message: message.into(),
                repeat_command: None,
                artefacts: Vec::new(),
            },
            cycles,
        }
    }

    /// A case that cannot run here, with the reason.
    pub fn skipped(reason: impl Into<String>) -> Self {
        Self { verdict: Verdict::Skipped(reason.into()), cycles: 0 }
    }

    /// A case that gave up because the run was stopped.
    pub fn not_run() -> Self {
        Self { verdict: Verdict::NotRun, cycles: 0 }
    }
}
