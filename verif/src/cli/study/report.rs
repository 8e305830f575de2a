//! `blockyard study report`.

use crate::cli::page::{write, PlotArgs};
use crate::cli::{command_line, Exit};
use crate::page::study;
use clap::Args;
use miette::Result;
use std::path::PathBuf;

/// Arguments of `study report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The folder of the study
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The page [default: report.html in the folder]
    #[arg(long, value_name = "F.html")]
    out: Option<PathBuf>,
    #[command(flatten)]
    plots: PlotArgs,
}

/// Writes the page of a study, finished or not, and its plots.
///
/// # Errors
/// When the folder is none of a study, or something cannot be written.
pub fn main(args: &ReportArgs) -> Result<Exit> {
    let page = study::page(&args.folder, &command_line())?;
    let path = args.out.clone().unwrap_or_else(|| args.folder.join("report.html"));
    write(&page, &path, &args.plots)
}
