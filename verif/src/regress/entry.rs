//! The command `blockyard regress`, behind the parsed arguments.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use blockyard_sim::output;

use crate::cli::outputs::{self, Named};
use crate::cli::{command_line, coverage};
use crate::cluster::{ends_with, On};
use crate::standard_output::print;

use super::selection::select;
use super::stop::CASES_FINISH;
use super::{
    fingerprint, full_id, page, progress, render, run, soak, spread, RegressArgs, RegressError,
    RegressOptions, Shard, StopFlag, Suite,
};

/// The folder in which runs without `--out` get a folder each.
pub const DEFAULT_OUT: &str = "regress-out";

/// How a run ended. Bad use, which has exit status 2, is an error instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Every case passed or was skipped: 0.
    Passed,
    /// A case failed: 1.
    Failed,
    /// The run was stopped before all cases had run: 130, as shells report an interrupt.
    Interrupted,
}

impl ExitStatus {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Failed => 1,
            Self::Interrupted => 130,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}

/// Runs the suite that `args` names, with progress on standard error and the report on standard
/// output.
///
/// # Errors
/// Bad use or bad input, as in [`RegressError`]; the process should end with status 2.
pub fn main(args: &RegressArgs, suites: Vec<Suite>) -> Result<ExitStatus, miette::Report> {
    if args.suite.as_deref() == Some(soak::NAME) {
        return soak::main(args);
    }
    soak::check_hours(args)?;
    let suite = find(&suites, args.suite.as_deref())?;
    if args.on != On::Local && args.shard != Shard::WHOLE {
        return Err(miette::miette!(
            help = "leave one of them out: a cluster runs shards of its own",
            "`--shard` and `--on` do not go together"
        ));
    }
    if args.list {
        print(&listed(suite, args)?)?;
        return Ok(ExitStatus::Passed);
    }
    let own = || args.out.clone().unwrap_or_else(|| default_out(suite, args));
    let out = args.part_of.as_ref().map_or_else(own, |parts| spread::folder_of(parts, args.shard));
    let options = RegressOptions {
        seed: args.seed,
        jobs: args.jobs,
        shard: args.shard,
        filter: args.filter.clone(),
        resume: args.resume,
        junit: args.junit.clone(),
        coverage: args.coverage.is_some() || args.count_coverage,
        version: fingerprint::of_this_executable(),
        stop: StopFlag::on_ctrl_c(Some(CASES_FINISH))?,
        on: args.on,
        tasks: args.tasks,
        ..RegressOptions::new(out)
    };
    check_files(args, &options.out)?;
    let progress = if args.quiet { Box::new(progress::Silent) } else { progress::for_stderr() };
    let whole = || run(suite, &options, &*progress);
    let report = match &args.part_of {
        None => whole(),
        Some(parts) => ends_with(parts, &options.stop, whole),
    }?;
    if let Some(path) = &args.html {
        let page = page(&report, &command_line());
        output::write_file(path, |file| file.write_all(page.html().as_bytes()))?;
    }
    let worse = match &args.coverage {
        Some(path) => coverage::write_and_compare(&report, path)?,
        None => false,
    };
    if !args.quiet || report.status() != ExitStatus::Passed {
        print(&render(&report))?;
    }
    Ok(match report.status() {
        ExitStatus::Passed if worse => ExitStatus::Failed,
        status => status,
    })
}

/// Refuses files that are one another or what the folder `out` holds, and pages and coverage that
/// cannot be written; the report for JUnit may lie in that folder, which is made later.
fn check_files(args: &RegressArgs, out: &Path) -> miette::Result<()> {
    let mut written: Vec<Named> = Vec::new();
    written.extend(outputs::named("--junit", args.junit.as_ref()));
    written.extend(outputs::named("--html", args.html.as_ref()));
    if let Some(path) = &args.coverage {
        coverage::probe("--coverage", path)?;
        written.extend(coverage::written("--coverage", path));
    }
    let kept = ["results.jsonl", "report.json"].map(|name| out.join(name));
    let kept = kept.map(|path| Named { option: "a file in the folder of the run", path });
    outputs::distinct(&written, &kept)?;
    let junit = |named: &&Named| args.junit.as_ref() == Some(&named.path);
    written.iter().filter(|named| !junit(named)).try_for_each(|n| outputs::probe(&n.path))?;
    outputs::give_standard(&written);
    Ok(())
}

/// The cases that seed, shard and filter leave, a line each, as `--filter` takes them.
fn listed(suite: &Suite, args: &RegressArgs) -> Result<String, RegressError> {
    let options = RegressOptions {
        seed: args.seed,
        shard: args.shard,
        filter: args.filter.clone(),
        ..RegressOptions::new(DEFAULT_OUT)
    };
    let selection = select(suite, &options)?;
    Ok(selection.iter().map(|s| full_id(&s.case.id, s.seed) + "\n").collect())
}

fn find<'a>(suites: &'a [Suite], name: Option<&str>) -> Result<&'a Suite, RegressError> {
    let Some(name) = name else {
        return suites.first().ok_or(RegressError::NoSuites);
    };
    let found = suites.iter().find(|suite| suite.name == name);
    found.ok_or_else(|| RegressError::UnknownSuite {
        name: name.to_owned(),
        known: soak::listed(suites),
    })
}

/// A folder of its own for each kind of run: shards on one machine do not lock each other out, and
/// repeating a failed case does not start the journal of the whole suite anew.
fn default_out(suite: &Suite, args: &RegressArgs) -> PathBuf {
    let mut name = suite.name.replace(['/', '\\'], "-");
    if args.shard != Shard::WHOLE {
        name.push_str("-shard-");
        name.push_str(&args.shard.to_string().replace('/', "-of-"));
    }
    if args.filter.is_some() {
        name.push_str("-filter");
    }
    Path::new(DEFAULT_OUT).join(name)
}
