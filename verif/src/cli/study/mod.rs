//! `blockyard study`.

mod args;
mod report;
mod shown;
mod task;

pub use args::quoted as toml_text;

use super::outputs::{self, Named};
use super::{interrupt, print, Exit};
use crate::study::backend::{Backend, Local, Remote};
use crate::study::plan::Plan;
use crate::study::{conduct, folder, Options};
use args::StudyArgs;
use blockyard_sim::output::unwritable;

use clap::{Args, Subcommand};
use miette::{IntoDiagnostic, Result};
use std::path::{Path, PathBuf};

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

/// Refuses to write over what the runs read, and over a study to which flags add: with these below
/// it, it is another one, and may be none.
fn check_outputs(args: &StudyArgs, plan: &Plan, folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let named = |option| move |path| Named { option, path };
    let written = [folder::study_file, folder::journal_file, folder::table_file];
    let written = written.map(|file| named("a file in --out")(file(folder)));
    let read = plan.files().into_iter().map(named("a file that the runs read"));
    let study = args.changed_file()?.map(named("FILE.toml, to which flags add"));
    outputs::check(&written, &read.chain(study).collect::<Vec<_>>())
}

fn study(args: &StudyArgs) -> Result<Exit> {
    let study = args.study()?;
    let mut plan = study.plan()?;
    if args.dry_run {
        print(&shown::plan(&plan))?;
        return Ok(Exit::Fine);
    }
    let name = study.name.as_deref().unwrap_or("study");
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("study-{name}")));
    if study.blocks {
        let folder = std::path::absolute(&folder).map_err(|error| unwritable(&folder, &error))?;
        plan.keep_blocks(&folder::blocks_folder(&folder));
    }
    check_outputs(args, &plan, &folder)?;
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
