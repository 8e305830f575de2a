//! `blockyard study`.

mod args;
mod report;
mod shown;
mod task;

pub use args::quoted as toml_text;

use super::{interrupt, print, Exit};
use crate::study::backend::{Backend, Local, Remote};
use crate::study::{conduct, folder, Options};
use args::StudyArgs;

use clap::{Args, Subcommand};
use miette::{IntoDiagnostic, Result};
use std::path::PathBuf;

/// Arguments of `study`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct StudyCommandArgs {
    #[command(flatten)]
    study: StudyArgs,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write the page of a study's folder
    Report(report::ReportArgs),
    /// Make some runs of a study: what a cluster runs
    #[command(hide = true)]
    Task(task::TaskArgs),
}

/// Conducts a study, or does what a subcommand says.
///
/// # Errors
/// Bad use or bad input.
pub fn main(args: &StudyCommandArgs) -> Result<Exit> {
    match &args.action {
        None => study(&args.study),
        Some(Action::Report(args)) => report::main(args),
        Some(Action::Task(args)) => task::main(args),
    }
}

fn study(args: &StudyArgs) -> Result<Exit> {
    let study = args.study()?;
    let plan = study.plan()?;
    if args.dry_run {
        print(&shown::plan(&plan))?;
        return Ok(Exit::Fine);
    }
    let name = study.name.as_deref().unwrap_or("study");
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("study-{name}")));
    let stop = interrupt::flag()?;
    let resume = args.resume;
    let on = |backend: &dyn Backend| {
        let options = Options { name, folder: &folder, resume, backend, stop: &stop };
        conduct(&study, &plan, &options)
    };
    let ended = match args.on.cluster().into_diagnostic()? {
        None => on(&Local { jobs: args.jobs.map(usize::from) }),
        Some(cluster) => {
            let parts = folder::parts_folder(&folder);
            on(&Remote { cluster: &*cluster, folder: parts, per_task: args.per_task })
        }
    }?;
    print(&shown::ended(&ended, &folder::table_file(&folder)))?;
    Ok(match &ended {
        ended if ended.stopped => Exit::Interrupted,
        ended if ended.rows.iter().any(|row| row.failure.is_some()) => Exit::CheckFailed,
        _ => Exit::Fine,
    })
}
