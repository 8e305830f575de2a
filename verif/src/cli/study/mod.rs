//! `blockyard study`.

mod args;
mod shown;

use super::{interrupt, print, Exit};
use crate::study::backend::Local;
use crate::study::{conduct, folder, Options};
use args::StudyArgs;
use clap::{Args, Subcommand};
use miette::Result;
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
enum Action {}

/// Conducts a study, or does what a subcommand says.
///
/// # Errors
/// Bad use or bad input.
pub fn main(args: &StudyCommandArgs) -> Result<Exit> {
    match args.action {
        None => study(&args.study),
        Some(ref action) => match *action {},
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
    let local = Local { jobs: args.jobs.map(usize::from) };
    let resume = args.resume;
    let options = Options { name, folder: &folder, resume, backend: &local, stop: &stop };
    let ended = conduct(&study, &plan, &options)?;
    print(&shown::ended(&ended, &folder::table_file(Path::new(&folder))))?;
    Ok(match &ended {
        ended if ended.stopped => Exit::Interrupted,
        ended if ended.rows.iter().any(|row| row.failure.is_some()) => Exit::CheckFailed,
        _ => Exit::Fine,
    })
}
