//! `blockyard wave`.

mod diff;
mod show;

use super::{print, Exit};
use crate::story::view;
use blockyard_waves::{write_views, Dump, WaveError};
use clap::{Args, Subcommand};
use globset::{Glob, GlobSet, GlobSetBuilder};
use miette::{miette, Result};
use std::path::{Path, PathBuf};

/// Arguments of `wave`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct WaveArgs {
    /// The dump beside which the views are written
    #[arg(value_name = "F.vcd", required = true)]
    dump: Option<PathBuf>,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Compare two dumps, signal by signal and cycle by cycle
    Diff(diff::DiffArgs),
    /// Print some cycles of a dump as text
    Show(show::ShowArgs),
}

/// Writes the views beside the dump and prints their paths, or compares or prints dumps.
///
/// # Errors
/// When a dump cannot be read, or the folder not be written to.
pub fn main(args: &WaveArgs) -> Result<Exit> {
    match (&args.action, &args.dump) {
        (Some(Action::Diff(args)), _) => diff::main(args),
        (Some(Action::Show(args)), _) => show::main(args),
        (None, Some(dump)) => {
            for path in write_views(dump, view).map_err(report)? {
                print(&format!("{}\n", path.display()))?;
            }
            Ok(Exit::Fine)
        }
        (None, None) => unreachable!("clap asks for a dump"),
    }
}

fn open(path: &Path) -> Result<Dump> {
    Dump::open(path).map_err(report)
}

/// The first and the last cycle of which a dump knows something, whose last time is the end of its
/// last cycle.
fn cycles(dump: &Dump) -> (u64, u64) {
    let (first, end) = match dump.times() {
        [first, .., end] => (*first, *end),
        [only] => (*only, only.saturating_add(1)),
        [] => (0, 1),
    };
    // FST files begin at 0, whenever their first value comes.
    let first = match dump.gaps().next() {
        Some(gap) if gap.start <= first => gap.end,
        _ => first,
    };
    (first, end.saturating_sub(1).max(first))
}

fn report(error: WaveError) -> miette::Report {
    miette!("{error}")
}

/// Which signals are meant: all of them without a pattern.
struct Selection {
    patterns: Option<GlobSet>,
}

impl Selection {
    /// # Errors
    /// When a pattern is none.
    fn new(patterns: &[String]) -> Result<Self> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let glob = Glob::new(pattern).map_err(|error| {
                miette!(
                    help = "* stands for any characters, ? for one, {a,b} for either",
                    "--signals {pattern} is no pattern: {}",
                    error.kind()
                )
            })?;
            set.add(glob);
        }
        let set = set.build().map_err(|error| miette!("--signals: {error}"))?;
        Ok(Self { patterns: (!patterns.is_empty()).then_some(set) })
    }

    fn takes(&self, path: &str) -> bool {
        self.patterns.as_ref().is_none_or(|set| set.is_match(path))
    }
}
