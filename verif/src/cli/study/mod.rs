//! `blockyard study`.

mod report;

use super::Exit;
use clap::{Args, Subcommand};
use miette::Result;

/// Arguments of `study`.
#[derive(Debug, Args)]
pub struct StudyCommandArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write the page of a study's folder
    Report(report::ReportArgs),
}

/// Does what a subcommand says.
///
/// # Errors
/// Bad use or bad input.
pub fn main(args: &StudyCommandArgs) -> Result<Exit> {
    match &args.action {
        Action::Report(args) => report::main(args),
    }
}
