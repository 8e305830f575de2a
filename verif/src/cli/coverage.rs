//! `blockyard coverage`.

use super::outputs::{self, Named};
use super::{command_line, complain_as_is, print, Exit};
use crate::coverage::{kept, page, CoverageReport};
use crate::regress::RegressReport;
use blockyard_sim::input::is_standard;
use blockyard_sim::output;
use clap::Args;
use miette::{miette, IntoDiagnostic, Result};
use std::path::{Path, PathBuf};

/// Arguments of `coverage`.
#[derive(Debug, Args)]
pub struct CoverageArgs {
    /// What `regress --coverage` has written, of each shard one file
    #[arg(value_name = "F.json", required = true)]
    files: Vec<PathBuf>,
    /// Also write them as one, and its page beside it
    #[arg(long, value_name = "F.json")]
    out: Option<PathBuf>,
    /// Print the names of the points that were met, one a line, instead of the summary
    #[arg(long)]
    list: bool,
}

/// Merges what shards of a run have met, and holds it against the list of points that were met
/// before.
///
/// # Errors
/// When a file cannot be read or written, or is of another run.
pub fn main(args: &CoverageArgs) -> Result<Exit> {
    if let Some(out) = &args.out {
        probe("--out", out)?;
        let read = args.files.iter().filter_map(|file| outputs::named("F.json", Some(file)));
        outputs::check(&written("--out", out), &read.collect::<Vec<_>>())?;
    }
    let mut merged: Option<CoverageReport> = None;
    for path in &args.files {
        let report = CoverageReport::read(path)?;
        match &mut merged {
            None => merged = Some(report),
            Some(merged) => merged.merge(&report, &path.display().to_string())?,
        }
    }
    let Some(report) = merged else { return Ok(Exit::Fine) };
    if let Some(out) = &args.out {
        write(&report, out)?;
    }
    let (text, worse) = kept::verdict(&report);
    if args.list {
        let names: Vec<&str> = kept::met(&report).into_iter().collect();
        print(&(names.join("\n") + "\n"))?;
        return Ok(Exit::Fine);
    }
    print(&text)?;
    Ok(if worse { Exit::CheckFailed } else { Exit::Fine })
}

/// Writes a report to `path`, and its page beside it, with the ending `.html`.
///
/// # Errors
/// When one of them cannot be written.
pub fn write(report: &CoverageReport, path: &Path) -> Result<()> {
    let json = report.to_json().into_diagnostic()?;
    output::write_file(path, |file| file.write_all(json.as_bytes()))?;
    let html = page(report, &command_line()).html();
    output::write_file(&path.with_extension("html"), |file| file.write_all(html.as_bytes()))?;
    Ok(())
}

/// What [`write`] writes to `path`, which `option` names.
pub fn written(option: &'static str, path: &Path) -> [Named; 2] {
    let page = path.with_extension("html");
    [Named { option, path: path.to_owned() }, Named { option: "its page", path: page }]
}

/// That `path`, which `option` names, may be what is written to.
///
/// # Errors
/// It is standard output, or the name is that of the page.
pub fn probe(option: &str, path: &Path) -> Result<()> {
    if path.extension().is_some_and(|ending| ending == "html") || is_standard(path) {
        return Err(miette!(
            help = format!("such as {option} coverage.json; the page is then coverage.html"),
            "`{}` is no name for the coverage: expected one of a file that does not end in .html",
            path.display()
        ));
    }
    Ok(())
}

/// Writes what a run has met, says so on standard error, and whether it is worse than what was met
/// before.
///
/// # Errors
/// As [`write`].
pub fn write_and_compare(run: &RegressReport, path: &Path) -> Result<bool> {
    let report = CoverageReport::of(run);
    write(&report, path)?;
    let (text, worse) = kept::verdict(&report);
    complain_as_is(&text);
    Ok(worse)
}
