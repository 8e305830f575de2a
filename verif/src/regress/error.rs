//! Why a regression cannot run; all of these are bad use or bad input (exit status 2).

use std::io;
use std::path::PathBuf;

use miette::Diagnostic;
use thiserror::Error;

use super::Shard;

/// Why a regression cannot run, or cannot keep its results.
#[derive(Debug, Error, Diagnostic)]
pub enum RegressError {
    /// The tool has no suite at all.
    #[error("there is no suite to run")]
    NoSuites,
    /// No suite has this name.
    #[error("unknown suite `{name}`")]
    #[diagnostic(help("expected one of:\n{known}"))]
    UnknownSuite {
        /// The name given.
        name: String,
        /// What exists, one suite a line.
        known: String,
    },
    /// `--hours` is given to a suite.
    #[error("`--hours` is for `regress soak`: a suite ends by itself")]
    #[diagnostic(help("write `blockyard regress soak --hours H`, or leave it out"))]
    HoursOfASuite,
    /// The suite has no cases.
    #[error("suite `{suite}` has no cases")]
    EmptySuite {
        /// The suite.
        suite: String,
    },
    /// Two cases of a suite have the same id, so a result could not be told from another.
    #[error("suite `{suite}` has two cases with the id `{id}`")]
    DuplicateCase {
        /// The suite.
        suite: String,
        /// The id.
        id: String,
    },
    /// The filter leaves nothing.
    #[error("no case of suite `{suite}` matches `{filter}`")]
    #[diagnostic(help("expected an id or a part of one:\n{known}"))]
    NothingMatches {
        /// The suite.
        suite: String,
        /// The filter.
        filter: String,
        /// What exists, one full id a line.
        known: String,
    },
    /// The shard holds none of the cases.
    #[error("shard {shard} of suite `{suite}` is empty: {cases} to run in all, in other shards")]
    #[diagnostic(help("fewer shards give each one a case:\n{known}"))]
    EmptyShard {
        /// The suite.
        suite: String,
        /// The shard.
        shard: Shard,
        /// How many cases there are in all shards.
        cases: usize,
        /// What exists, one full id a line.
        known: String,
    },
    /// The folder or a file in it cannot be made, read or written.
    #[error("cannot {action} {}", path.display())]
    #[diagnostic(help("expected a folder that can be written; choose another one with --out"))]
    Folder {
        /// What was tried, such as `make`.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The JUnit report cannot be written.
    #[error("cannot write the JUnit report {}", path.display())]
    #[diagnostic(help("expected the path of a file in an existing folder that can be written"))]
    Junit {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another run holds the folder.
    #[error("{} is in use by another run (process {owner})", path.display())]
    #[diagnostic(help("wait until it is finished, or choose another folder with --out"))]
    Locked {
        /// The folder.
        path: PathBuf,
        /// The id of the process, as it wrote it into the lock file.
        owner: String,
    },
    /// `--resume` finds the journal of a different run.
    #[error("{} line 1: the journal has {field} `{found}`, this run has `{expected}`", path.display())]
    #[diagnostic(help("resume with the same {field}, or start anew without --resume"))]
    JournalOfAnotherRun {
        /// The journal.
        path: PathBuf,
        /// What differs: `suite`, `seed`, `shard`, `filter` or `version`.
        field: &'static str,
        /// What the journal has.
        found: String,
        /// What this run has.
        expected: String,
    },
    /// `--resume` finds a line that no run has written.
    #[error("{} line {line}: found `{found}`, expected {expected}", path.display())]
    #[diagnostic(help("mend the line, or start anew without --resume"))]
    JournalLine {
        /// The journal.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// A cluster cannot run the cases.
    #[error("{0}")]
    #[diagnostic(help("docs/studies.md says what --on needs; --resume runs what is left"))]
    Cluster(String),
    /// Ctrl-C cannot be caught.
    #[error("cannot catch Ctrl-C")]
    Signal(#[source] std::io::Error),
    /// The worker threads cannot be started.
    #[error("cannot start the worker threads")]
    #[diagnostic(help("try a smaller --jobs"))]
    Workers(#[from] rayon::ThreadPoolBuildError),
}
