//! The command line of `blockyard regress`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::options::DEFAULT_TASKS;
use super::soak::hours;
use super::Shard;
use crate::cli::number::{some, whole};
use crate::cluster::On;

/// Runs a suite of regression cases in parallel.
///
/// Exit status: 0 all passed or skipped; 1 a case failed; 2 bad use; 130 stopped by Ctrl-C before
/// all cases had run, whatever the others gave. The first Ctrl-C lets the running cases finish, a
/// second one ends at once; either way `--resume` runs the rest.
#[derive(Args, Clone, Debug)]
pub struct RegressArgs {
    /// The suite to run (see `blockyard list suites`), the first of them if none is given; or
    /// `soak`, which runs random lockstep with new seeds for --hours H, or until Ctrl-C
    #[arg(value_name = "SUITE")]
    pub suite: Option<String>,

    /// The seed from which every case derives its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole)]
    pub seed: u64,

    /// Hours for which `soak` runs: 0.5
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = hours)]
    pub hours: Option<Duration>,

    /// Cases that run at once [default: one on each core]
    #[arg(long, value_name = "N", value_parser = some)]
    pub jobs: Option<NonZeroUsize>,

    /// Run the I-th of N shares of the suite, counted from 1
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub shard: Shard,

    /// Run only the case with this id or, if there is none, the cases whose id contains this text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub filter: Option<String>,

    /// Print the id and seed of each case that the other options leave, a line each, and run none
    #[arg(long, conflicts_with_all = ["resume", "jobs", "junit", "html", "coverage", "out", "on", "quiet"])]
    pub list: bool,

    /// Go on with the run in the folder: cases that are finished there do not run again
    #[arg(long)]
    pub resume: bool,

    /// Print no progress, and the report only if a case failed or was not run
    #[arg(long, short)]
    pub quiet: bool,

    /// Also write a JUnit report
    #[arg(long, value_name = "F.xml")]
    pub junit: Option<PathBuf>,

    /// Also write a page: cases by kind, failures by cause with the picture of their wave window
    #[arg(long, value_name = "F.html")]
    pub html: Option<PathBuf>,

    /// Also write which situations were met and how often, and a page of it beside that file
    #[arg(long, value_name = "F.json")]
    pub coverage: Option<PathBuf>,

    /// Count what is met, for whoever reads the journal
    #[arg(long, hide = true)]
    pub count_coverage: bool,

    /// The folder for journal, report and artefacts [default: regress-out/SUITE]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Who runs the cases
    #[arg(long, default_value = "local")]
    pub on: On,

    /// Tasks of a cluster, each of which runs a share of the suite
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TASKS)]
    pub tasks: u32,

    /// The folder of the tasks, of which this is one
    #[arg(long, value_name = "DIR", hide = true)]
    pub part_of: Option<PathBuf>,
}
