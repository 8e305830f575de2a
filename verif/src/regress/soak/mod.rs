//! `blockyard regress soak`: lockstep on random traffic with new seeds, for as long as it is let.
//!
//! The cases are those of [`Draws`]; journal, artefacts and commands are those of a suite. Nothing
//! is known of the end, so there is no `report.json`: the journal has everything, and what is
//! printed at the end is what it says.

mod progress;
mod run;
mod summary;

use super::stop::CASES_FINISH;
use super::suites::Draws;
use super::{fingerprint, ExitStatus, RegressArgs, RegressError, RegressOptions, Shard, StopFlag};
use super::{Suite, DEFAULT_OUT};
use crate::cluster::On;
use crate::standard_output::print;
use std::path::Path;
use std::time::Duration;

pub use run::{run, Soaked};
pub use summary::render;

/// What is written in place of a suite.
pub const NAME: &str = "soak";

/// More than anybody waits for, and few enough that no clock overflows.
const MOST_HOURS: f64 = 1_000_000.0;

/// The hours of `--hours`.
///
/// # Errors
/// What was expected instead.
pub fn hours(text: &str) -> Result<Duration, String> {
    let hours = text.parse().ok().filter(|hours: &f64| *hours > 0.0 && *hours <= MOST_HOURS);
    let hours = hours.ok_or_else(|| {
        format!("expected a number of hours above 0 and up to {MOST_HOURS}, such as 0.5")
    })?;
    Ok(Duration::from_secs_f64(hours * 3600.0))
}

/// Soaks as `args` say, with progress on standard error and the summary on standard output.
///
/// # Errors
/// As for a suite; the process should end with status 2.
pub fn main(args: &RegressArgs) -> Result<ExitStatus, miette::Report> {
    refuse_what_needs_an_end(args)?;
    let options = RegressOptions {
        seed: args.seed,
        jobs: args.jobs,
        filter: args.filter.clone(),
        resume: args.resume,
        version: fingerprint::of_this_executable(),
        stop: StopFlag::on_ctrl_c(Some(CASES_FINISH))?,
        ..RegressOptions::new(args.out.clone().unwrap_or_else(|| Path::new(DEFAULT_OUT).join(NAME)))
    };
    let draws = Draws::new(args.seed);
    let soaked = run(&draws, &options, args.hours, &*progress::of(args.quiet))?;
    let status = match soaked.report.status() {
        ExitStatus::Passed if options.stop.is_raised() => ExitStatus::Interrupted,
        ExitStatus::Failed if options.stop.is_raised() => ExitStatus::Interrupted,
        status => status,
    };
    if !args.quiet || status != ExitStatus::Passed {
        print(&render(&draws, &soaked))?;
    }
    Ok(status)
}

/// What makes sense for a list of cases alone.
fn refuse_what_needs_an_end(args: &RegressArgs) -> miette::Result<()> {
    let given = [
        ("--list", args.list),
        ("--shard", args.shard != Shard::WHOLE),
        ("--junit", args.junit.is_some()),
        ("--coverage", args.coverage.is_some()),
        ("--html", args.html.is_some()),
        ("--on", args.on != On::Local),
        ("--part-of", args.part_of.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(miette::miette!(
            help =
                "a soak takes --hours, --seed, --jobs, --filter, --resume, --quiet and --out; on \
                    several machines give each a seed of its own",
            "`{option}` is for suites, which end by themselves"
        )),
    }
}

/// A line for the list of suites.
pub(super) fn listed(suites: &[Suite]) -> String {
    let suites = suites.iter().map(|suite| format!("{}: {}", suite.name, suite.description));
    let soak = format!("{NAME}: random lockstep with new seeds, for --hours H or until Ctrl-C");
    suites.chain([soak]).collect::<Vec<_>>().join("\n")
}

/// The error of `--hours` for a suite.
pub(super) fn check_hours(args: &RegressArgs) -> Result<(), RegressError> {
    match args.hours {
        Some(_) => Err(RegressError::HoursOfASuite),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_a_positive_number() {
        assert_eq!(hours("1"), Ok(Duration::from_secs(3600)));
        assert_eq!(hours("0.01"), Ok(Duration::from_secs(36)));
        assert!(hours("1000000").is_ok());
        for bad in ["0", "-1", "NaN", "inf", "-inf", "1000001", "1e300", "", "an hour", "1h", "0.0"]
        {
            assert!(hours(bad).is_err(), "{bad}");
        }
    }
}
