//! `blockyard study task`: what a cluster runs.

use crate::cli::{interrupt, Exit};
use crate::study::backend::{task, Range};
use clap::Args;
use miette::Result;
use std::path::PathBuf;

/// Arguments of `study task`.
#[derive(Debug, Args)]
pub struct TaskArgs {
    /// Folder of the tasks: `study-NAME/parts/0`
    folder: PathBuf,
    /// The runs to make, by their lines in plan.jsonl from 0: `0-9`
    #[arg(value_name = "FROM-TO")]
    range: Range,
}

/// Makes the runs that are not finished there.
///
/// # Errors
/// A folder or range that is none, or files that cannot be written.
pub fn main(args: &TaskArgs) -> Result<Exit> {
    let stopped = task(&args.folder, args.range, &interrupt::flag()?)?;
    Ok(if stopped { Exit::Interrupted } else { Exit::Fine })
}
